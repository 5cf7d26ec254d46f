// 000 example 4.6: angles of repose of a collapsed pile, five sets of friction, several seeds.
#include <fmt/format.h>

#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

struct Spread {
  double n = 0, sum = 0, squares = 0;
  void add(double v) {
    n += 1;
    sum += v;
    squares += v * v;
  }
  double mean() const { return sum / n; }
  double std() const { return n > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1))) : 0; }
};

void pile(Sheet& s) {
  const auto& c = reference_case("000-4.6-angle-of-repose");
  const double mu[] = {0, 0.15, 0.25, 0.5, 1}, mu_r[] = {0, 0.05, 0.1, 0.45, 0.9};
  const double printed_slope[] = {0, 0.15, 0.26, 0.51, 0.89};
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"this program", {}, {}, Curve::Look::line},
      identity{"tan(theta) = mu", {0, 1}, {0, 1}, Curve::Look::line};
  const int seeds = s.seeds(3);
  for (int run = 0; run < 5; ++run) {
    Spread degrees, slope, height;
    for (int seed = 1; seed <= seeds; ++seed) {
      const Frame f =
          last_frame(s.large(case_text("pile"), {fmt::format("contacts.grain-grain.tangential.mu={}", mu[run]),
                                                 fmt::format("contacts.grain-grain.rolling.mu={}", mu_r[run]),
                                                 fmt::format("numerics.seed={}", seed)}));
      const ReposeAngle a = repose_angle(f, {"pile"}, {0, 0, 0}, {0, 1, 0});
      degrees.add(a.degrees);
      slope.add(a.slope);
      height.add(a.height);
    }
    s.near(fmt::format("theta of run {} (deg), mu {}, mu_R {}", run + 1, mu[run], mu_r[run]),
           c["expected"]["theta_deg"][run], degrees.mean(), c["tolerance"]["abs_deg"],
           "statistical: tolerance of the reference case");
    s.remark(
        fmt::format("Run {}: theta {:.1f} deg, standard deviation {:.1f} over {} seeds; mean slope {:.3f}, height "
                    "{:.3f} m.",
                    run + 1, degrees.mean(), degrees.std(), seeds, slope.mean(), height.mean()));
    source.x.push_back(mu[run]);
    source.y.push_back(printed_slope[run]);
    ours.x.push_back(mu[run]);
    ours.y.push_back(slope.mean());
  }
  s.plot({"Collapse of a pile, 000 Table 2", "friction coefficient mu", "tan(theta)", {source, ours, identity}});
}

}  // namespace

std::vector<Entry> pile_entries() {
  return {{"000-4.6",
           "Angle of repose of a collapsed pile",
           "000 section 4.6, Table 2",
           {"000-4.6-angle-of-repose"},
           false,
           pile}};
}

}  // namespace areia::verify
