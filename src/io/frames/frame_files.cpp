#include "io/frames/frame_files.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/frames/contact_lines.h"
#include "io/frames/vtp_document.h"
#include "observe/energy_columns.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));

// A cell that deforms, as one array.
constexpr std::array kCellVectors{
    std::pair{"low", &FrameCell::low},
    std::pair{"length", &FrameCell::length},
    std::pair{"first_length", &FrameCell::first_length},
    std::pair{"strain_rate", &FrameCell::strain_rate},
    std::pair{"contact_stress", &FrameCell::contact_stress},
    std::pair{"kinetic_stress", &FrameCell::kinetic_stress},
};

void put_cell(VtpWriter& vtp, const FrameCell& cell) {
  if (!cell.deforms) return;
  std::vector<double> numbers{cell.volume};
  std::vector<std::string> names{"volume"};
  for (const auto& [name, member] : kCellVectors)
    for (int a = 0; a < 3; ++a) {
      numbers.push_back(component(cell.*member, a));
      names.push_back(std::string(name) + "_" + "xyz"[a]);
    }
  vtp.field("cell", numbers, static_cast<int>(numbers.size()), names);
}

FrameCell take_cell(const VtpReader& vtp) {
  FrameCell cell;
  const std::vector<double> numbers = vtp.field_reals("cell");
  if (numbers.size() != 1 + 3 * kCellVectors.size()) return cell;
  cell.deforms = true;
  auto next = numbers.begin();
  cell.volume = *next++;
  for (const auto& [name, member] : kCellVectors)
    for (int a = 0; a < 3; ++a) component(cell.*member, a) = *next++;
  return cell;
}

// What belongs to the whole frame, in each of its files: any of them explains itself.
void put_frame_fields(VtpWriter& vtp, const Frame& frame) {
  vtp.field("TimeValue", std::vector<double>{frame.time});
  vtp.field("step", frame.step);
  vtp.field("dt", std::vector<double>{frame.dt});
  vtp.field("title", std::vector<std::string>{frame.title});
  vtp.field("stage", std::vector<std::string>{frame.stage});
  vtp.field("materials", frame.materials);
  vtp.field("groups", frame.groups);
  std::vector<std::string> names;
  for (const FrameWall& wall : frame.walls) names.push_back(wall.name);
  vtp.field("wall_names", names);
  vtp.field("lost", frame.lost);
  vtp.field("removed", frame.removed);
  vtp.field("inserted", frame.inserted);
  std::vector<double> energies;
  std::vector<std::string> energy_names;
  for (const EnergyColumn& c : kEnergyColumns) {
    energies.push_back(frame.energy.*c.member);
    energy_names.emplace_back(c.name);
  }
  vtp.field("energy", energies, static_cast<int>(energies.size()), energy_names);
  put_cell(vtp, frame.cell);
}

double single_real(const VtpReader& vtp, const char* name) {
  const std::vector<double> values = vtp.field_reals(name);
  return values.empty() ? 0.0 : values.front();
}

std::string single_text(const VtpReader& vtp, const char* name) {
  const std::vector<std::string> texts = vtp.field_texts(name);
  return texts.empty() ? std::string{} : texts.front();
}

std::vector<double> flat(const std::vector<FrameWall>& walls, Vec3d FrameWall::*member) {
  std::vector<double> numbers;
  for (const FrameWall& wall : walls) {
    const Vec3d& v = wall.*member;
    numbers.insert(numbers.end(), {v.x, v.y, v.z});
  }
  return numbers;
}

// --- columns: one line each, for writing and reading -----------------------------------------------------------------
// A column by its name in the file and the member that it holds: of a contact, bond or wall, or an array of particles.
enum class When { always, chosen, chosen_if_any };  // the last one: left out where all values are zero

template <class C, class V>
struct FrameColumn {
  const char* name;
  V C::*member;
  When when = When::chosen;
};
template <class C, class V>  // clang 14 deduces nothing for aggregates by itself
FrameColumn(const char*, V C::*, When = When::chosen)->FrameColumn<C, V>;

// A column for pictures alone: it follows from the others and is not read back.
template <class F>
struct DerivedColumn {
  const char* name;
  F value;  // of particle k
  When when = When::chosen;
};
template <class F>
DerivedColumn(const char*, F, When = When::chosen) -> DerivedColumn<F>;

