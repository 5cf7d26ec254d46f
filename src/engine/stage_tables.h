// The tables of a case that stages may change (`set`): what contacts, fields, the fluid and forces at a distance are
// made of. A stage that changes any goes on with a new engine, made for the changed tables, which loads the state of
// the old one as it would load a checkpoint.
#pragma once
#include <vector>

#include "areia/archive.h"
#include "scene/scene.h"

namespace areia {

struct StageTables {
  std::vector<Material> materials;
  std::vector<ContactPair> contacts;
  std::vector<ForceField> fields;
  Fluid fluid;
  std::vector<DistanceForce> forces;

  explicit StageTables(const Case& c);
  // With what the first `stages` stages set.
  StageTables after(const std::vector<Stage>& all, std::size_t stages) const;
  void put_into(Case& c) const;
  void put_into(Scene& scene) const;
};

// The particles of a checkpoint, for an engine that is to load it.
SceneParticles particles_of(const Archive& archive, const Scene& scene);

// What was stored before the tables changed and what is afterwards, booked in the ledger of an engine's state.
void book_change(Archive& archive, const Scene& scene, const Energy& before, const Energy& after);

}  // namespace areia
