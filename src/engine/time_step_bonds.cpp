#include "engine/time_step_bonds.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "packing/make_bonds.h"

namespace areia {

namespace {

// What the anchors of one particle add up to in its fastest motion.
struct AnchorSum {
  double stiffness = 0, damper = 0;

  void add(const BondLaw& law, double times) {
    stiffness += times * fastest_of(law.k, law.k_across);
    damper += times * fastest_of(law.c, law.c_across);
  }
};

class Limit {
 public:
  explicit Limit(const Scene& scene) : scene_(scene), p_(scene.particles), sum_(p_.size()) {}

  BondLimit run() {
    if (scene_.settings.bonds.empty()) return out_;
    const BondableBodies bodies = bodies_at_start(scene_);
    std::string last;  // of the sets that the sums hold
    for (std::size_t s = 0; s < scene_.settings.bonds.size(); ++s) {
      const BondSet& set = scene_.settings.bonds[s];
      if (set.start_stage.empty()) {
        made(s, bodies);
        last = set.name;
      } else {
        expected(set);
      }
    }
    for (std::size_t i = 0; i < p_.size(); ++i)
      if (!p_.prescribed[i]) hold(sum_[i], 1 / p_.mass[i], last);
    return out_;
  }

 private:
  // An anchor at a wall moves one end only.
  void made(std::size_t s, const BondableBodies& bodies) {
    const BondSet& set = scene_.settings.bonds[s];
    for (const Bond& b : make_bonds(scene_, s, bodies)) {
      consider_pair(b.law, bodies.inv_m[b.i] + (b.j >= 0 ? bodies.inv_m[b.j] : 0), set);
      sum_[b.i].add(b.law, b.j >= 0 ? 1.0 : 0.5);
      sum_[b.j >= 0 ? b.j : b.i].add(b.law, b.j >= 0 ? 1.0 : 0.5);
    }
  }

  // Bonds that a stage makes later are not known yet: their lightest particle stands for them, with partners of its own
  // kind, in touch, as many as in a cubic lattice.
  void expected(const BondSet& set) {
    constexpr double kPartners = 6;
    double largest = 0, radius = kForever;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      const std::string& group = scene_.groups[p_.group[i]];
      const bool member = set.group_a.empty() || group == set.group_a || (!set.group_b.empty() && group == set.group_b);
      if (!member && set.between != BondSet::Between::list) continue;
      largest = std::max(largest, 1 / p_.mass[i]);
      radius = std::min(radius, p_.radius[i]);
    }
    if (!(largest > 0)) return;
    const bool wall = !set.wall.empty();
    const JointSize joint{radius, wall ? radius : 2 * radius, wall ? largest : 2 * largest};
    const BondLaw law = law_of(set, joint);
    consider_pair(law, joint.inv_m_star, set);
    AnchorSum sum;
    sum.add(law, kPartners * set.anchors);
    hold(sum, largest, set.name);
  }

  void consider_pair(const BondLaw& law, double inv_m_star, const BondSet& set) {
    const double period = bond_period(law, inv_m_star, set.anchors);
    if (!(period < out_.period)) return;
    out_.period = period;
    out_.period_set = set.name;
  }

  // With many partners a particle is stiffer, and dampers add up; by Gershgorin's theorem no mode of the bonded bodies
  // is faster than 2 (sum over the bonds of a particle)/m.
  void hold(const AnchorSum& sum, double inv_m, const std::string& name) {
    if (!(sum.stiffness > 0)) return;
    const double stable = stable_step(2 * inv_m * sum.stiffness, 2 * inv_m * sum.damper);
    if (!(stable < out_.stable)) return;
    out_.stable = stable;
    out_.undamped = stable_step(2 * inv_m * sum.stiffness, 0);
    out_.stable_set = name;
  }

  const Scene& scene_;
  const SceneParticles& p_;
  std::vector<AnchorSum> sum_;
  BondLimit out_;
};

}  // namespace

BondLimit bond_limit(const Scene& scene) { return Limit(scene).run(); }

double BondLimit::dt() const { return std::min(period / 10, stable / 2); }

std::string BondLimit::reason() const {
  if (period / 10 <= stable / 2)
    return fmt::format("1/10 of the shortest period of a bonded pair, {:.4g} s (bonds.{})", period, period_set);
  return fmt::format("1/2 of the largest stable step of a particle with all its bonds, {:.4g} s (bonds.{}){}", stable,
                     stable_set, cost_of_dampers());
}

std::string BondLimit::cost_of_dampers() const {
  if (!(undamped > 1.1 * stable)) return "";
  const double without = std::min(period / 10, undamped / 2);
  return fmt::format("; without dampers of bonds the step were {:.3g} times as long, {:.4g} s", without / dt(),
                     without);
}

}  // namespace areia