constexpr std::tuple kParticleColumns{
    FrameColumn{"id", &FrameParticles::id, When::always},
    FrameColumn{"radius", &FrameParticles::radius, When::always},
    FrameColumn{"velocity", &FrameParticles::v},
    DerivedColumn{"speed", [](const FrameParticles& p, std::size_t k) { return norm(p.v[k]); }},
    FrameColumn{"spin", &FrameParticles::w},
    FrameColumn{"orientation", &FrameParticles::q},
    FrameColumn{"force", &FrameParticles::force},
    FrameColumn{"torque", &FrameParticles::torque},
    FrameColumn{"mass", &FrameParticles::mass},
    FrameColumn{"charge", &FrameParticles::charge, When::chosen_if_any},
    FrameColumn{"material", &FrameParticles::material},
    FrameColumn{"group", &FrameParticles::group},
    FrameColumn{"coordination", &FrameParticles::coordination},
    FrameColumn{"prescribed", &FrameParticles::prescribed}};
constexpr std::tuple kContactColumns{FrameColumn{"i", &FrameContact::i, When::always},
                                     FrameColumn{"j", &FrameContact::j, When::always},
                                     FrameColumn{"wall", &FrameContact::wall, When::always},
                                     FrameColumn{"patch", &FrameContact::patch},
                                     FrameColumn{"force", &FrameContact::force},
                                     FrameColumn{"normal", &FrameContact::normal},
                                     FrameColumn{"tangential", &FrameContact::tangential},
                                     FrameColumn{"overlap", &FrameContact::overlap},
                                     FrameColumn{"point", &FrameContact::point},
                                     FrameColumn{"direction", &FrameContact::n},
                                     FrameColumn{"elongation", &FrameContact::elongation}};
constexpr std::tuple kBondColumns{FrameColumn{"i", &FrameBond::i}, FrameColumn{"j", &FrameBond::j},
                                  FrameColumn{"wall", &FrameBond::wall}, FrameColumn{"set", &FrameBond::set},
                                  FrameColumn{"force", &FrameBond::force}};
constexpr std::tuple kWallColumns{
    FrameColumn{"wall_force", &FrameWall::force}, FrameColumn{"wall_torque", &FrameWall::torque},
    FrameColumn{"wall_origin", &FrameWall::origin}, FrameColumn{"wall_velocity", &FrameWall::velocity}};

template <class Tuple, class F>
void for_each_column(const Tuple& columns, F&& f) {
  std::apply([&](const auto&... c) { (f(c), ...); }, columns);
}

// Vectors and quaternions are columns of several doubles.
template <class V>
using NumberOf = std::conditional_t<std::is_arithmetic_v<V>, V, double>;

template <class Column>
bool is_chosen(const Column& c, const std::vector<std::string>& arrays) {
  return c.when == When::always || std::find(arrays.begin(), arrays.end(), c.name) != arrays.end();
}

template <class Tuple>
std::vector<std::string> names_to_choose(const Tuple& columns) {
  std::vector<std::string> names;
  for_each_column(columns, [&](const auto& c) {
    if (c.when != When::always) names.emplace_back(c.name);
  });
  return names;
}

template <class T>
void put_particles(VtpWriter& vtp, const FrameParticles& p, const FrameColumn<FrameParticles, std::vector<T>>& c) {
  const std::vector<T>& values = p.*c.member;
  if (c.when == When::chosen_if_any && std::all_of(values.begin(), values.end(), [](const T& v) { return v == T{}; }))
    return;
  if (values.size() != p.id.size()) throw Error("a frame's particle arrays differ in length");
  vtp.point_array<NumberOf<T>>(c.name, sizeof(T) / sizeof(NumberOf<T>), values.data());
}

template <class F>
void put_particles(VtpWriter& vtp, const FrameParticles& p, const DerivedColumn<F>& c) {
  vtp.point_array_made<double>(c.name, [&p, &c](std::size_t k) { return c.value(p, k); });
}

template <class T>
void take_particles(const VtpReader& vtp, FrameParticles& p, const FrameColumn<FrameParticles, std::vector<T>>& c) {
  if (c.when == When::always || vtp.has("PointData", c.name))
    p.*c.member = vtp.tuples<NumberOf<T>, T>("PointData", c.name);
  else if (c.when == When::chosen_if_any) (p.*c.member).assign(p.x.size(), T{});
}

template <class F>
void take_particles(const VtpReader&, FrameParticles&, const DerivedColumn<F>&) {}

