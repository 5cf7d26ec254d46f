#include "engine/case_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "areia/case_file.h"
#include "core/digest.h"

namespace areia {
namespace {

std::string digest(const std::vector<ListedParticle>& list) {
  Digest d;
  for (const ListedParticle& p : list) {
    d.vector(p.x);
    d.vector(p.v);
    d.vector(p.w);
    d.real(p.radius);
    d.real(p.mass);
    d.real(p.charge);
  }
  return fmt::format("{} particles, {}", list.size(), d.text());
}

std::string digest(const MeshShape& mesh) {
  Digest d;
  for (const Vec3d& v : mesh.vertices) d.vector(v);
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t vertex : triangle) d.integer(vertex);
  return fmt::format("{} triangles, {}", mesh.triangles.size(), d.text());
}

// Lines one by one; "" after the last.
std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  return line;
}

// Long lines, such as those of tabulated motions, from a little before the place where they part.
std::string quoted(std::string_view line, std::size_t same) {
  constexpr std::size_t kBefore = 60, kAll = 100;
  if (line.empty()) return "nothing";
  const std::size_t from = same > kBefore ? same - kBefore : 0;
  return fmt::format("{}`{}`{}", from > 0 ? "..." : "", line.substr(from, kAll),
                     line.size() > from + kAll ? "..." : "");
}

}  // namespace

// Members are named one by one: a new one does not compile until it is known whether the motion follows from it.
CaseIdentity::CaseIdentity(const Case& c) {
  const auto& [title, start, materials, contacts, particles, walls, loading, fields, fluid, forces, bonds, stages,
               domain, numerics, output] = c;
  // what the run begins from, wherever that is kept
  if (!start.digest.empty())
    digests_ += fmt::format("# start: {}, walls {}\n", start.digest,
                            start.walls == Start::Walls::as_left ? "as left" : "as written");
  for (const ParticleSet& set : particles) {
    ParticleSet& kept = head_.particles.emplace_back();
    const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source);
    if (!list) {
      kept = set;
      continue;
    }
    const auto& [name, group, material, radius, mass, charge, velocity, spin, velocity_std, source, prescribed, motion,
                 inhibit_rotation] = set;
    digests_ += fmt::format("# particles.{}.list: {}\n", name, digest(*list));
    kept = {name, group,        material, radius,     mass,   charge,          velocity,
            spin, velocity_std, {},       prescribed, motion, inhibit_rotation};
  }
  for (const Wall& wall : walls) {
    const auto* mesh = std::get_if<MeshShape>(&wall.shape);
    if (mesh) digests_ += fmt::format("# walls.{}.mesh: {}\n", wall.name, digest(*mesh));
    Wall& kept = head_.walls.emplace_back(wall);
    if (auto* own = std::get_if<MeshShape>(&kept.shape)) {
      own->vertices = {};
      own->triangles = {};
    }
  }
  head_.materials = materials;
  head_.contacts = contacts;
  head_.loading = loading;
  head_.fields = fields;
  head_.fluid = fluid;
  head_.forces = forces;
  head_.bonds = bonds;
  head_.stages = stages;
  head_.domain = domain;
  head_.numerics = numerics;
  const Numerics plain;
  head_.numerics.threads = plain.threads;
  head_.numerics.skin = plain.skin;
  head_.numerics.start_overlap = plain.start_overlap;
  head_.numerics.max_overlap = plain.max_overlap;
}

std::string CaseIdentity::text(std::size_t stages) const {
  Case c = head_;
  c.stages.resize(std::min(stages, c.stages.size()));
  return to_toml(c) + digests_;
}

std::string first_difference(const std::string& of_checkpoint, const std::string& of_case) {
  std::string_view there = of_checkpoint, here = of_case, table;
  while (!there.empty() || !here.empty()) {
    const std::string_view a = next_line(there), b = next_line(here);
    if (a != b) {
      const auto same =
          static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
      return fmt::format("{}{} in the case of the checkpoint, {} in this one",
                         table.empty() ? "" : fmt::format("{}: ", table), quoted(a, same), quoted(b, same));
    }
    if (a.starts_with('[')) table = a;
    if (a.starts_with('#')) table = {};
  }
  return "nothing differs";
}

}  // namespace areia
