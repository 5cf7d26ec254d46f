#include "io/case/start_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "areia/case_file.h"
#include "areia/start.h"
#include "core/digest.h"
#include "core/suggest.h"
#include "engine/snapshot.h"
#include "io/checkpoints/checkpoint.h"
#include "io/frames/frame_files.h"
#include "io/frames/vtk_frames.h"
#include "scene/body_mass.h"

namespace areia::io {
namespace fs = std::filesystem;

namespace {

// The parts of a checkpoint that a start depends on: nothing of the run that wrote it, its series or its wall time.
constexpr std::string_view kParts[] = {"particles/", "contacts/", "bonds/",  "walls/",   "shown_contacts/", "names/",
                                       "implicit/",  "ledger",    "gravity", "counters", "of_a_frame"};

bool is_part(const std::string& name) {
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return name.starts_with(part); });
}

std::string digest_of(const Archive& a) {
  Digest d;
  for (const auto& [name, values] : a.integer) {
    d.name(name);
    for (const std::int64_t v : values) d.integer(v);
  }
  for (const auto& [name, values] : a.real) {
    d.name(name);
    for (const double v : values) d.real(v);
  }
  for (const auto& [name, text] : a.text)
    if (is_part(name)) {
      d.name(name);
      d.name(text);
    }
  return d.text();
}