template <class T>
void show_particles(std::vector<ParticleColumn>& shown, const FrameParticles& p,
                    const FrameColumn<FrameParticles, std::vector<T>>& c) {
  const std::vector<T>& values = p.*c.member;
  if (values.size() != p.id.size()) return;
  if (c.when == When::chosen_if_any && std::all_of(values.begin(), values.end(), [](const T& v) { return v == T{}; }))
    return;
  ParticleColumn column{c.name, sizeof(T) / sizeof(NumberOf<T>), {}};
  if constexpr (std::is_arithmetic_v<T>)
    column.value = [&values](std::size_t k, int) { return static_cast<double>(values[k]); };
  else if constexpr (std::is_same_v<T, Quat>)
    column.value = [&values](std::size_t k, int n) { return values[k][static_cast<std::size_t>(n)]; };
  else column.value = [&values](std::size_t k, int n) { return component(values[k], n); };
  shown.push_back(std::move(column));
}

template <class F>
void show_particles(std::vector<ParticleColumn>&, const FrameParticles&, const DerivedColumn<F>&) {}

// One array of a member over all contacts, or all bonds.
template <class C, class V>
void put_cells(VtpWriter& vtp, const std::vector<C>& all, const FrameColumn<C, V>& c) {
  vtp.cell_array_made<NumberOf<V>>(c.name, [&all, member = c.member](std::size_t k) { return all[k].*member; });
}

template <class C, class V>
void take_cells(const VtpReader& vtp, std::vector<C>& all, const FrameColumn<C, V>& c) {
  if (c.when != When::always && !vtp.has("CellData", c.name)) return;
  const std::vector<V> values = vtp.tuples<NumberOf<V>, V>("CellData", c.name);
  for (std::size_t k = 0; k < all.size(); ++k) all[k].*c.member = values[k];
}

// Contacts and bonds join particles of the frame; files of two frames, or a damaged one, may say otherwise.
template <class C>
void check_ends(const fs::path& path, const FrameParticles& p, const std::vector<C>& all) {
  const auto there = [&](std::int64_t id) { return std::binary_search(p.id.begin(), p.id.end(), id); };
  for (const C& c : all)
    if (!there(c.i) || (c.j >= 0 && !there(c.j)))
      throw_file_error(path, "read", "it names a particle that is not in the frame");
}

// Whether floats serve for positions; the head of frame_files.h says why these limits.
bool centres_fit_floats(const FrameParticles& p) {
  constexpr double kMoved = 1e-4, kRounding = 1.7320508075688772 * 0x1p-24;
  for (std::size_t k = 0; k < p.x.size(); ++k) {
    const double far = std::max({std::abs(p.x[k].x), std::abs(p.x[k].y), std::abs(p.x[k].z)});
    if (!(kRounding * far <= kMoved * p.radius[k])) return false;
  }
  return true;
}

VtpWriter::Rounding rounding_of(const Frame& frame, const Output& what) {
  if (what.double_precision) return {false, false};
  return {centres_fit_floats(frame.particles), true};
}

}  // namespace

const std::vector<std::string>& particle_array_names() {
  static const std::vector<std::string> names = names_to_choose(kParticleColumns);
  return names;
}

const std::vector<std::string>& contact_array_names() {
  static const std::vector<std::string> names = names_to_choose(kContactColumns);
  return names;
}

std::vector<ParticleColumn> particle_columns(const FrameParticles& particles) {
  std::vector<ParticleColumn> shown;
  for_each_column(kParticleColumns, [&](const auto& c) { show_particles(shown, particles, c); });
  return shown;
}

void write_particles_vtp(const fs::path& path, const Frame& frame, const Output& what) {
  const FrameParticles& p = frame.particles;
  const std::size_t count = p.id.size();
  if (p.x.size() != count || p.radius.size() != count) throw Error("a frame's particle arrays differ in length");

  VtpWriter vtp(rounding_of(frame, what));
  put_frame_fields(vtp, frame);
  vtp.points<double>(p.x.data(), count);
  vtp.cells_in_turn(CellKind::vertices, 1);
  for_each_column(kParticleColumns, [&](const auto& c) {
    if (is_chosen(c, what.arrays)) put_particles(vtp, p, c);
  });
  vtp.save(path);
}

void write_contacts_vtp(const fs::path& path, const Frame& frame, const Output& what) {
  const std::vector<FrameContact>& contacts = frame.contacts;
  VtpWriter vtp(rounding_of(frame, what));
  put_frame_fields(vtp, frame);
  vtp.points_made<double>(contacts.size(), [&](std::size_t k) { return contact_line(frame, contacts[k]); });
  vtp.cells_in_turn(CellKind::lines, 2);
  for_each_column(kContactColumns, [&](const auto& c) {
    if (is_chosen(c, what.contact_arrays)) put_cells(vtp, contacts, c);
  });
  vtp.save(path);
}

