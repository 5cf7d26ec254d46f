// 000 example 4.8: a jet of sticky particles. The printed data collapse; a variant that can stand is run in their
// place.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "verify/entry.h"

namespace areia::verify {

namespace {

void jet(Sheet& s) {
  // E* = E/(2(1-nu^2)), r* = r/2, S = 2r: adhesion k eps^(3/2) against Hertz K delta^(3/2)
  const double r = 0.002, hertz = 4.0 / 3 * 1e7 / (2 * (1 - 0.0625)) * std::sqrt(r / 2);
  s.near("printed data: adhesion over Hertz force, any overlap", 17.6, 1000 / (hertz * std::pow(2 * r, 1.5)), 0.05,
         "k_ad/(K S^(3/2)) with k_ad = 1000 N: every contact is pulled together without end");
  double refused = 0;
  try {
    s.large(case_text("jet"), {"contacts.grain-grain.adhesion={law=\"strain\",k=1000,beta=1.5}"});
  } catch (const InputError&) { refused = 1; }
  s.near("printed data: refused (1: yes)", 1, refused, 0);

  const double speeds[] = {1, 5, 10, 20}, thickness[] = {0, 0.9, 1.4, 1.6}, length[] = {0, 34, 18, 13};
  const std::string reason =
      "errata E19, E24, E25: k_ad, beta, dt and the packing of the source cannot be used as printed; run with k = 5 N, "
      "beta = 1, dt = 1e-5 s and a prism 24 cm long; thickness is twice the mean distance of centres from the plate";
  Curve source{"source", {}, {}, Curve::Look::points}, ours{"this program, variant", {}, {}};
  for (int k = 0; k < 4; ++k) {
    const Frame f =
        last_frame(s.large(case_text("jet"), {fmt::format("particles.jet.velocity=[{}, 5, 0]", speeds[k])}));
    // the layer: what hangs together with the plate, contact by contact
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
    double count = 0, sum = 0;
    std::vector<double> y;
    for (std::size_t i = 0; i < p.id.size(); ++i) {
      if (!stuck[i]) continue;
      count += 1;
      sum -= p.x[i].x;
      y.push_back(p.x[i].y);
    }
    std::sort(y.begin(), y.end());
    const double share = 100 * count / static_cast<double>(p.id.size());
    const double thick = count > 0 ? 200 * sum / count : 0;
    const double length_cm = y.size() > 50 ? 100 * (y[y.size() - 1 - y.size() / 100] - y[y.size() / 100]) : 0;
    s.remark(fmt::format(
        "v_x = {} m/s: {:.0f} % adhere at 1 s; thickness {:.2f} cm, length {:.1f} cm (between the first and "
        "the last hundredth).",
        speeds[k], share, thick, length_cm));
    s.explained(fmt::format("v_x {} m/s: share that adheres (%)", speeds[k]), k == 0 ? 0 : 100, share, 5, reason);
    if (k == 0) continue;
    s.explained(fmt::format("v_x {} m/s: thickness (cm)", speeds[k]), thickness[k], thick, 0.1, reason);
    s.explained(fmt::format("v_x {} m/s: length (cm)", speeds[k]), length[k], length_cm, 1, reason);
    source.x.push_back(speeds[k]);
    source.y.push_back(length[k]);
    ours.x.push_back(speeds[k]);
    ours.y.push_back(length_cm);
  }
  s.plot({"Jet on a plate", "jet velocity (m/s)", "length of the layer (cm)", {source, ours}});
}

}  // namespace

std::vector<Entry> jet_entries() {
  return {{"000-4.8", "Jet of sticky particles on a plate", "000 section 4.8, Table 6", {}, false, jet}};
}

}  // namespace areia::verify
