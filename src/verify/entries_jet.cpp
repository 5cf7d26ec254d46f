// 000 example 4.8: a jet of sticky particles. The printed data collapse; a variant that can stand is run in their
// place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

struct Layer {
  double share = 0, thickness = 0, length = 0;  // %, cm, cm
};

// What hangs together with the plate, contact by contact. Thickness is twice the mean distance of centres from the
// plate, length that between the first and the last hundredth.
Layer layer_of(const Frame& f) {
  const FrameParticles& p = f.particles;
  std::vector<char> stuck(p.id.size(), 0);
  const auto index = [&](std::int64_t id) { return std::lower_bound(p.id.begin(), p.id.end(), id) - p.id.begin(); };
  for (bool more = true; more;) {
    more = false;
    for (const FrameContact& c : f.contacts) {
      const auto i = index(c.i);
      const bool i_stuck = stuck[i], j_stuck = c.j < 0 || stuck[index(c.j)];
      if (i_stuck == j_stuck) continue;
      stuck[i] = 1;
      if (c.j >= 0) stuck[index(c.j)] = 1;
      more = true;
    }
  }
  double sum = 0;
  std::vector<double> y;
  for (std::size_t i = 0; i < p.id.size(); ++i) {
    if (!stuck[i]) continue;
    sum -= p.x[i].x;
    y.push_back(p.x[i].y);
  }
  std::sort(y.begin(), y.end());
  const double count = static_cast<double>(y.size());
  return {100 * count / static_cast<double>(p.id.size()), count > 0 ? 200 * sum / count : 0,
          y.size() > 50 ? 100 * (y[y.size() - 1 - y.size() / 100] - y[y.size() / 100]) : 0};
}

void jet(Sheet& s) {
  // E* = E/(2(1-nu^2)), r* = r/2, S = 2r: adhesion k eps^(3/2) against Hertz K delta^(3/2)
  const double r = 0.002, hertz = 4.0 / 3 * 1e7 / (2 * (1 - 0.0625)) * std::sqrt(r / 2), size = std::pow(2 * r, 1.5);
  s.near("printed data: adhesion over Hertz force, any overlap", 17.6, 1000 / (hertz * size), 0.05,
         "k_ad/(K S^(3/2)) with k_ad = 1000 N: every contact is pulled together without end");
  double refused = 0;
  try {
    s.large(case_text("jet"), {"contacts.grain-grain.adhesion={law=\"strain\",k=1000,beta=1.5}"});
  } catch (const InputError&) { refused = 1; }
  s.near("printed data: refused (1: yes)", 1, refused, 0);

  const auto run = [&](double speed, double k, double beta) {
    return layer_of(last_frame(s.large(
        case_text("jet"), {fmt::format("particles.jet.velocity=[{}, 5, 0]", speed),
                           fmt::format("contacts.grain-grain.adhesion={{law=\"strain\",k={},beta={}}}", k, beta)})));
  };
  struct Variant {
    std::string what;
    double k, beta;
  };
  const std::vector<Variant> variants{
      {"k_ad = 1000 per overlap to the power 3/2 rather than strain, 0.0044 of the Hertz force", 1000 * size, 1.5},
      {"beta = 3/2 with k = 25 N, 0.44 of the Hertz force between mean grains, 0.9 between the smallest", 25, 1.5},
      {"beta = 1 with k = 9 N, 0.98 of the Hertz force between the smallest at a strain of 0.1", 9, 1}};
  const double speeds[] = {1, 5, 10, 20}, thickness[] = {0, 0.9, 1.4, 1.6}, length[] = {0, 34, 18, 13};
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"this program, variant", {}, {}};
  for (int k = 0; k < 4; ++k) {
    const Layer l = run(speeds[k], 5, 1);
    std::vector<Attempt> shares, thick, lengths;
    for (const Variant& v : variants) {
      const Layer other = run(speeds[k], v.k, v.beta);
      shares.push_back({v.what, other.share});
      thick.push_back({v.what, other.thickness});
      lengths.push_back({v.what, other.length});
    }
    s.remark(fmt::format(
        "v_x = {} m/s: {:.0f} % adhere at 1 s; thickness {:.2f} cm, length {:.1f} cm (between the first and "
        "the last hundredth).",
        speeds[k], l.share, l.thickness, l.length));
    s.attempted(fmt::format("v_x {} m/s: share that adheres (%)", speeds[k]), k == 0 ? 0 : 100, l.share, 5, shares);
    if (k == 0) continue;
    s.attempted(fmt::format("v_x {} m/s: thickness (cm)", speeds[k]), thickness[k], l.thickness, 0.1, thick);
    s.attempted(fmt::format("v_x {} m/s: length (cm)", speeds[k]), length[k], l.length, 1, lengths);
    source.x.push_back(speeds[k]);
    source.y.push_back(length[k]);
    ours.x.push_back(speeds[k]);
    ours.y.push_back(l.length);
  }
  s.remark(
      "Errata E19, E24, E25: k_ad, beta, dt and the packing of the source cannot be used as printed, and how much its "
      "grains stick is not known. Ours has k = 5 N, beta = 1, dt = 1e-5 s and a prism 24 cm long.");
  s.plot({"Jet on a plate", "jet velocity (m/s)", "length of the layer (cm)", {source, ours}});
}

}  // namespace

std::vector<Entry> jet_entries() {
  return {{"000-4.8", "Jet of sticky particles on a plate", "000 section 4.8, Table 6", {}, false, jet}};
}

}  // namespace areia::verify
