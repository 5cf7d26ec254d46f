// 000 example 4.6: angles of repose of a collapsed pile, five sets of friction, several seeds.
#include <fmt/format.h>

#include <cmath>

#include "verify/entry.h"

namespace areia::verify {

namespace {

void pile(Sheet& s) {
  const auto& c = reference_case("000-4.6-angle-of-repose");
  const double mu[] = {0, 0.15, 0.25, 0.5, 1}, mu_r[] = {0, 0.05, 0.1, 0.45, 0.9};
  const double printed_slope[] = {0, 0.15, 0.26, 0.51, 0.89};
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"this program", {}, {}, Curve::Look::line},
      identity{"tan(theta) = mu", {0, 1}, {0, 1}, Curve::Look::line};
  const int seeds = s.seeds(3);
  const auto collapse = [&](int run, int seed, const char* rolling, const std::vector<std::string>& more) {
    std::vector<std::string> set{fmt::format("contacts.grain-grain.tangential.mu={}", mu[run]),
                                 fmt::format("contacts.grain-grain.rolling.mu={}", mu_r[run]),
                                 fmt::format("contacts.grain-grain.rolling.law=\"{}\"", rolling),
                                 fmt::format("numerics.seed={}", seed)};
    set.insert(set.end(), more.begin(), more.end());
    const Frame f = last_frame(s.large(case_text("pile"), set));
    return repose_angle(f, {"pile"}, {0, 0, 0}, {0, 1, 0});
  };
  // What might make a heap steeper, one seed each: a rolling law that holds a torque at rest where `constant` creeps,
  // contacts that may pull as (2.55) has them, a shorter step.
  const auto attempts = [&](int run) {
    std::vector<Attempt> all;
    all.push_back({"rolling law epsd", collapse(run, 1, "epsd", {}).degrees});
    all.push_back(
        {"no clamp against tension",
         collapse(run, 1, "constant", {"contacts.grain-grain.normal={law=\"hertz\",xi=0.1,clamp=\"off\"}"}).degrees});
    all.push_back({"half the step", collapse(run, 1, "constant", {"numerics.dt=5e-5"}).degrees});
    return all;
  };
  for (int run = 0; run < 5; ++run) {
    Spread degrees, slope, height;
    for (int seed = 1; seed <= seeds; ++seed) {
      const ReposeAngle a = collapse(run, seed, "constant", {});
      degrees.add(a.degrees);
      slope.add(a.slope);
      height.add(a.height);
    }
    const std::string what = fmt::format("theta of run {} (deg), mu {}, mu_R {}", run + 1, mu[run], mu_r[run]);
    const double source_theta = c["expected"]["theta_deg"][run], tolerance = c["tolerance"]["abs_deg"];
    const bool agrees = std::fabs(source_theta - degrees.mean()) <= tolerance;
    s.attempted(what, source_theta, degrees.mean(), tolerance, agrees ? std::vector<Attempt>{} : attempts(run));
    s.remark(
        fmt::format("Run {}: theta {:.1f} deg, standard deviation {:.1f} over {} seeds; mean slope {:.3f}, height "
                    "{:.3f} m.",
                    run + 1, degrees.mean(), degrees.std(), seeds, slope.mean(), height.mean()));
    source.x.push_back(mu[run]);
    source.y.push_back(printed_slope[run]);
    ours.x.push_back(mu[run]);
    ours.y.push_back(slope.mean());
  }
  s.remark(
      "The tolerance is that of the reference case. From run 2 on ours is below the printed angle, by more than the "
      "deviation over the seeds: a difference of method, of which run 5 shows most. The source measures on the middle "
      "of the faces and does not say between which heights.");
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
