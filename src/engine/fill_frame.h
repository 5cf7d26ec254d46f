// A frame of the state of any engine: the one way from particles, contacts and bonds to what is shown.
#pragma once
#include <algorithm>

#include "engine/frame_parts.h"
#include "engine/wall_outline.h"
#include "engine/world.h"

namespace areia {

struct ShownParticle {
  std::int64_t id = 0;
  Vec3d x, v, w;
  Quat q{1, 0, 0, 0};
  Vec3d pushed, torque;  // of contacts and bonds
  Vec3d outer;           // fields, fluid, at a distance, and q v x B; without uniform gravity
  double radius = 0, mass = 0, charge = 0;
  std::int32_t material = 0, group = 0;
  bool prescribed = false;
};

inline FrameCell frame_cell(const World& world) {
  const Cell& cell = world.cell();
  if (!cell.deforms()) return {};
  const CellState& now = world.now().cell;
  const double volume = cell.volume();
  return {true,
          cell.periodicity().low,
          now.length,
          cell.first_length(),
          volume,
          now.rate,
          (1 / volume) * now.virial,
          (1 / volume) * now.kinetic};
}

// Source, an engine:
//   std::size_t particle_count()
//   ShownParticle particle(k)        the k-th by ascending id
//   for_each_contact(f)              f(FrameContact) for those of the last evaluation that was recorded, i the lower
//   id;
//                                    contacts of one particle with one patch in their order. `point` is set here
//   for_each_bond(f)                 f(FrameBond) in the order they were made
//   breaks()                         bonds that broke
//   stored_energy()                  of now
//   book_pending_work(LedgerSums&)   what the state shows already and the next evaluation books (bond_work.h)
template <class Source>
void fill_frame(Frame& f, const World& world, const Source& source) {
  const WorldState& now = world.now();
  f.time = world.time();
  f.dt = world.dt();
  f.step = now.count.step;
  f.lost = now.count.lost;
  f.removed = now.count.removed;
  f.inserted = now.count.inserted;
  fill_names(f, world.scene());

  f.cell = frame_cell(world);

  FrameParticles& p = f.particles;
  p = {};
  const std::size_t n = source.particle_count();
  resize(p, n);
  for (std::size_t k = 0; k < n; ++k) {
    const ShownParticle s = source.particle(k);
    p.id[k] = s.id;
    p.x[k] = s.x;
    p.v[k] = s.v;
    p.w[k] = s.w;
    p.q[k] = s.q;
    p.force[k] = (s.prescribed ? s.pushed : s.pushed + s.mass * now.gravity) + s.outer;
    p.torque[k] = s.torque;
    p.radius[k] = s.radius;
    p.mass[k] = s.mass;
    p.charge[k] = s.charge;
    p.material[k] = s.material;
    p.group[k] = s.group;
    p.prescribed[k] = s.prescribed;
  }

  const auto row = [&](std::int64_t id) { return std::lower_bound(p.id.begin(), p.id.end(), id) - p.id.begin(); };
  ContactsInOrder contacts(f);
  source.for_each_contact([&](const FrameContact& c) {
    const auto i = row(c.i);
    contacts.announce(i);
    if (!(c.overlap > 0)) return;  // a bridge across a gap is no touching
    ++p.coordination[i];
    if (c.j >= 0) ++p.coordination[row(c.j)];
  });
  contacts.open();
  source.for_each_contact([&](FrameContact c) {
    const auto i = row(c.i);
    c.point = p.x[i] + (p.radius[i] - (c.j >= 0 ? 0.5 : 1.0) * c.overlap) * c.n;
    contacts.put(i, c);
  });
  contacts.close();

  f.walls = outline_walls(
      world.scene(), [&](std::size_t w) { return now.walls[w].pose; },
      [&](std::size_t w) { return now.walls[w].present; }, p);
  for (std::size_t w = 0; w < f.walls.size(); ++w) {
    f.walls[w].force = now.walls[w].sum.force;
    f.walls[w].torque = now.walls[w].sum.torque;
  }

  f.bonds.clear();
  source.for_each_bond([&](const FrameBond& b) { f.bonds.push_back(b); });
  sort_bonds(f);
  f.breaks = source.breaks();

  f.energy = source.stored_energy();
  LedgerSums sums = now.ledger;
  source.book_pending_work(sums);
  balance(f.energy, sums);
}

}  // namespace areia
