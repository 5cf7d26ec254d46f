// Rules of [bonds.NAME].
#include <set>
#include <utility>

#include "scene/rules/rules.h"
#include "scene/rules/validate_bonds.h"

namespace areia {

namespace {

void check_pairs(Rules& r, const std::string& key, const BondSet& b) {
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  double listed = 0;
  bool counted = true;
  for (const ParticleSet& s : r.settings().particles) {
    const auto* list = std::get_if<std::vector<ListedParticle>>(&s.source);
    counted = counted && list;
    if (list) listed += static_cast<double>(list->size());
  }
  for (const auto& p : b.pairs) {
    const std::string text = fmt::format("[{}, {}]", p[0], p[1]);
    if (p[0] < 0 || p[1] < 0) r.add(key, text, "an id must not be negative");
    else if (p[0] == p[1]) r.add(key, text, "a particle cannot be bonded to itself");
    else if (counted && static_cast<double>(std::max(p[0], p[1])) >= listed)
      r.add(key, text, fmt::format("the case has {:.0f} particles, with ids from 0", listed));
    else if (!seen.insert(std::minmax(p[0], p[1])).second) r.add(key, text, "this pair is given twice");
  }
}

// A key that is given where it must not be.
void no(Rules& r, const std::string& key, bool given, const char* name, const std::string& why) {
  if (given) r.add(key + "." + name, "", why);
}

bool has_stress(const BondSet& b) {
  return b.tensile_stress < kForever || b.shear_stress < kForever || b.compressive_stress < kForever;
}

// Radius, springs and dampers.
void check_cement(Rules& r, const std::string& key, const BondSet& b) {
  const bool cement = b.radius > 0 || b.radius_factor > 0;
  no(r, key, b.radius > 0 && b.radius_factor > 0, "radius_factor", "give `radius` or `radius_factor`, not both");
  if (b.stiffness == 0 && b.young == 0)
    r.add(key + ".stiffness", "", "is missing: give the `stiffness` of an anchor, or `young` of the cement");
  no(r, key, b.stiffness != 0 && b.young != 0, "young", "give `stiffness` or `young`, not both");
  no(r, key, b.young > 0 && !cement, "young", "needs the area of the cement: give `radius` or `radius_factor`");
  no(r, key, has_stress(b) && !cement,
     b.tensile_stress < kForever ? "tensile_stress"
     : b.shear_stress < kForever ? "shear_stress"
                                 : "compressive_stress",
     "needs the area of the cement: give `radius` or `radius_factor`");
  if (b.anchors == 1)
    no(r, key, b.ring_radius != 0, "ring_radius", "needs `anchors` of 2 or more: one anchor is on the line of centres");
  else if (b.anchors > 1 && b.ring_radius == 0 && !cement)
    r.add(key + ".ring_radius", "", "is missing: several anchors lie on a ring in the contact plane");
  no(r, key, cement && b.young == 0 && !has_stress(b) && (b.anchors == 1 || b.ring_radius != 0),
     b.radius > 0 ? "radius" : "radius_factor", "is for `young`, for stresses, and for rings without `ring_radius`");
  no(r, key, b.shear_ratio != 1 && b.point == BondSet::Point::anchors, "point",
     "must be \"midpoint\" where springs differ along and across the line of centres (`shear_ratio`, `poisson`)");

  const bool critical = b.damping == BondSet::Damping::critical;
  no(r, key, critical && b.damper != 0, "damper", "`damping = \"critical\"` sets it; leave one of them out");
  no(r, key, b.damping_ratio != 0 && (critical || b.damper != 0), "damping_ratio",
     critical ? "give `damping = \"critical\"` or `damping_ratio`, not both"
              : "give `damper` or `damping_ratio`, not both");
}

void check_strength(Rules& r, const std::string& key, const BondSet& b) {
  struct Mode {
    const char *force_name, *stress_name;
    double force, stress;
  };
  const Mode modes[] = {{"tensile_strength", "tensile_stress", b.tensile_strength, b.tensile_stress},
                        {"shear_strength", "shear_stress", b.shear_strength, b.shear_stress},
                        {"compressive_strength", "compressive_stress", b.compressive_strength, b.compressive_stress}};
  bool any = b.strength < kForever;
  for (const Mode& m : modes) {
    any = any || m.force < kForever || m.stress < kForever;
    no(r, key, m.force < kForever && m.stress < kForever, m.stress_name,
       fmt::format("give `{}` or `{}`, not both", m.force_name, m.stress_name));
    no(r, key, b.strength < kForever && (m.force < kForever || m.stress < kForever),
       m.force < kForever ? m.force_name : m.stress_name,
       "`strength` is for forces of every direction; leave it out where they have strengths of their own");
  }
  no(r, key, b.weibull_modulus > 0 && !any, "weibull_modulus", "there is no strength to scatter");
}

void check_bond_set(Rules& r, const BondSet& b) {
  using Between = BondSet::Between;
  const std::string key = "bonds." + b.name;
  std::set<std::string> all;
  for (const ParticleSet& s : r.settings().particles) all.insert(s.group.empty() ? s.name : s.group);
  const std::vector<std::string> groups(all.begin(), all.end());
  const bool list = b.between == Between::list;

  const auto superfluous = [&](bool given, const char* name, const std::string& why) { no(r, key, given, name, why); };
  if (!b.group_a.empty()) r.known(key + ".group_a", b.group_a, groups, "group of particles");
  if (!b.group_b.empty()) r.known(key + ".group_b", b.group_b, groups, "group of particles");
  if (!b.wall.empty()) r.known(key + ".wall", b.wall, Rules::names(r.settings().walls), "wall");
  superfluous(!b.wall.empty() && !b.group_b.empty(), "group_b", "give `group_b` or `wall`, not both");
  superfluous(list && !b.group_a.empty(), "group_a", "a list names its particles; leave `group_a` out");
  superfluous(list && !b.group_b.empty() && b.wall.empty(), "group_b",
              "a list names its particles; leave `group_b` out");
  superfluous(list && !b.wall.empty(), "wall",
              "a list holds pairs of particles; for a wall use \"touching\" or \"near\"");

  superfluous(b.between != Between::touching && b.max_gap != 0, "max_gap", "is for `between = \"touching\"` only");
  if (b.between != Between::near) superfluous(b.max_distance != 0, "max_distance", "is for `between = \"near\"` only");
  else if (b.max_distance == 0) r.add(key + ".max_distance", "", "is missing: `between = \"near\"` needs it");
  if (!list) superfluous(!b.pairs.empty(), "pairs", "is for `between = \"list\"` only");
  else if (b.pairs.empty()) r.add(key + ".pairs", "", "is missing: `between = \"list\"` needs it");
  else check_pairs(r, key + ".pairs", b);

  check_cement(r, key, b);
  check_strength(r, key, b);
  if (!b.start_stage.empty()) r.known(key + ".start_stage", b.start_stage, Rules::names(r.settings().stages), "stage");
}

}  // namespace

void check_bonds(Rules& r) {
  r.unique("bonds", r.settings().bonds);
  for (const BondSet& b : r.settings().bonds) check_bond_set(r, b);
}

}  // namespace areia
