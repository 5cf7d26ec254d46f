#include "engine/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <type_traits>

#include "areia/error.h"

namespace areia {

namespace {

static_assert(std::is_trivially_copyable_v<Pose> && sizeof(Pose) % sizeof(double) == 0);

[[noreturn]] void refuse(const std::string& why) {
  throw FileError("the checkpoint does not belong to this case: " + why);
}

// ---- columns ----

// Every column of particles and contacts with its name, for reading and writing alike: f(name, column, optional).
template <class Particles, class F>
void for_each_column_of_particles(Particles& p, F&& f) {
  f("particles/id", p.id, false);
  f("particles/x", p.x, false);
  f("particles/v", p.v, false);
  f("particles/w", p.w, false);
  f("particles/q", p.q, false);
  f("particles/radius", p.radius, false);
  f("particles/mass", p.mass, false);
  f("particles/inv_j", p.inv_j, false);
  f("particles/charge", p.charge, true);
  f("particles/material", p.material, false);
  f("particles/group", p.group, false);
  f("particles/set", p.set, false);
  f("particles/prescribed", p.prescribed, true);
  f("particles/placed_x", p.placed_x, true);
  f("particles/placed_q", p.placed_q, true);
  f("particles/old_acceleration", p.old_acceleration, true);
  f("particles/old_turning", p.old_turning, true);
  f("particles/force", p.force, false);
  f("particles/torque", p.torque, false);
  f("particles/field", p.field, true);
  f("particles/drag", p.drag, true);
  f("particles/distant", p.distant, true);
  f("particles/contacts", p.contacts, false);
  f("particles/friction", p.friction, true);
  f("particles/bond_torque", p.bond_torque, true);
}

template <class Contacts, class F>
void for_each_column_of_contacts(Contacts& c, F&& f) {
  f("contacts/i", c.i, false);
  f("contacts/j", c.j, false);
  f("contacts/wall", c.wall, false);
  f("contacts/patch", c.patch, false);
  f("contacts/k", c.k, false);
  f("contacts/numbers", c.numbers, false);
}

template <class T>
void put(Archive& a, const std::string& name, const std::vector<T>& column) {
  if constexpr (std::is_integral_v<T>) {
    a.integer[name].assign(column.begin(), column.end());
  } else {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(double) == 0);
    std::vector<double>& to = a.real[name];
    to.resize(column.size() * sizeof(T) / sizeof(double));
    if (!column.empty()) std::memcpy(to.data(), column.data(), to.size() * sizeof(double));
  }
}

// Optional columns in which nothing stands are none.
void leave_out_nothing(SnapshotParticles& p) {
  for_each_column_of_particles(p, [](const char*, auto& column, bool optional) {
    using T = typename std::remove_cvref_t<decltype(column)>::value_type;
    if (optional && std::all_of(column.begin(), column.end(), [](const T& one) { return one == T{}; })) column = {};
  });
  if (p.prescribed.empty()) {
    p.placed_x = {};
    p.placed_q = {};
  } else if (p.placed_x.empty()) {
    p.placed_x.resize(p.size());
  }
}

template <class Map>
const auto& array_of(const Map& map, const std::string& name) {
  const auto at = map.find(name);
  if (at == map.end()) throw FileError("the checkpoint lacks the array '" + name + "'");
  return at->second;
}

template <class T>
void get(const Archive& a, const std::string& name, std::vector<T>& column) {
  if constexpr (std::is_integral_v<T>) {
    column.clear();
    for (const std::int64_t number : array_of(a.integer, name)) {
      if (number != static_cast<std::int64_t>(static_cast<T>(number)))
        refuse(fmt::format("{} is no value of '{}'", number, name));
      column.push_back(static_cast<T>(number));
    }
  } else {
    const std::vector<double>& from = array_of(a.real, name);
    constexpr std::size_t kNumbers = sizeof(T) / sizeof(double);  // NOLINT(bugprone-sizeof-expression)
    if (from.size() % kNumbers != 0) refuse(fmt::format("'{}' has {} numbers", name, from.size()));
    column.resize(from.size() / kNumbers);
    if (!from.empty()) std::memcpy(static_cast<void*>(column.data()), from.data(), from.size() * sizeof(double));
  }
}

// A struct of numbers as an array.
template <class T>
T get_one(const Archive& a, const std::string& name) {
  std::vector<T> one;
  get(a, name, one);
  if (one.size() != 1) refuse(fmt::format("'{}' has not the length it should have", name));
  return one[0];
}

// ---- bonds ----

// What a bond is made of besides its ends, as numbers.
struct BondNumbers {
  Vec3d a_i, a_j, axis, anchor_i, anchor_j, force;
  BondForce last;
  BondLaw law;
  BondStrength strength;
  double energy;
};
struct BreakNumbers {
  double time;
  Vec3d point;
  double force, normal, shear;
};
using Ends = std::array<std::int64_t, 4>;  // i, j, wall, set

std::vector<std::int64_t> flat(const std::vector<Ends>& ends) {
  std::vector<std::int64_t> all;
  for (const Ends& e : ends) all.insert(all.end(), e.begin(), e.end());
  return all;
}

void put_bonds(Archive& a, const SnapshotBonds& bonds) {
  std::vector<Ends> ends, broken;
  std::vector<BondNumbers> numbers;
  std::vector<BreakNumbers> breaks;
  std::vector<std::uint8_t> modes;
  for (std::size_t k = 0; k < bonds.all.size(); ++k) {
    const Bond& b = bonds.all[k];
    ends.push_back({b.i, b.j, b.wall, b.set});
    numbers.push_back({b.a_i, b.a_j, b.axis, b.last.anchor_i, b.last.anchor_j, bonds.force[k], b.last.force, b.law,
                       b.strength, b.last.energy});
  }
  for (const FrameBreak& b : bonds.breaks) {
    broken.push_back({b.i, b.j, b.wall, b.set});
    breaks.push_back({b.time, b.point, b.force, b.normal, b.shear});
    modes.push_back(static_cast<std::uint8_t>(b.mode));
  }
  a.integer["bonds/ends"] = flat(ends);
  a.integer["bonds/broken_ends"] = flat(broken);
  put(a, "bonds/numbers", numbers);
  put(a, "bonds/breaks", breaks);
  put(a, "bonds/modes", modes);
}

std::vector<Ends> get_ends(const Archive& a, const std::string& name, std::size_t count) {
  const std::vector<std::int64_t>& all = array_of(a.integer, name);
  if (all.size() != 4 * count) refuse(fmt::format("'{}' has {} numbers for {} bonds", name, all.size(), count));
  std::vector<Ends> ends(count);
  for (std::size_t k = 0; k < all.size(); ++k) ends[k / 4][k % 4] = all[k];
  return ends;
}

void get_bonds(const Archive& a, SnapshotBonds& bonds) {
  std::vector<BondNumbers> numbers;
  std::vector<BreakNumbers> breaks;
  std::vector<std::uint8_t> modes;
  get(a, "bonds/numbers", numbers);
  get(a, "bonds/breaks", breaks);
  get(a, "bonds/modes", modes);
  if (modes.size() != breaks.size()) refuse(fmt::format("it has {} modes of {} breaks", modes.size(), breaks.size()));
  const std::vector<Ends> ends = get_ends(a, "bonds/ends", numbers.size()),
                          broken = get_ends(a, "bonds/broken_ends", breaks.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const BondNumbers& n = numbers[k];
    const auto [i, j, wall, set] = ends[k];
    bonds.all.push_back({i, j, static_cast<std::int32_t>(wall), static_cast<std::int32_t>(set), n.a_i, n.a_j, n.axis,
                         n.law, n.strength, BondKick{n.last, n.anchor_i, n.anchor_j, n.energy}});
    bonds.force.push_back(n.force);
  }
  for (std::size_t k = 0; k < breaks.size(); ++k) {
    const auto [i, j, wall, set] = broken[k];
    const BreakNumbers& n = breaks[k];
    if (modes[k] > static_cast<std::uint8_t>(BreakMode::compression))
      refuse(fmt::format("no bond breaks by {}", modes[k]));
    bonds.breaks.push_back({n.time, i, j, static_cast<std::int32_t>(wall), static_cast<std::int32_t>(set), n.point,
                            n.force, n.normal, n.shear, static_cast<BreakMode>(modes[k])});
  }
}

// ---- the world ----

struct WallNumbers {
  Pose pose;
  WallSum sum;
  double servo_shift, servo_speed;
};
struct SurfaceNumbers {  // of walls whose surface moves
  double wall;
  Vec3d v, w, point;
};

void put_world(Archive& a, const WorldState& world) {
  std::vector<WallNumbers> walls;
  std::vector<std::uint8_t> present;
  std::vector<SurfaceNumbers> surfaces;
  std::vector<double> drifts;
  bool any_drift = false;
  for (const WallState& w : world.walls) {
    if (w.surface.on)
      surfaces.push_back({static_cast<double>(walls.size()), w.surface.v, w.surface.w, w.surface.point});
    any_drift = any_drift || w.servo.drift != 0;
    drifts.push_back(w.servo.drift);
    walls.push_back({w.pose, w.sum, w.servo.shift, w.servo.speed});
    present.push_back(w.present);
  }
  if (!surfaces.empty()) put(a, "walls/surfaces", surfaces);
  if (any_drift) put(a, "walls/drifts", drifts);
  put(a, "walls/numbers", walls);
  put(a, "walls/present", present);
  put(a, "gravity", std::vector<Vec3d>{world.gravity});
  save_ledger(a, world.ledger);
  const Counters& c = world.count;
  if (!(world.cell.length == Vec3d{})) put(a, "cell", std::vector<CellState>{world.cell});
  a.integer["counters"] = {c.step, c.lost, c.removed, c.inserted, c.ids};
}

void get_world(const Archive& a, const SnapshotShape& shape, WorldState& world) {
  const std::size_t wall_count = shape.walls;
  std::vector<WallNumbers> walls;
  std::vector<std::uint8_t> present;
  get(a, "walls/numbers", walls);
  get(a, "walls/present", present);
  std::vector<double> drifts;
  if (a.real.contains("walls/drifts")) get(a, "walls/drifts", drifts);
  if (walls.size() != wall_count || present.size() != wall_count || (!drifts.empty() && drifts.size() != wall_count))
    refuse(fmt::format("it has {} walls, the case {}", walls.size(), wall_count));
  for (std::size_t w = 0; w < wall_count; ++w) {
    WallState wall;
    wall.pose = walls[w].pose;
    wall.present = present[w] != 0;
    wall.sum = walls[w].sum;
    wall.servo = {walls[w].servo_shift, walls[w].servo_speed, drifts.empty() ? 0 : drifts[w]};
    world.walls.push_back(wall);
  }
  std::vector<SurfaceNumbers> surfaces;
  if (a.real.contains("walls/surfaces")) get(a, "walls/surfaces", surfaces);
  for (const SurfaceNumbers& s : surfaces) {
    if (!(s.wall >= 0 && s.wall < static_cast<double>(wall_count)))
      refuse("a surface moves of a wall that is not there");
    world.walls[static_cast<std::size_t>(s.wall)].surface = {true, s.v, s.w, s.point};
  }
  for (WallState& wall : world.walls) wall.look();
  world.gravity = get_one<Vec3d>(a, "gravity");
  load_ledger(a, world.ledger);
  if (shape.cell) world.cell = get_one<CellState>(a, "cell");
  const std::vector<std::int64_t>& c = array_of(a.integer, "counters");
  if (c.size() != 5) refuse("its counters are others");
  world.count = {c[0], c[1], c[2], c[3], c[4]};
}

// ---- does it fit? ----

void check_particles(const SnapshotParticles& p, const SnapshotShape& shape, std::int64_t ids) {
  for_each_column_of_particles(p, [&](const char* name, const auto& column, bool optional) {
    if (column.size() != p.size() && !(optional && column.empty()))
      refuse(fmt::format("'{}' has {} entries for {} particles", name, column.size(), p.size()));
  });
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (p.id[k] < 0 || p.id[k] >= ids || (k > 0 && p.id[k] <= p.id[k - 1]))
      refuse(fmt::format("particle {} is out of order", p.id[k]));
    if (p.material[k] >= shape.materials || p.group[k] >= shape.groups || p.set[k] >= shape.sets)
      refuse(fmt::format("particle {} has a material, group or set that is not there", p.id[k]));
  }
  const bool any = std::any_of(p.prescribed.begin(), p.prescribed.end(), [](std::uint8_t yes) { return yes != 0; });
  if (any && (p.placed_x.empty() || p.placed_q.empty())) refuse("prescribed particles lack their places");
}