void write_bonds_vtp(const fs::path& path, const Frame& frame, const Output& what) {
  const std::vector<FrameBond>& bonds = frame.bonds;
  VtpWriter vtp(rounding_of(frame, what));
  put_frame_fields(vtp, frame);
  vtp.field("bond_sets", frame.bond_sets);
  vtp.field("broken", static_cast<std::int64_t>(frame.breaks.size()));
  vtp.points_made<double>(bonds.size(), [&](std::size_t k) { return bond_line(frame, bonds[k]); });
  vtp.cells_in_turn(CellKind::lines, 4);
  for_each_column(kBondColumns, [&](const auto& c) { put_cells(vtp, bonds, c); });
  vtp.cell_array_made<double>("force_N", [&](std::size_t k) { return norm(bonds[k].force); });
  vtp.save(path);
}

void read_bonds_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  const std::vector<Vec3d> points = vtp.tuples<double, Vec3d>("Points", "points");
  if (points.size() != 4 * vtp.cell_count()) throw_file_error(path, "read", "the line of a bond has four points");
  std::vector<FrameBond> bonds(vtp.cell_count());
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    bonds[k].at_i = points[4 * k + 1];
    bonds[k].at_j = points[4 * k + 2];
  }
  for_each_column(kBondColumns, [&](const auto& c) { take_cells(vtp, bonds, c); });
  check_ends(path, frame.particles, bonds);
  frame.bonds = std::move(bonds);
  frame.bond_sets = vtp.field_texts("bond_sets");
}

void write_walls_vtp(const fs::path& path, const Frame& frame, const Output& what) {
  std::vector<Vec3d> points, force, torque;
  std::vector<std::int64_t> connectivity, offsets;
  std::vector<std::int32_t> wall_index;
  std::vector<double> vertex_counts;
  for (std::size_t w = 0; w < frame.walls.size(); ++w) {
    const FrameWall& wall = frame.walls[w];
    const auto first = static_cast<std::int64_t>(points.size());
    points.insert(points.end(), wall.vertices.begin(), wall.vertices.end());
    vertex_counts.push_back(static_cast<double>(wall.vertices.size()));
    for (const std::vector<std::int32_t>& polygon : wall.polygons) {
      for (const std::int32_t vertex : polygon) connectivity.push_back(first + vertex);
      offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      wall_index.push_back(static_cast<std::int32_t>(w));
      force.push_back(wall.force);
      torque.push_back(wall.torque);
    }
  }
  VtpWriter vtp({!what.double_precision, !what.double_precision});  // outlines are for pictures
  put_frame_fields(vtp, frame);
  vtp.field("wall_vertex_count", vertex_counts);
  for_each_column(kWallColumns, [&](const auto& c) { vtp.field(c.name, flat(frame.walls, c.member), 3); });
  vtp.points<double>(points.data(), points.size());
  vtp.cells(CellKind::polygons, std::move(connectivity), std::move(offsets));
  vtp.cell_array<std::int32_t>("wall", 1, wall_index.data());
  vtp.cell_array<double>("force", 3, force.data());
  vtp.cell_array<double>("torque", 3, torque.data());
  vtp.save(path);
}

namespace {

// All that is no array of particles.
Frame take_frame_fields(const VtpReader& vtp) {
  Frame frame;
  frame.title = single_text(vtp, "title");
  frame.stage = single_text(vtp, "stage");
  frame.time = single_real(vtp, "TimeValue");
  frame.dt = single_real(vtp, "dt");
  frame.step = vtp.field_integer("step");
  frame.materials = vtp.field_texts("materials");
  frame.groups = vtp.field_texts("groups");
  frame.lost = vtp.field_integer("lost");
  frame.removed = vtp.field_integer("removed");
  frame.inserted = vtp.field_integer("inserted");
  for (std::string& name : vtp.field_texts("wall_names")) frame.walls.emplace_back().name = std::move(name);
  const std::vector<double> energies = vtp.field_reals("energy");
  for (std::size_t k = 0; k < std::min(energies.size(), kEnergyColumns.size()); ++k)
    frame.energy.*kEnergyColumns[k].member = energies[k];
  frame.cell = take_cell(vtp);
  return frame;
}

template <class T>
int components_of(const FrameColumn<FrameParticles, std::vector<T>>&) {
  return sizeof(T) / sizeof(NumberOf<T>);
}
template <class F>
int components_of(const DerivedColumn<F>&) {
  return 0;  // not read back
}

}  // namespace

Frame read_particles_vtp(const fs::path& path) {
  const VtpReader vtp(path);
  Frame frame = take_frame_fields(vtp);
  FrameParticles& p = frame.particles;
  p.x = vtp.tuples<double, Vec3d>("Points", "points");
  for_each_column(kParticleColumns, [&](const auto& c) { take_particles(vtp, p, c); });
  return frame;
}

