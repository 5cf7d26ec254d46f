// 000 example 4.6: angles of repose of a collapsed pile, five sets of friction, several seeds.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/entry.h"

namespace areia::verify {

namespace {

// Height of a cone with the volume of the source's prism, 1 m x 1 m x 0.7 m: V = pi h^3/(3 tan^2 theta). Grains that
// slide apart do not pack closer, so the heap has at least this volume; and it cannot be higher than the prism.
double cone_height(double slope) {
  constexpr double kPrism = 0.7;
  return std::cbrt(3 * kPrism * slope * slope / std::numbers::pi);
}

void pile(Sheet& s) {
  const auto& c = reference_case("000-4.6-angle-of-repose");
  const double mu[] = {0, 0.15, 0.25, 0.5, 1}, mu_r[] = {0, 0.05, 0.1, 0.45, 0.9};
  const double printed_slope[] = {0, 0.15, 0.26, 0.51, 0.89};
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"this program", {}, {}, Curve::Look::line},
      identity{"tan(theta) = mu", {0, 1}, {0, 1}, Curve::Look::line};
  const int seeds = s.seeds(3);
  const auto collapse = [&](int run, int seed, const char* rolling) {
    const Frame f =
        last_frame(s.large(case_text("pile"), {fmt::format("contacts.grain-grain.tangential.mu={}", mu[run]),
                                               fmt::format("contacts.grain-grain.rolling.mu={}", mu_r[run]),
                                               fmt::format("contacts.grain-grain.rolling.law=\"{}\"", rolling),
                                               fmt::format("numerics.seed={}", seed)}));
    return repose_angle(f, {"pile"}, {0, 0, 0}, {0, 1, 0});
  };
  for (int run = 0; run < 5; ++run) {
    Spread degrees, slope, height;
    for (int seed = 1; seed <= seeds; ++seed) {
      const ReposeAngle a = collapse(run, seed, "constant");
      degrees.add(a.degrees);
      slope.add(a.slope);
      height.add(a.height);
    }
    const std::string what = fmt::format("theta of run {} (deg), mu {}, mu_R {}", run + 1, mu[run], mu_r[run]);
    const double source_theta = c["expected"]["theta_deg"][run], tolerance = c["tolerance"]["abs_deg"];
    if (cone_height(printed_slope[run]) < 0.7)
      s.near(what, source_theta, degrees.mean(), tolerance, "statistical: tolerance of the reference case");
    else
      s.explained(
          what, source_theta, degrees.mean(), tolerance,
          fmt::format("the printed angle is not that of a heap of all the grains: as a cone of slope {} it "
                      "would be {:.2f} m high, more than the prism of 0.7 m before its walls went; a cone no "
                      "higher than 0.7 m has at most 35.6 degrees. Ours is a cone: by its slope {:.2f} m, "
                      "measured {:.2f} m",
                      printed_slope[run], cone_height(printed_slope[run]), cone_height(slope.mean()), height.mean()));
    s.remark(
        fmt::format("Run {}: theta {:.1f} deg, standard deviation {:.1f} over {} seeds; mean slope {:.3f}, height "
                    "{:.3f} m.",
                    run + 1, degrees.mean(), degrees.std(), seeds, slope.mean(), height.mean()));
    source.x.push_back(mu[run]);
    source.y.push_back(printed_slope[run]);
    ours.x.push_back(mu[run]);
    ours.y.push_back(slope.mean());
  }
  const ReposeAngle spring = collapse(4, 1, "epsd");
  s.remark(fmt::format(
      "Run 5 with rolling law epsd, which holds a torque at rest where constant creeps, seed 1: theta {:.1f} "
      "deg, height {:.3f} m. The law is not what keeps the printed angle away.",
      spring.degrees, spring.height));
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