// Whether a contact or bond joins two bodies that are there.
void check_ends(const char* what, const std::vector<std::int64_t>& id, std::size_t walls, std::int64_t i,
                std::int64_t j, std::int64_t wall) {
  const auto there = [&](std::int64_t one) { return std::binary_search(id.begin(), id.end(), one); };
  if (!there(i) || (j < 0 ? wall < 0 || wall >= static_cast<std::int64_t>(walls) : !there(j) || j <= i || wall >= 0))
    refuse(fmt::format("a {} joins particle {} with {} {}, which is not there", what, i, j < 0 ? "wall" : "particle",
                       j < 0 ? wall : j));
}

void check_contacts(const SnapshotContacts& c, const SnapshotParticles& p, std::size_t walls) {
  for_each_column_of_contacts(c, [&](const char* name, const auto& column, bool) {
    if (column.size() != c.size())
      refuse(fmt::format("'{}' has {} entries for {} contacts", name, column.size(), c.size()));
  });
  std::size_t numbers = 0;
  for (std::size_t k = 0; k < c.size(); ++k) {
    check_ends("contact", p.id, walls, c.i[k], c.j[k], c.wall[k]);
    const auto key = [&](std::size_t e) { return std::tie(c.i[e], c.j[e], c.wall[e], c.patch[e], c.k[e]); };
    if (k > 0 && !(key(k - 1) < key(k))) refuse(fmt::format("contacts of particle {} are out of order", c.i[k]));
    if (c.numbers[k] < 0) refuse("a contact remembers less than nothing");
    numbers += static_cast<std::size_t>(c.numbers[k]);
  }
  if (numbers != c.history.size()) refuse("contacts remember other numbers than are there");
}