Frame read_particles_vtp(const fs::path& path, const std::set<std::string>& only, std::vector<ParticleColumn>& there) {
  const VtpReader vtp(path);
  Frame frame = take_frame_fields(vtp);
  FrameParticles& p = frame.particles;
  p.x = vtp.tuples<double, Vec3d>("Points", "points");
  there.clear();
  for_each_column(kParticleColumns, [&](const auto& c) {
    const int components = components_of(c);
    if (components == 0 || (c.when != When::always && !vtp.has("PointData", c.name))) return;
    there.push_back({c.name, components, {}});
    if (c.when == When::always || only.contains(c.name)) take_particles(vtp, p, c);
  });
  return frame;
}

void read_contacts_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  const std::vector<Vec3d> ends = vtp.tuples<double, Vec3d>("Points", "points");
  if (ends.size() != 2 * vtp.cell_count()) throw_file_error(path, "read", "the line of a contact has two points");
  std::vector<FrameContact> contacts(vtp.cell_count());
  for_each_column(kContactColumns, [&](const auto& c) { take_cells(vtp, contacts, c); });
  check_ends(path, frame.particles, contacts);
  const bool has_direction = vtp.has("CellData", "direction"), has_point = vtp.has("CellData", "point");
  if (!has_direction || !has_point) {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      FrameContact& c = contacts[k];
      const Vec3d line = ends[2 * k + 1] - ends[2 * k];
      if (!has_direction && norm(line) > 0) c.n = unit(line);
      if (!has_point) c.point = c.j < 0 ? ends[2 * k + 1] : contact_point(frame, c);
    }
  }
  frame.contacts = std::move(contacts);
}

void read_walls_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  std::vector<FrameWall> walls;
  for (std::string& name : vtp.field_texts("wall_names")) walls.emplace_back().name = std::move(name);
  const std::size_t count = walls.size();
  for_each_column(kWallColumns, [&](const auto& c) {
    const std::vector<double> numbers = vtp.field_reals(c.name);
    if (numbers.size() != 3 * count) throw_file_error(path, "read", std::string("wrong length of ") + c.name);
    for (std::size_t w = 0; w < count; ++w)
      walls[w].*c.member = {numbers[3 * w], numbers[3 * w + 1], numbers[3 * w + 2]};
  });

  const std::vector<Vec3d> points = vtp.tuples<double, Vec3d>("Points", "points");
  const std::vector<double> vertex_counts = vtp.field_reals("wall_vertex_count");
  std::vector<std::int64_t> first(count, 0);
  std::size_t next = 0;
  for (std::size_t w = 0; w < count; ++w) {
    first[w] = static_cast<std::int64_t>(next);
    const double wanted = w < vertex_counts.size() ? vertex_counts[w] : 0;
    if (!(wanted >= 0 && wanted <= static_cast<double>(points.size() - next)))
      throw_file_error(path, "read", "more wall vertices than points");
    const auto length = static_cast<std::size_t>(wanted);
    walls[w].vertices.assign(points.begin() + static_cast<std::ptrdiff_t>(next),
                             points.begin() + static_cast<std::ptrdiff_t>(next + length));
    next += length;
  }
  const auto wall_index = vtp.numbers<std::int32_t>("CellData", "wall");
  const auto connectivity = vtp.numbers<std::int64_t>("Polys", "connectivity");
  const auto offsets = vtp.numbers<std::int64_t>("Polys", "offsets");
  std::int64_t begin = 0;
  for (std::size_t k = 0; k < wall_index.size(); ++k) {
    const std::int64_t end = k < offsets.size() ? offsets[k] : -1;
    const auto w = static_cast<std::size_t>(wall_index[k]);
    if (w >= count || end < begin || end > static_cast<std::int64_t>(connectivity.size()))
      throw_file_error(path, "read", "broken polygons");
    std::vector<std::int32_t>& polygon = walls[w].polygons.emplace_back();
    for (std::int64_t at = begin; at < end; ++at) {
      const std::int64_t vertex = connectivity[static_cast<std::size_t>(at)] - first[w];
      if (vertex < 0 || vertex >= static_cast<std::int64_t>(walls[w].vertices.size()))
        throw_file_error(path, "read", "broken polygons");
      polygon.push_back(static_cast<std::int32_t>(vertex));
    }
    begin = end;
  }
  frame.walls = std::move(walls);
}

double read_frame_time(const fs::path& path) {
  const VtpReader vtp = VtpReader::head_of(path);
  const std::vector<double> values = vtp.field_reals("TimeValue");
  if (values.empty()) throw_file_error(path, "read", "no TimeValue");
  return values.front();
}

}  // namespace areia
