#include <fmt/format.h>
#include <xxhash.h>

#include "areia/simulation.h"

namespace areia {

std::string state_hash(const Frame& frame) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  // -0.0 and 0.0 are the same state: adding 0.0 turns the first into the second.
  auto real = [&](double a) {
    const double b = a + 0.0;
    XXH3_128bits_update(state, &b, sizeof b);
  };
  auto vector = [&](const Vec3d& a) {
    real(a.x);
    real(a.y);
    real(a.z);
  };
  auto integer = [&](std::int64_t a) { XXH3_128bits_update(state, &a, sizeof a); };
  auto turn = [&](const Quat& q) {
    for (double a : q) real(a);
  };
  real(frame.time);
  const FrameParticles& p = frame.particles;
  for (std::size_t i = 0; i < p.id.size(); ++i) {
    integer(p.id[i]);
    vector(p.x[i]);
    vector(p.v[i]);
    vector(p.w[i]);
    turn(p.q[i]);
  }
  for (const FrameContact& c : frame.contacts) {
    integer(c.i);
    integer(c.j);
    integer(c.wall);
    integer(c.patch);
    real(c.overlap);
    real(c.normal);
    vector(c.elongation);
  }
  for (const FrameWall& w : frame.walls) {
    integer(w.present);
    vector(w.origin);
    vector(w.velocity);
    turn(w.turn);
  }
  for (const FrameBond& b : frame.bonds) {
    integer(b.i);
    integer(b.j);
    integer(b.wall);
    integer(b.set);
    vector(b.at_i);
    vector(b.at_j);
  }
  for (const FrameBreak& b : frame.breaks) {
    real(b.time);
    integer(b.i);
    integer(b.j);
    integer(b.wall);
    integer(b.set);
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace areia