// Where contacts with walls were, in their order.
void get_places(const std::vector<double>& place, SnapshotContacts& c) {
  for (std::size_t k = 0; k < c.size(); ++k) {
    if (c.wall[k] < 0) continue;
    const std::size_t at = 6 * c.place.size();
    if (at + 6 > place.size()) refuse("contacts with walls lack their places");
    const double* m = &place[at];
    c.place.push_back({c.wall[k], c.patch[k], {m[0], m[1], m[2]}, {m[3], m[4], m[5]}});
  }
  if (place.size() != 6 * c.place.size()) refuse("there are more places on walls than contacts");
}

}  // namespace

void write(Snapshot&& snapshot, Archive& a) {
  const auto move_in = [&](const char* name, auto& column, bool) {
    put(a, name, column);
    column = {};
  };
  leave_out_nothing(snapshot.particles);
  for_each_column_of_particles(snapshot.particles, move_in);
  SnapshotContacts& c = snapshot.contacts;
  for_each_column_of_contacts(c, move_in);
  a.real["contacts/history"] = std::move(c.history);
  std::vector<double>& place = a.real["contacts/place"];
  for (const WallMemory& m : c.place) place.insert(place.end(), {m.point.x, m.point.y, m.point.z, m.n.x, m.n.y, m.n.z});
  put_bonds(a, snapshot.bonds);
  put_world(a, snapshot.world);
  a.real["implicit/driver"] = std::move(snapshot.implicit.driver);
  a.integer["implicit/forces_known"] = {snapshot.implicit.forces_known};
}

