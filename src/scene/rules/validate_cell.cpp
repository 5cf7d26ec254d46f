// Rules of domain.loading: which cells can deform, and what is refused by name in a case that deforms its cell.
#include <array>

#include "scene/case_facts.h"
#include "scene/rules/rules.h"

namespace areia {

namespace {

void refuse(Rules& r, const std::string& key, const std::string& value, const std::string& why) {
  r.add(key, value, "not with `domain.loading`: " + why);
}

void check_loads(Rules& r, const Domain& d) {
  r.unique("domain.loading", d.loading);
  for (const CellLoad& load : d.loading) {
    const std::string key = "domain.loading." + load.name;
    r.interval(key, load.when);
    if (!load.axes[0] && !load.axes[1] && !load.axes[2])
      r.add(key + ".axes", "[]", "must name at least one axis, as [\"z\"]");
    for (int a = 0; a < 3; ++a)
      if (load.axes[a] && !d.periodic[a])
        r.add(key + ".axes", fmt::format("\"{}\"", "xyz"[a]),
              "must be an axis of `domain.periodic`: the cell deforms between its periodic faces");
    if (load.control == CellLoad::Control::stress && load.stress == 0 && load.max_rate == 0)
      r.add(key + ".max_rate", "\"auto\"", "has no scale where the stress is 0: give a strain rate in 1/s");
  }
  for (int a = 0; a < 3; ++a)
    if (!d.periodic[a] && !(d.dimension == 2 && d.flat_axis == a))
      r.add("domain.periodic", "", fmt::format("must have {}: a cell that deforms is periodic all around", "xyz"[a]));
  if (d.dimension == 2 && d.disk_thickness == 0 && d.flat_axis >= 0 && d.flat_axis < 3 &&
      !(component(d.box.max - d.box.min, d.flat_axis) > 0))
    r.add("domain.box", "", "needs a thickness across the plane, or `disk_thickness`: stress is force over area");
}

// Packings that are left out stand as streams that begin after the end of the run.
bool brings_particles(const Case& c, const ParticleSet& s) {
  const auto* stream = std::get_if<Stream>(&s.source);
  double end = 0;
  for (const Stage& stage : c.stages) end += stage.duration;
  return stream && (!stream->when.start_stage.empty() || stream->when.start < std::max(end, 1e6));
}

void check_bodies(Rules& r, const Case& c) {
  for (const Wall& w : c.walls) refuse(r, "walls." + w.name, "", "walls do not deform with the cell");
  for (const ParticleSet& s : c.particles) {
    if (s.prescribed) refuse(r, "particles." + s.name + ".prescribed", "true", "every particle moves with the cell");
    if (brings_particles(c, s)) refuse(r, "particles." + s.name + ".stream", "", "particles are there from the start");
  }
  for (const ForceField& f : c.fields) refuse(r, "fields." + f.name, "", "a homogeneous cell has no field");
  if (!(c.fluid == Fluid{})) refuse(r, "fluid", "", "a fluid would have to deform with the cell");
  for (const DistanceForce& f : c.forces)
    refuse(r, "forces." + f.name, "", "their work and stress in a cell that deforms are not booked");
  for (const BondSet& b : c.bonds)
    refuse(r, "bonds." + b.name, "", "their work and stress in a cell that deforms are not booked");
  for (std::size_t k = 0; k < c.stages.size(); ++k)
    if (!c.stages[k].freeze_groups.empty())
      refuse(r, fmt::format("stages[{}].freeze", k + 1), c.stages[k].freeze_groups[0],
             "every particle moves with the cell");
}

// What looks at a part of space would have to say whether it deforms, too.
void check_measures(Rules& r, const Output& o) {
  for (const SolidFractionRegion& s : o.solid_fraction)
    refuse(r, "output.solid_fraction." + s.name, "", "the series `cell` has the solid fraction of the cell");
  for (const Measure& m : o.measure) {
    const std::string key = "output.measure." + m.name;
    const bool whole = m.region.kind == Region::Kind::all && !m.region.outside;
    if (m.kind == Measure::Kind::mass_flow) refuse(r, key, "", "planes do not deform with the cell");
    else if (!whole)
      refuse(r, key + ".region", "", "regions do not deform with the cell; the series `cell` has its stress");
  }
}

}  // namespace

void check_cell(Rules& r) {
  const Case& c = r.settings();
  if (!c.domain.deforms()) return;
  check_loads(r, c.domain);
  check_bodies(r, c);
  check_measures(r, c.output);
  if (c.numerics.collisions == Collisions::hard)
    refuse(r, "numerics.engine", "\"events\"", "hard spheres have no stress that a servo could hold");
  if (c.numerics.scheme != Scheme::drift_kick)
    refuse(r, "numerics.scheme", "", "the cell moves between drift and kick of `drift_kick`, the default");
}

}  // namespace areia
