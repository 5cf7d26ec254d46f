#include "areia/simulation.h"
#include "core/digest.h"

namespace areia {

std::string state_hash(const Frame& frame) {
  Digest digest;
  auto real = [&](double a) { digest.real(a); };
  auto vector = [&](const Vec3d& a) { digest.vector(a); };
  auto integer = [&](std::int64_t a) { digest.integer(a); };
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
  if (frame.cell.deforms) {
    vector(frame.cell.length);
    vector(frame.cell.strain_rate);
  }
  if (frame.gravity_set) vector(frame.gravity);
  return digest.text();
}

}  // namespace areia