Snapshot read_snapshot(const Archive& a, const SnapshotShape& shape) {
  Snapshot s;
  get_world(a, shape, s.world);
  const auto read = [&](const char* name, auto& column, bool) { get(a, name, column); };
  for_each_column_of_particles(s.particles, read);
  check_particles(s.particles, shape, s.world.count.ids);

  for_each_column_of_contacts(s.contacts, read);
  s.contacts.history = array_of(a.real, "contacts/history");
  check_contacts(s.contacts, s.particles, shape.walls);
  get_places(array_of(a.real, "contacts/place"), s.contacts);

  get_bonds(a, s.bonds);
  for (const Bond& b : s.bonds.all) {
    check_ends("bond", s.particles.id, shape.walls, b.i, b.j, b.wall);
    if (b.set < 0 || static_cast<std::size_t>(b.set) >= shape.bond_sets)
      refuse(fmt::format("a bond belongs to set {}, which is not there", b.set));
  }
  s.implicit.driver = array_of(a.real, "implicit/driver");
  s.implicit.forces_known = array_of(a.integer, "implicit/forces_known") == std::vector<std::int64_t>{1};
  return s;
}

Snapshot read_snapshot(const Archive& a, const Scene& scene) {
  Snapshot s =
      read_snapshot(a, SnapshotShape{scene.materials.size(), scene.groups.size(), scene.set_motion.size(),
                                     scene.walls.size(), scene.settings.bonds.size(), scene.settings.domain.deforms()});
  if (s.implicit.driver.empty() != (scene.settings.numerics.scheme != Scheme::trapezoid))
    refuse("it was written with another scheme");
  return s;
}

}  // namespace areia
