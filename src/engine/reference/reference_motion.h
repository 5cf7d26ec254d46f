// What moves in the reference backend: free particles by the scheme, prescribed ones by their sets.
#pragma once
#include "engine/reference/reference_forces.h"

namespace areia::reference {

// Prescribed particles where they are at time t.
void place_prescribed(World& world, State& state, double t);

// Gravity of time t, with the change of the potential.
void switch_gravity(World& world, const State& state, double t);

// Of a cell that deforms (engine/cell.h).
Vec3d sum_kinetic(const World& world, const State& state);

// Stops the run if a particle is in trouble.
void check(const World& world, const State& state, std::int64_t failed);

// One explicit step; with `record` its contacts are kept for frames.
void take_step(World& world, State& state, Forces& forces, Bodies& bodies, bool record);

}  // namespace areia::reference
