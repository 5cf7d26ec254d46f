// The schema of case files: every key, declared once. See field.h for the vocabulary.
#pragma once
#include "areia/case.h"
#include "io/schema/key.h"

namespace areia::io {

const Table<Material>& material_table();
const Table<ParticleSet>& particle_table();
const Table<Wall>& wall_table();
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

// A field that is only written back when the predicate holds.
template <class T, class Predicate>
Field<T> written_if(Predicate holds, Field<T> f) {
  f.write = [holds, write = std::move(f.write)](const T& t) { return holds(t) ? write(t) : std::string(); };
  return f;
}

}  // namespace areia::io
