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

// The columns that are wanted. Few of them are filled one after the other: there the compiler leaves out all that the
// others would need of a particle. Many are filled together, particle by particle.
template <class Source>
void fill_particles(FrameParticles& p, const FrameChoice& choice, const Vec3d& gravity, const Source& source) {
  constexpr int kFew = 4;
  using One = const ShownParticle&;
  const auto for_each_column = [&](const auto& f) {
    f(true, p.id, [](One s) { return s.id; });
    f(choice.x, p.x, [](One s) { return s.x; });
    f(choice.v, p.v, [](One s) { return s.v; });
    f(choice.w, p.w, [](One s) { return s.w; });
    f(choice.q, p.q, [](One s) { return s.q; });
    f(choice.force, p.force, [&](One s) { return (s.prescribed ? s.pushed : s.pushed + s.mass * gravity) + s.outer; });
    f(choice.torque, p.torque, [](One s) { return s.torque; });
    f(choice.radius, p.radius, [](One s) { return s.radius; });
    f(choice.mass, p.mass, [](One s) { return s.mass; });
    f(choice.charge, p.charge, [](One s) { return s.charge; });
    f(choice.material, p.material, [](One s) { return s.material; });
    f(choice.group, p.group, [](One s) { return s.group; });
    f(choice.prescribed, p.prescribed, [](One s) { return s.prescribed; });
  };
  p = {};
  const std::size_t n = source.particle_count();
  int wanted = 0;
  for_each_column([&](bool is_wanted, auto& column, const auto&) {
    if (is_wanted) column.resize(n), ++wanted;
  });
  if (wanted <= kFew) {
    for_each_column([&](bool is_wanted, auto& column, const auto& value) {
      for (std::size_t k = 0; is_wanted && k < n; ++k) column[k] = value(source.particle(k));
    });
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const ShownParticle s = source.particle(k);
    for_each_column([&](bool is_wanted, auto& column, const auto& value) {
      if (is_wanted) column[k] = value(s);
    });
  }
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
void fill_frame(Frame& f, FrameChoice choice, const World& world, const Source& source) {
  const WorldState& now = world.now();
  f.time = world.time();
  f.dt = world.dt();
  f.step = now.count.step;
  f.lost = now.count.lost;
  f.removed = now.count.removed;
  f.inserted = now.count.inserted;
  fill_names(f, world.scene());

  f.cell = frame_cell(world);

  if (choice.contacts) choice.coordination = true;
  if (choice.contacts || choice.walls) choice.x = choice.radius = true;
  fill_particles(f.particles, choice, now.gravity, source);
  FrameParticles& p = f.particles;

  const auto row = [&](std::int64_t id) { return std::lower_bound(p.id.begin(), p.id.end(), id) - p.id.begin(); };
  f.contacts.clear();
  ContactsInOrder contacts(f);
  if (choice.coordination) {
    p.coordination.resize(p.id.size());
    source.for_each_contact([&](const FrameContact& c) {
      const auto i = row(c.i);
      if (choice.contacts) contacts.announce(i);
      if (!(c.overlap > 0)) return;  // a bridge across a gap is no touching
      ++p.coordination[i];
      if (c.j >= 0) ++p.coordination[row(c.j)];
    });
  }
  if (choice.contacts) {
    contacts.open();
    source.for_each_contact([&](FrameContact c) {
      const auto i = row(c.i);
      c.point = p.x[i] + (p.radius[i] - (c.j >= 0 ? 0.5 : 1.0) * c.overlap) * c.n;
      contacts.put(i, c);
    });
    contacts.close();
  }

  f.walls.clear();
  if (choice.walls)
    f.walls = outline_walls(
        world.scene(), [&](std::size_t w) { return now.walls[w].pose; },
        [&](std::size_t w) { return now.walls[w].present; }, p);
  for (std::size_t w = 0; w < f.walls.size(); ++w) {
    f.walls[w].force = now.walls[w].sum.force;
    f.walls[w].torque = now.walls[w].sum.torque;
  }

  f.bonds.clear();
  f.breaks.clear();
  if (choice.bonds) {
    source.for_each_bond([&](const FrameBond& b) { f.bonds.push_back(b); });
    sort_bonds(f);
    f.breaks = source.breaks();
  }

  f.energy = {};
  if (choice.energy) {
    f.energy = source.stored_energy();
    LedgerSums sums = now.ledger;
    source.book_pending_work(sums);
    balance(f.energy, sums);
  }
}

}  // namespace areia
