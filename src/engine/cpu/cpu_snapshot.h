// The state of the cpu backend as a physical checkpoint, and back (engine/snapshot.h). Lists are no part of it: they
// are made anew in between, and contacts are laid onto them.
#pragma once
#include "engine/cpu/chunks.h"
#include "engine/cpu/laws.h"
#include "engine/cpu/state.h"
#include "engine/snapshot.h"

namespace areia::cpu {

void keep_particles(const State& state, SnapshotParticles& to);
// With those whose books another rank keeps, or without them.
void keep_contacts(const State& state, const Scene& scene, const Chunks& chunks, const Laws& laws, SnapshotContacts& to,
                   bool of_copies = false);

void take_over_particles(const SnapshotParticles& from, State& state);
// Largest gap between surfaces of a contact in the present state, or 0: where bodies move after their forces are
// evaluated, some have come apart.
double widest_gap(const SnapshotContacts& from, const State& state, const World& world);
// Onto lists without contacts. Throws FileError where they do not fit the laws of the case.
void take_over_contacts(const SnapshotContacts& from, const State& state, const Scene& scene, Chunks& chunks,
                        const Laws& laws);

}  // namespace areia::cpu
