#include "io/frames/frame_files.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/frames/contact_lines.h"
#include "io/frames/vtp_document.h"
#include "io/series/energy_columns.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

static_assert(sizeof(Vec3d) == 3 * sizeof(double) && sizeof(Quat) == 4 * sizeof(double));

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
  for (const EnergyField& field : kEnergyFields) {
    energies.push_back(frame.energy.*field.member);
    energy_names.emplace_back(field.name);
  }
  vtp.field("energy", energies, static_cast<int>(energies.size()), energy_names);
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

// One array of a member over all contacts, or all bonds.
template <class Number, class C, class V>
void put_column(VtpWriter& vtp, std::string_view name, const std::vector<C>& all, V C::*member) {
  vtp.cell_array_made<Number>(name, [&all, member](std::size_t k) { return all[k].*member; });
}

template <class C, class T>
void fill_column(std::vector<C>& all, T C::*member, const std::vector<T>& values) {
  for (std::size_t k = 0; k < all.size(); ++k) all[k].*member = values[k];
}

}  // namespace

void write_particles_vtp(const fs::path& path, const Frame& frame) {
  const FrameParticles& p = frame.particles;
  const std::size_t count = p.id.size();
  for (const std::size_t length :
       {p.x.size(), p.v.size(), p.w.size(), p.q.size(), p.force.size(), p.torque.size(), p.radius.size(), p.mass.size(),
        p.material.size(), p.group.size(), p.coordination.size(), p.prescribed.size()})
    if (length != count) throw Error("a frame's particle arrays differ in length");

  VtpWriter vtp;
  put_frame_fields(vtp, frame);
  vtp.points<double>(p.x.data(), count);
  vtp.cells_in_turn(CellKind::vertices, 1);
  vtp.point_array<std::int64_t>("id", 1, p.id.data());
  vtp.point_array<double>("radius", 1, p.radius.data());
  vtp.point_array<double>("velocity", 3, p.v.data());
  vtp.point_array_made<double>("speed", [&](std::size_t k) { return norm(p.v[k]); });
  vtp.point_array<double>("spin", 3, p.w.data());
  vtp.point_array<double>("orientation", 4, p.q.data());
  vtp.point_array<double>("force", 3, p.force.data());
  vtp.point_array<double>("torque", 3, p.torque.data());
  vtp.point_array<double>("mass", 1, p.mass.data());
  const bool charged = std::any_of(p.charge.begin(), p.charge.end(), [](double q) { return q != 0; });
  if (charged) vtp.point_array<double>("charge", 1, p.charge.data());
  vtp.point_array<std::int32_t>("material", 1, p.material.data());
  vtp.point_array<std::int32_t>("group", 1, p.group.data());
  vtp.point_array<std::int32_t>("coordination", 1, p.coordination.data());
  vtp.point_array<std::uint8_t>("prescribed", 1, p.prescribed.data());
  vtp.save(path);
}

void write_contacts_vtp(const fs::path& path, const Frame& frame) {
  const std::vector<FrameContact>& contacts = frame.contacts;
  VtpWriter vtp;
  put_frame_fields(vtp, frame);
  vtp.points_made<double>(contacts.size(), [&](std::size_t k) { return contact_line(frame, contacts[k]); });
  vtp.cells_in_turn(CellKind::lines, 2);
  put_column<std::int64_t>(vtp, "i", contacts, &FrameContact::i);
  put_column<std::int64_t>(vtp, "j", contacts, &FrameContact::j);
  put_column<std::int32_t>(vtp, "wall", contacts, &FrameContact::wall);
  put_column<std::int32_t>(vtp, "patch", contacts, &FrameContact::patch);
  put_column<double>(vtp, "force", contacts, &FrameContact::force);
  put_column<double>(vtp, "normal", contacts, &FrameContact::normal);
  put_column<double>(vtp, "tangential", contacts, &FrameContact::tangential);
  put_column<double>(vtp, "overlap", contacts, &FrameContact::overlap);
  put_column<double>(vtp, "point", contacts, &FrameContact::point);
  put_column<double>(vtp, "direction", contacts, &FrameContact::n);
  put_column<double>(vtp, "elongation", contacts, &FrameContact::elongation);
  vtp.save(path);
}

void write_bonds_vtp(const fs::path& path, const Frame& frame) {
  const std::vector<FrameBond>& bonds = frame.bonds;
  VtpWriter vtp;
  put_frame_fields(vtp, frame);
  vtp.field("bond_sets", frame.bond_sets);
  vtp.field("broken", static_cast<std::int64_t>(frame.breaks.size()));
  vtp.points_made<double>(bonds.size(), [&](std::size_t k) { return bond_line(frame, bonds[k]); });
  vtp.cells_in_turn(CellKind::lines, 4);
  put_column<std::int64_t>(vtp, "i", bonds, &FrameBond::i);
  put_column<std::int64_t>(vtp, "j", bonds, &FrameBond::j);
  put_column<std::int32_t>(vtp, "wall", bonds, &FrameBond::wall);
  put_column<std::int32_t>(vtp, "set", bonds, &FrameBond::set);
  put_column<double>(vtp, "force", bonds, &FrameBond::force);
  vtp.cell_array_made<double>("force_N", [&](std::size_t k) { return norm(bonds[k].force); });
  vtp.save(path);
}

