// 000 example 4.5: a large grain rises in a shaken container when grains may rotate, and stays down when they may not.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "verify/entry.h"

namespace areia::verify {

namespace {

struct Rise {
  Curve height;           // of the large grain over the floor of the container, mean of each 0.5 s
  double top = 0;         // surface of the bed over the floor at the end, m
  double below = 0;       // share of the grains whose centre is below that of the large one, at the end
  double emerged = -1;    // time of shaking after which it keeps within 5 % of its last height, s
  double final_mean = 0;  // mean height over the last 2.5 s
};

Rise shake(const Sheet& s, bool rotation, int seed) {
  Simulation sim = s.large(case_text("segregation"), {fmt::format("particles.grains.inhibit_rotation={}", !rotation),
                                                      fmt::format("particles.intruder.inhibit_rotation={}", !rotation),
                                                      fmt::format("numerics.seed={}", seed)});
  Rise r;
  double sum = 0, samples = 0, last_sum = 0, last_samples = 0;
  while (!sim.finished()) {
    sim.advance(400, false);  // 10 ms
    if (sim.stage() != "shake") continue;
    const Frame f = sim.frame();
    const double t = f.time - 1;
    const auto group = [&](const char* name) {
      return static_cast<std::int32_t>(std::find(f.groups.begin(), f.groups.end(), name) - f.groups.begin());
    };
    const auto intruder = group("intruder"), grains = group("grains");
    const double floor = 0.02 * std::sin(30 * t);
    double y = 0, below = 0, count = 0;
    for (std::size_t k = 0; k < f.particles.id.size(); ++k)
      if (f.particles.group[k] == intruder) y = f.particles.x[k].y;
    std::vector<double> heights;
    for (std::size_t k = 0; k < f.particles.id.size(); ++k) {
      if (f.particles.group[k] != grains) continue;
      count += 1;
      below += f.particles.x[k].y < y;
      heights.push_back(f.particles.x[k].y - floor);
    }
    sum += y - floor;
    samples += 1;
    if (t > 22.5) {
      last_sum += y - floor;
      last_samples += 1;
    }
    if (samples == 50) {
      r.height.x.push_back(t - 0.25);
      r.height.y.push_back(sum / samples);
      sum = samples = 0;
    }
    r.below = below / count;
    const auto high = heights.begin() + static_cast<std::ptrdiff_t>(0.98 * count);
    std::nth_element(heights.begin(), high, heights.end());
    r.top = *high;
  }
  r.final_mean = last_samples > 0 ? last_sum / last_samples : 0;
  for (std::size_t k = 0; k < r.height.x.size(); ++k)
    if (std::fabs(r.height.y[k] - r.final_mean) > 0.05 * r.final_mean) r.emerged = r.height.x[k];
  return r;
}

struct Rises {
  Curve height;  // mean over the runs
  Spread top, below, emerged, final_mean;
};

Rises shake_several(const Sheet& s, bool rotation, int seeds) {
  Rises all;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Rise r = shake(s, rotation, seed);
    all.height.x = r.height.x;
    all.height.y.resize(r.height.y.size());
    for (std::size_t k = 0; k < r.height.y.size(); ++k) all.height.y[k] += r.height.y[k] / seeds;
    all.top.add(r.top);
    all.below.add(r.below);
    all.emerged.add(r.emerged);
    all.final_mean.add(r.final_mean);
  }
  all.height.label = rotation ? "rotation free" : "rotation inhibited";
  return all;
}

// Of 1000 disks, radius 0.01 m with a deviation of 0.001 m cut at two deviations (variance 0.774 of the uncut one).
double grains_area() { return 1000 * std::numbers::pi * (0.01 * 0.01 + 0.774 * 0.001 * 0.001); }

// No packing of disks whose radii have ratios of at least q fills more of the plane (Florian 1960).
double densest_disks(double q) {
  return (std::numbers::pi * q * q + 2 * (1 - q * q) * std::asin(q / (1 + q))) / (2 * q * std::sqrt(1 + 2 * q));
}

void segregation(Sheet& s) {
  const int seeds = s.seeds(5);
  const Rises free = shake_several(s, true, seeds), inhibited = shake_several(s, false, seeds);
  s.near("rotation free: share of grains below the large one at the end (1: on top)", 1, free.below.mean(), 0.15);
  s.near("rotation free: emerges after (s), about", 20, free.emerged.mean(), 4);
  s.explained(
      "rotation free: mean height on top (m)", 0.73, free.final_mean.mean(), 0.03,
      {"the grains do not fit below a surface at that height",
       {more("at 0.73 m they would fill {} of the container, more than the {} that disks of these sizes can fill",
             grains_area() / (0.4 * 0.73), densest_disks(0.008 / 0.012))}});
  s.near("rotation inhibited: share of grains below the large one at the end (0: on the bottom)", 0,
         inhibited.below.mean(), 0.15);
  for (const Rises* r : {&free, &inhibited})
    s.remark(
        fmt::format("{}, over {} seeds: the large grain ends at {:.3f} +- {:.3f} m, the surface of the bed at {:.3f} "
                    "+- {:.3f} m; share of grains below it {:.3f} +- {:.3f} (mean and deviation from seed to seed).",
                    r == &free ? "Rotation free" : "Rotation inhibited", seeds, r->final_mean.mean(),
                    r->final_mean.std(), r->top.mean(), r->top.std(), r->below.mean(), r->below.std()));
  s.remark(
      "Free choices: sides of the container 2 m high (the cloud does not fit below 1 m); motion of the container "
      "begins 1 s after the grains were let go; heights are over the floor of the container.");
  const Curve source{"source: emerged, on top", {20}, {0.73}, Curve::Look::points};
  s.plot({fmt::format("Rise of the large grain, mean of {} runs", seeds),
          "time of shaking (s)",
          "height over the floor (m)",
          {free.height, inhibited.height, source}});
}

}  // namespace

std::vector<Entry> segregation_entries() {
  return {
      {"000-4.5", "Segregation in a shaken container", "000 section 4.5, figures 13 to 15", {}, false, segregation}};
}

}  // namespace areia::verify
