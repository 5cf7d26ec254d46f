// The schema of case files: every key, declared once. See key.h for the vocabulary.
#pragma once
#include "areia/case.h"
#include "io/schema/key.h"

namespace areia::io {

const Table<Start>& start_table();
const Table<Material>& material_table();
const Table<ParticleSet>& particle_table();
const Table<Wall>& wall_table();
const Table<Loading>& loading_table();
const Table<ForceField>& field_table();
const Table<BondSet>& bond_table();
const Table<Fluid>& fluid_table();
const Table<DistanceForce>& force_table();
const Table<Stage>& stage_table();
const Table<Domain>& domain_table();
const Table<Numerics>& numerics_table();
const Table<Measure>& measure_table();
const Table<Output>& output_table();
const Table<Case>& case_table();  // the whole file

// Keys of a contact table beside the slots of the laws.
const std::vector<KeyInfo>& contact_keys();

// A key that is only looked at, and written back, when the predicate holds.
template <class T, class Predicate>
Key<T> written_if(Predicate holds, Key<T> f) {
  f.write = [holds, write = std::move(f.write)](const T& t) { return holds(t) ? write(t) : std::string(); };
  if (f.check)
    f.check = [holds, check = std::move(f.check)](const T& t, Rules& r, const std::string& path) {
      if (holds(t)) check(t, r, path);
    };
  return f;
}

}  // namespace areia::io
