// Rules of fields, fluid and forces at a distance.
#include "scene/rules/validate_fields.h"

#include <set>

#include "physics/distance_force.h"

namespace areia {

void check_fields(Rules& r) {
  for (const ForceField& f : r.settings().fields) {
    const std::string key = "fields." + f.name;
    r.region(key + ".region", f.region);
    r.interval(key, f);
  }
}

void check_fluid(Rules& r) {
  const Fluid& f = r.settings().fluid;
  const auto needs = [&](const char* key, double v, const char* rule) {
    if (v == 0) r.add(key, "", rule);
  };
  switch (f.drag) {
    case Fluid::Drag::none:
      break;
    case Fluid::Drag::chow:
      needs("fluid.density", f.density, "is missing: drag = \"chow\" needs it");
      needs("fluid.viscosity", f.viscosity, "is missing: drag = \"chow\" needs it");
      break;
    case Fluid::Drag::schiller_naumann:
      needs("fluid.density", f.density, "is missing: drag = \"schiller_naumann\" needs it");
      needs("fluid.viscosity", f.viscosity, "is missing: drag = \"schiller_naumann\" needs it");
      break;
    case Fluid::Drag::linear:
      needs("fluid.coefficient", f.coefficient, "is missing: drag = \"linear\" needs it, in kg/s");
      break;
    case Fluid::Drag::stokes:
      if (f.coefficient == 0) needs("fluid.viscosity", f.viscosity, "is missing: drag = \"stokes\" needs it");
      break;
  }
  if (f.buoyancy) needs("fluid.density", f.density, "is missing: buoyancy needs it");
  r.unique("fluid.flows", f.flows);
  for (const Flow& w : f.flows) {
    const std::string key = "fluid.flows." + w.name;
    r.region(key + ".region", w.region);
    r.interval(key, w);
  }
}

void check_forces(Rules& r) {
  const Case& c = r.settings();
  r.unique("forces", c.forces);
  std::set<std::string> groups;
  for (const ParticleSet& s : c.particles) groups.insert(s.group.empty() ? s.name : s.group);
  const std::vector<std::string> group_names(groups.begin(), groups.end());
  for (const DistanceForce& f : c.forces) {
    const std::string key = "forces." + f.name;
    if (f.group_a.empty() != f.group_b.empty()) r.add(key + ".between", "", "must be two groups or none");
    for (const std::string& g : {f.group_a, f.group_b})
      if (!g.empty()) r.known(key + ".between", g, group_names, "group of particles");
    for (const std::string& w : f.walls) r.known(key + ".walls", w, Rules::names(c.walls), "wall");
    if (f.shift && !(f.cutoff < kForever)) r.add(key + ".shift", "true", "needs a `cutoff`");
    switch (f.law) {
      case DistanceForce::Law::power:
        if (f.k_at == 0 && f.k_rep == 0) r.add(key, "", "needs `k_at` or `k_rep`");
        break;
      case DistanceForce::Law::lennard_jones:
        r.rule(f.depth != 0, key + ".depth", f.depth, "must be positive");
        r.rule(f.size != 0, key + ".size", f.size, "must be positive");
        break;
      case DistanceForce::Law::coulomb:
        if (!f.walls.empty()) r.add(key + ".walls", "", "walls carry no charge; Coulomb's law needs one");
        break;
    }
    const bool power = f.law == DistanceForce::Law::power, lj = f.law == DistanceForce::Law::lennard_jones,
               coulomb = f.law == DistanceForce::Law::coulomb;
    const auto only = [&](const char* name, double value, double preset, bool fits, const char* law) {
      if (!fits && value != preset)
        r.add(key + "." + name, fmt::format("{}", value), fmt::format("belongs to law = \"{}\"", law));
    };
    only("k_at", f.k_at, 0, power, "power");
    only("a_at", f.a_at, 0, power, "power");
    only("k_rep", f.k_rep, 0, power, "power");
    only("a_rep", f.a_rep, 0, power, "power");
    only("depth", f.depth, 0, lj, "lennard_jones");
    only("size", f.size, 0, lj, "lennard_jones");
    only("permittivity", f.permittivity, DistanceForce{}.permittivity, coulomb, "coulomb");

    const Vec3d length = c.domain.box.max - c.domain.box.min;
    const double lengths[] = {length.x, length.y, length.z};
    for (int a = 0; a < 3; ++a) {
      if (!c.domain.periodic[a]) continue;
      if (!(f.cutoff < kForever)) r.add(key + ".cutoff", "", "is missing: in a periodic box a force needs a cut-off");
      else
        r.rule(f.cutoff <= 0.5 * lengths[a], key + ".cutoff", f.cutoff,
               "must not exceed half the length of the periodic box");
    }
  }
}

}  // namespace areia