// Names of a state, one to a line.
std::vector<std::string> lines_of(const Archive& a, const std::string& what) {
  std::vector<std::string> lines;
  const auto at = a.text.find("names/" + what);
  if (at == a.text.end()) return lines;
  for (std::size_t begin = 0; begin < at->second.size();) {
    const std::size_t end = std::min(at->second.find('\n', begin), at->second.size());
    lines.push_back(at->second.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

StartState of_checkpoint(Checkpoint ck, const std::string& from) {
  StartState s;
  Archive& all = ck.archive;
  if (all.integer.contains("events.run"))
    throw FileError("it is the state of hard spheres, which has no contacts to go on from; take a frame of that run");
  if (!all.integer.contains("particles/id") || !all.text.contains("names/sets"))
    throw FileError(
        fmt::format("{}: the checkpoint does not tell the names of its sets and walls; an earlier version wrote it. "
                    "`areia run --resume` with this version writes one that does",
                    ck.path.string()));
  const auto stage = all.integer.find("stage");
  if (stage != all.integer.end() && stage->second.size() == 5 && stage->second[4] == 0)
    s.notes.emplace_back("the run there has not come to its end: this is its last complete checkpoint");
  for (const std::string& w : ck.warnings) s.notes.push_back("warning: " + w);
  const auto origin = all.text.find("origin");
  s.origin = origin != all.text.end() ? origin->second
                                      : fmt::format("{} (checkpoint at t = {:.9g} s, step {})", from, ck.time, ck.step);
  std::erase_if(all.integer, [](const auto& one) { return !is_part(one.first); });
  std::erase_if(all.real, [](const auto& one) { return !is_part(one.first); });
  std::erase_if(all.text, [](const auto& one) { return !is_part(one.first); });
  s.archive = std::move(all);
  return s;
}

// A set for each group; where a group is of several materials, one for each of these.
StartState of_frame(const Frame& f, const Case& c, const std::string& from) {
  const FrameParticles& p = f.particles;
  const std::size_t n = p.id.size();
  if (p.v.size() != n || p.w.size() != n || p.material.size() != n || p.group.size() != n)
    throw FileError("the frame lacks velocity, spin, material or group of its particles: see output.arrays");
  std::map<std::int32_t, std::set<std::int32_t>> materials_of;
  for (std::size_t k = 0; k < n; ++k) materials_of[p.group[k]].insert(p.material[k]);
  std::map<std::pair<std::int32_t, std::int32_t>, std::uint16_t> set_of;
  std::string sets;
  const auto name = [](const std::vector<std::string>& names, std::int32_t at) {
    if (at < 0 || static_cast<std::size_t>(at) >= names.size()) throw FileError("the frame does not name its groups");
    return names[static_cast<std::size_t>(at)];
  };
  for (const auto& [group, materials] : materials_of)
    for (const std::int32_t m : materials) {
      const auto number = static_cast<std::uint16_t>(set_of.size());
      set_of[{group, m}] = number;
      sets += name(f.groups, group) + (materials.size() > 1 ? "_" + name(f.materials, m) : "") + "\n";
    }
  Snapshot s;
  SnapshotParticles& to = s.particles;
  to.id = p.id;
  to.x = p.x;
  to.v = p.v;
  to.w = p.w;
  to.q = p.q.size() == n ? p.q : std::vector<Quat>(n, Quat{1, 0, 0, 0});
  to.radius = p.radius;
  to.charge = p.charge.size() == n ? p.charge : std::vector<double>();
  to.prescribed = p.prescribed.size() == n ? p.prescribed : std::vector<std::uint8_t>();
  for (std::size_t k = 0; k < n; ++k) {
    const std::string material = name(f.materials, p.material[k]);
    double density = 0;
    for (const Material& m : c.materials)
      if (m.name == material) density = m.density;
    const double given = p.mass.size() == n ? p.mass[k] : 0;
    const BodyMass body = body_mass(c.domain, p.radius[k], given, density);
    if (!(body.mass > 0))
      throw FileError("the frame has no masses, and materials." + material + " of the case has no density");
    to.mass.push_back(body.mass);
    to.inv_j.push_back(1 / body.inertia);
    to.material.push_back(static_cast<std::uint16_t>(p.material[k]));
    to.group.push_back(static_cast<std::uint16_t>(p.group[k]));
    to.set.push_back(set_of[{p.group[k], p.material[k]}]);
  }
  to.placed_x = to.x;
  to.placed_q = to.q;
  to.force.resize(n);
  to.torque.resize(n);
  to.contacts.assign(n, 0);
  s.world.count.ids = n == 0 ? 0 : p.id.back() + 1;
  StartState state;
  Archive& a = state.archive;
  write(std::move(s), a);
  a.integer["of_a_frame"] = {1};
  const auto lines = [](const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& one : all) text += one + "\n";
    return text;
  };
  a.text["names/materials"] = lines(f.materials);
  a.text["names/groups"] = lines(f.groups);
  a.text["names/sets"] = sets;
  for (const char* none : {"walls", "wall_shapes", "bonds", "laws"}) a.text[fmt::format("names/{}", none)] = "";
  state.origin = fmt::format("{} (frame at t = {:.9g} s)", from, f.time);
  if (p.q.size() != n) state.notes.emplace_back("the frame has no orientations: particles begin unturned");
  return state;
}

// A run that is going on removes old ones while they are looked at: then there are newer ones.
Checkpoint newest_checkpoint(const fs::path& folder) {
  constexpr int kMostLooks = 3;
  for (int look = 1;; ++look) {
    try {
      return read_newest_checkpoint(folder);
    } catch (const FileError&) {
      if (look == kMostLooks) throw;
    }
  }
}

StartState read_state(const Case& c, const fs::path& folder) {
  const Start& start = c.start;
  const fs::path path = folder / start.from;
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw FileError("there is no such file or folder");
  if (fs::is_directory(status)) {
    if (start.time != Start::kLast) {
      if (list_frames(path).empty()) throw FileError("the folder holds no frames");
      return of_frame(read_frame(path, start.time), c, start.from);
    }
    if (find_checkpoints(path).empty())
      throw FileError("the folder holds no checkpoint; a run leaves one when it ends or is stopped");
    return of_checkpoint(newest_checkpoint(path), start.from);
  }
  if (path.extension() == ".h5") return of_checkpoint(read_checkpoint(path), start.from);
  if (path.extension() == ".vtp") return of_frame(read_particles_vtp(path), c, start.from);
  throw FileError("must be a results folder, a checkpoint (.h5) or a frame (.vtp)");
}

// Sets of the state that hold any particles: their names, and the material and group of those.
struct SetOfState {
  std::string name, material, group;
};

std::vector<SetOfState> sets_of(const Archive& a) {
  const std::vector<std::string> sets = lines_of(a, "sets"), materials = lines_of(a, "materials"),
                                 groups = lines_of(a, "groups");
  std::vector<SetOfState> found;
  const auto column = [&](const char* name) -> const std::vector<std::int64_t>& {
    const auto at = a.integer.find(name);
    if (at == a.integer.end()) throw FileError(fmt::format("the checkpoint lacks the array '{}'", name));
    return at->second;
  };
  const auto &set = column("particles/set"), &material = column("particles/material"),
             &group = column("particles/group");
  std::vector<std::uint8_t> seen(sets.size(), 0);
  std::vector<SetOfState> all(sets.size());
  for (std::size_t k = 0; k < set.size(); ++k) {
    const auto in = [&](std::int64_t v, const std::vector<std::string>& names) {
      if (v < 0 || static_cast<std::size_t>(v) >= names.size())
        throw FileError("a particle has a set that is not there");
      return static_cast<std::size_t>(v);
    };
    const std::size_t s = in(set[k], sets);
    if (seen[s] || k >= material.size() || k >= group.size()) continue;
    seen[s] = 1;
    all[s] = {sets[s], materials[in(material[k], materials)], groups[in(group[k], groups)]};
  }
  for (std::size_t s = 0; s < sets.size(); ++s)
    if (seen[s]) found.push_back(all[s]);
  return found;
}

}  // namespace

std::vector<Problem> take_start(Case& c, const fs::path& folder, std::vector<std::string>& excused) {
  std::vector<Problem> problems;
  const auto wrong = [&](const std::string& key, const std::string& value, const std::string& rule) {
    problems.push_back({"", 0, key, value, rule});
  };
  const std::string quoted = fmt::format("\"{}\"", c.start.from);
  const auto forgive_sets = [&] {
    for (const ParticleSet& set : c.particles)
      if (std::holds_alternative<Carried>(set.source)) excused.push_back("particles." + set.name);
  };
  auto state = std::make_shared<StartState>();
  std::vector<SetOfState> sets;
  try {
    *state = read_state(c, folder);
    sets = sets_of(state->archive);
  } catch (const FileError& e) {
    wrong("start.from", quoted, e.what());
    forgive_sets();
    return problems;
  }
  if (sets.empty()) wrong("start.from", quoted, "holds no particles");
  std::vector<std::string> names;
  for (const SetOfState& s : sets) names.push_back(s.name);
  for (const ParticleSet& set : c.particles) {
    const bool there = std::find(names.begin(), names.end(), set.name) != names.end();
    const bool carried = std::holds_alternative<Carried>(set.source);
    if (carried && !there)
      wrong(fmt::format("particles.{}.carried", set.name), "true",
            fmt::format("{} has no set of this name{}", c.start.from, suggestion(set.name, names)));
    if (!carried && there)
      wrong(fmt::format("particles.{}", set.name), "",
            fmt::format("a set of this name comes from {}: choose another one, or write `carried = true` for that set",
                        c.start.from));
  }
  std::vector<ParticleSet> all;
  for (const SetOfState& s : sets) {
    if (std::any_of(c.particles.begin(), c.particles.end(), [&](const ParticleSet& p) { return p.name == s.name; }))
      continue;
    if (std::none_of(c.materials.begin(), c.materials.end(), [&](const Material& m) { return m.name == s.material; })) {
      wrong("start.from", quoted,
            fmt::format("brings particles of the set `{0}`, made of `{1}`: write [materials.{1}], or [particles.{0}] "
                        "with `carried = true` and a material of this case",
                        s.name, s.material));
      continue;
    }
    ParticleSet set;
    set.name = s.name;
    set.group = s.group;
    set.material = s.material;
    set.source = Carried{};
    all.push_back(set);
  }
  if (!problems.empty()) return problems;
  all.insert(all.end(), c.particles.begin(), c.particles.end());
  c.particles = std::move(all);
  c.start.digest = digest_of(state->archive);
  c.start.state.held = std::move(state);
  return problems;
}

}  // namespace areia::io

namespace areia {

void read_start(Case& c, const std::filesystem::path& folder) {
  std::vector<std::string> excused;
  std::vector<Problem> problems = io::take_start(c, folder, excused);
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace areia
