#include "engine/stage_tables.h"

#include <algorithm>

#include "areia/case_file.h"
#include "engine/ledger.h"
#include "engine/snapshot.h"

namespace areia {

StageTables::StageTables(const Case& c)
    : materials(c.materials), contacts(c.contacts), fields(c.fields), fluid(c.fluid), forces(c.forces) {}

StageTables StageTables::after(const std::vector<Stage>& all, std::size_t stages) const {
  Case c;
  put_into(c);
  for (std::size_t k = 0; k < std::min(stages, all.size()); ++k) c = with_settings(std::move(c), all[k].set);
  return StageTables(c);
}

void StageTables::put_into(Case& c) const {
  c.materials = materials;
  c.contacts = contacts;
  c.fields = fields;
  c.fluid = fluid;
  c.forces = forces;
}

void StageTables::put_into(Scene& scene) const {
  scene.materials = materials;
  put_into(scene.settings);
}

SceneParticles particles_of(const Archive& archive, const Scene& scene) {
  const Snapshot snapshot = read_snapshot(archive, scene);
  const SnapshotParticles& from = snapshot.particles;
  const std::size_t n = from.size();
  SceneParticles p;
  p.x = from.x;
  p.v = from.v;
  p.w = from.w;
  p.q = from.q;
  p.radius = from.radius;
  p.mass = from.mass;
  p.charge = from.charge.empty() ? std::vector<double>(n, 0) : from.charge;
  p.material = from.material;
  p.group = from.group;
  p.set = from.set;
  p.prescribed = from.prescribed.empty() ? std::vector<std::uint8_t>(n, 0) : from.prescribed;
  for (const double inv_j : from.inv_j) {
    p.turns.push_back(inv_j > 0);
    p.inertia.push_back(inv_j > 0 ? 1 / inv_j : 1);
  }
  return p;
}

void book_change(Archive& archive, const Scene& scene, const Energy& before, const Energy& after) {
  Snapshot snapshot = read_snapshot(archive, scene);
  book_change(snapshot.world.ledger, before, after);
  archive = {};
  write(std::move(snapshot), archive);
}

}  // namespace areia