void read_bonds_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  std::vector<FrameBond> bonds(vtp.cell_count());
  const std::vector<Vec3d> points = vtp.tuples<double, Vec3d>("Points", "points");
  if (points.size() != 4 * bonds.size()) throw_file_error(path, "read", "the line of a bond has four points");
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    bonds[k].at_i = points[4 * k + 1];
    bonds[k].at_j = points[4 * k + 2];
  }
  fill_column(bonds, &FrameBond::i, vtp.numbers<std::int64_t>("CellData", "i"));
  fill_column(bonds, &FrameBond::j, vtp.numbers<std::int64_t>("CellData", "j"));
  fill_column(bonds, &FrameBond::wall, vtp.numbers<std::int32_t>("CellData", "wall"));
  fill_column(bonds, &FrameBond::set, vtp.numbers<std::int32_t>("CellData", "set"));
  fill_column(bonds, &FrameBond::force, vtp.tuples<double, Vec3d>("CellData", "force"));
  frame.bonds = std::move(bonds);
  frame.bond_sets = vtp.field_texts("bond_sets");
}

void write_walls_vtp(const fs::path& path, const Frame& frame) {
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
  VtpWriter vtp;
  put_frame_fields(vtp, frame);
  vtp.field("wall_vertex_count", vertex_counts);
  vtp.field("wall_force", flat(frame.walls, &FrameWall::force), 3);
  vtp.field("wall_torque", flat(frame.walls, &FrameWall::torque), 3);
  vtp.field("wall_origin", flat(frame.walls, &FrameWall::origin), 3);
  vtp.field("wall_velocity", flat(frame.walls, &FrameWall::velocity), 3);
  vtp.points<double>(points.data(), points.size());
  vtp.cells(CellKind::polygons, std::move(connectivity), std::move(offsets));
  vtp.cell_array<std::int32_t>("wall", 1, wall_index.data());
  vtp.cell_array<double>("force", 3, force.data());
  vtp.cell_array<double>("torque", 3, torque.data());
  vtp.save(path);
}

Frame read_particles_vtp(const fs::path& path) {
  const VtpReader vtp(path);
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
  for (std::size_t k = 0; k < std::min(energies.size(), kEnergyFields.size()); ++k)
    frame.energy.*kEnergyFields[k].member = energies[k];

  FrameParticles& p = frame.particles;
  p.x = vtp.tuples<double, Vec3d>("Points", "points");
  p.id = vtp.numbers<std::int64_t>("PointData", "id");
  p.radius = vtp.numbers<double>("PointData", "radius");
  p.v = vtp.tuples<double, Vec3d>("PointData", "velocity");
  p.w = vtp.tuples<double, Vec3d>("PointData", "spin");
  p.q = vtp.tuples<double, Quat>("PointData", "orientation");
  p.force = vtp.tuples<double, Vec3d>("PointData", "force");
  p.torque = vtp.tuples<double, Vec3d>("PointData", "torque");
  p.mass = vtp.numbers<double>("PointData", "mass");
  if (vtp.has("PointData", "charge")) p.charge = vtp.numbers<double>("PointData", "charge");
  else p.charge.assign(p.mass.size(), 0.0);
  p.material = vtp.numbers<std::int32_t>("PointData", "material");
  p.group = vtp.numbers<std::int32_t>("PointData", "group");
  p.coordination = vtp.numbers<std::int32_t>("PointData", "coordination");
  p.prescribed = vtp.numbers<std::uint8_t>("PointData", "prescribed");
  return frame;
}

void read_contacts_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  std::vector<FrameContact> contacts(vtp.cell_count());
  fill_column(contacts, &FrameContact::i, vtp.numbers<std::int64_t>("CellData", "i"));
  fill_column(contacts, &FrameContact::j, vtp.numbers<std::int64_t>("CellData", "j"));
  fill_column(contacts, &FrameContact::wall, vtp.numbers<std::int32_t>("CellData", "wall"));
  fill_column(contacts, &FrameContact::patch, vtp.numbers<std::int32_t>("CellData", "patch"));
  fill_column(contacts, &FrameContact::force, vtp.tuples<double, Vec3d>("CellData", "force"));
  fill_column(contacts, &FrameContact::normal, vtp.numbers<double>("CellData", "normal"));
  fill_column(contacts, &FrameContact::tangential, vtp.numbers<double>("CellData", "tangential"));
  fill_column(contacts, &FrameContact::overlap, vtp.numbers<double>("CellData", "overlap"));
  fill_column(contacts, &FrameContact::point, vtp.tuples<double, Vec3d>("CellData", "point"));
  fill_column(contacts, &FrameContact::n, vtp.tuples<double, Vec3d>("CellData", "direction"));
  fill_column(contacts, &FrameContact::elongation, vtp.tuples<double, Vec3d>("CellData", "elongation"));
  frame.contacts = std::move(contacts);
}

void read_walls_vtp(const fs::path& path, Frame& frame) {
  const VtpReader vtp(path);
  std::vector<FrameWall> walls;
  for (std::string& name : vtp.field_texts("wall_names")) walls.emplace_back().name = std::move(name);
  const std::size_t count = walls.size();
  const auto fill = [&](const char* field, Vec3d FrameWall::*member) {
    const std::vector<double> numbers = vtp.field_reals(field);
    if (numbers.size() != 3 * count) throw_file_error(path, "read", std::string("wrong length of ") + field);
    for (std::size_t w = 0; w < count; ++w) walls[w].*member = {numbers[3 * w], numbers[3 * w + 1], numbers[3 * w + 2]};
  };
  fill("wall_force", &FrameWall::force);
  fill("wall_torque", &FrameWall::torque);
  fill("wall_origin", &FrameWall::origin);
  fill("wall_velocity", &FrameWall::velocity);

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
