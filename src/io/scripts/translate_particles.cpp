// Particles that are there when the first run begins, and groups of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "core/range.h"
#include "io/files/line_pieces.h"
#include "io/particles/particle_files.h"
#include "io/scripts/translation.h"

namespace areia::io {
namespace {

constexpr std::size_t kMostSites = 100000, kMostDensities = 4;
constexpr std::int64_t kLastId = std::int64_t{1} << 53;

double volume_of(double radius) { return 4.0 / 3 * std::numbers::pi * radius * radius * radius; }

// "2", "1*3", "*4", "2*", "*": a number, or all from one to another.
std::optional<std::array<std::int64_t, 2>> range_of(std::string_view word, char between, std::int64_t last) {
  std::array<std::int64_t, 2> ends{1, last};
  const std::size_t at = word.find(between);
  const std::string_view low = word.substr(0, at);
  if (at == std::string_view::npos) {
    if (!read_number(low, ends[0])) return std::nullopt;
    ends[1] = ends[0];
    return ends;
  }
  const std::string_view high = word.substr(at + 1);
  if ((!low.empty() && !read_number(low, ends[0])) || (!high.empty() && !read_number(high, ends[1])))
    return std::nullopt;
  return ends;
}

std::array<int, 2> types_of(const std::string& word, Arguments& a, int last) {
  const auto r = range_of(word, '*', last);
  if (!r) a.wrong("type", word, "must be a type, or a range such as 1*3");
  return {static_cast<int>(std::clamp<std::int64_t>((*r)[0], 1, last + 1)),
          static_cast<int>(std::clamp<std::int64_t>((*r)[1], 0, last))};
}

}  // namespace

std::array<int, 2> Translation::type_range(const std::string& word, Arguments& a) const {
  return types_of(word, a, std::max(types_, 1));
}

void Translation::add_atom(int type, const Vec3d& x) {
  ScriptAtom atom;
  atom.id = static_cast<std::int64_t>(atoms_.size()) + 1;
  atom.type = type;
  atom.x = x;
  atom.radius = 0.5 * units.length;
  atom.density = units.density();
  atoms_.push_back(atom);
}

void Translation::before_the_runs() const {
  if (!runs_.empty()) throw NotTakenOver{"particles are made, grouped and set before the first run here"};
}

void Translation::create_atoms(const Command& c, Arguments& a) {
  before_the_runs();
  const std::int64_t type = a.whole("type");
  if (type < 1 || type > std::max(types_, 1)) a.wrong("type", c.words[1], "must be one of the types of the box");
  const std::string& style = a.word("style");
  bool in_box_units = false;
  for (std::size_t k = 0; k + 1 < c.words.size(); ++k)
    in_box_units = in_box_units || (c.words[k] == "units" && c.words[k + 1] == "box");
  const Vec3d spacing = lattice_spacing(), unit = in_box_units ? units.length * Vec3d{1, 1, 1} : spacing;
  if (style == "single") {
    Vec3d x;
    for (int k = 0; k < 3; ++k) component(x, k) = a.number("place", component(unit, k));
    return add_atom(static_cast<int>(type), x);
  }
  if (style != "box" && style != "region")
    throw NotTakenOver{fmt::format("create_atoms {}: particles at random may overlap; [particles] has `fill`", style)};
  if (!box_) throw NotTakenOver{"there is no box yet"};
  if (lattice_style_ == "none") a.wrong("style", style, "needs a lattice");
  const ScriptRegion* r = style == "region" ? &named_region(a.word("region")) : nullptr;
  std::vector<Vec3d> basis{{0, 0, 0}};
  if (lattice_style_ == "bcc") basis.push_back({0.5, 0.5, 0.5});
  if (lattice_style_ == "sq2" || lattice_style_ == "hex") basis.push_back({0.5, 0.5, 0});
  if (lattice_style_ == "fcc") basis.insert(basis.end(), {{0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}});
  const bool flat = case_.domain.dimension == 2;
  std::array<double, 3> first{}, last{};
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    first[k] = flat && k == 2 ? 0 : std::floor(component(box_->min, k) / component(spacing, k)) - 1;
    last[k] = flat && k == 2 ? 0 : std::ceil(component(box_->max, k) / component(spacing, k));
    cells *= last[k] - first[k] + 1;
    if (!(std::fabs(first[k]) < 1e9 && std::fabs(last[k]) < 1e9))  // beyond, a cell is no step for a double
      a.wrong("lattice", c.text, "must not be finer than a billionth of the box's distance from the origin");
  }
  sites_ += cells * static_cast<double>(basis.size());
  if (!(sites_ <= static_cast<double>(kMostSites)))
    a.wrong("lattice", c.text,
            fmt::format("has more than {} sites in the box; read_data takes any number of particles", kMostSites));
  for (double z = first[2]; z <= last[2]; ++z)
    for (double y = first[1]; y <= last[1]; ++y)
      for (double x = first[0]; x <= last[0]; ++x)
        for (const Vec3d& b : basis) {
          const Vec3d at{(x + b.x) * spacing.x, (y + b.y) * spacing.y, (z + b.z) * spacing.z};
          bool in = !r || contains(*r, at);
          for (int k = 0; k < 3; ++k)
            in = in && ((flat && k == 2) ||
                        (component(at, k) >= component(box_->min, k) && component(at, k) < component(box_->max, k)));
          if (in) add_atom(static_cast<int>(type), at);
        }
}

void Translation::read_data(const Command& c, Arguments& a) {
  before_the_runs();
  const std::filesystem::path file = std::filesystem::path(file_).parent_path() / a.word("file");
  std::string why;
  const auto text = options_.read(file, why);
  if (!text) a.wrong("file", file.string(), "cannot read the file: " + why);
  std::vector<Problem> found;
  const LammpsData data = parse_lammps_data(*text, file.string(), found);
  if (!found.empty()) {
    problems_.insert(problems_.end(), found.begin(), found.end());
    return;
  }
  if (!a.done()) note(fmt::format("line {}: read_data without its further keywords", c.line));
  types_ = std::max<int>(types_, static_cast<int>(std::clamp<std::int64_t>(data.types, 1, 100)));
  if (data.box) set_box({units.length * data.box->min, units.length * data.box->max});
  for (const LammpsData::Atom& d : data.atoms) {
    if (d.type > types_) {
      a.wrong("file", file.string(), fmt::format("holds an atom of type {}, of {} types", d.type, types_));
    }
    ScriptAtom atom;
    atom.id = d.id;
    atom.type = static_cast<int>(d.type);
    atom.x = units.length * d.particle.x;
    atom.v = units.velocity() * d.particle.v;
    atom.w = (1 / units.time) * d.particle.w;
    atom.radius = units.length * d.particle.radius;
    atom.density = units.density() * d.density;
    atoms_.push_back(atom);
  }
}

// --- groups ---------------------------------------------------------------------------------------------------------
const ScriptGroup& Translation::named_group(const std::string& name) const {
  const auto at = groups_.find(name);
  if (at == groups_.end()) throw NotTakenOver{fmt::format("the group `{}` is not there, or was not taken over", name)};
  return at->second;
}

bool Translation::in_group(const ScriptGroup& g, std::size_t atom) const {
  return g.all || g.types.contains(atoms_[atom].type) || g.atoms.contains(atom);
}

void Translation::group(Arguments& a) {
  const std::string name = a.word("id");
  const std::string& style = a.word("style");
  if (name == "all") a.wrong("id", name, "is there already");
  ScriptGroup& g = groups_[name];  // what is named again is added
  if (style == "type") {
    while (!a.done()) {
      const auto [low, high] = type_range(a.word("type"), a);
      for (int t = low; t <= high; ++t) g.types.insert(t);
    }
    return;
  }
  before_the_runs();
  const auto add = [&](const auto& belongs) {
    for (std::size_t k = 0; k < atoms_.size(); ++k)
      if (belongs(k)) g.atoms.insert(k);
  };
  if (style == "region") {
    const ScriptRegion& r = named_region(a.word("region"));
    add([&](std::size_t k) { return contains(r, atoms_[k].x); });
  } else if (style == "id") {
    while (!a.done()) {
      const std::string& word = a.word("id");
      const auto range = range_of(word, ':', 0);
      if (!range) a.wrong("id", word, "must be an id, or a range such as 1:10");
      add([&](std::size_t k) { return atoms_[k].id >= (*range)[0] && atoms_[k].id <= (*range)[1]; });
    }
  } else if (style == "union") {
    while (!a.done()) {
      const ScriptGroup& other = named_group(a.word("group"));
      g.types.insert(other.types.begin(), other.types.end());
      add([&](std::size_t k) { return in_group(other, k); });
    }
  } else if (style == "subtract") {
    const ScriptGroup from = named_group(a.word("group"));
    std::vector<ScriptGroup> others;
    while (!a.done()) others.push_back(named_group(a.word("group")));
    add([&](std::size_t k) {
      return in_group(from, k) &&
             std::none_of(others.begin(), others.end(), [&](const ScriptGroup& o) { return in_group(o, k); });
    });
  } else {
    groups_.erase(name);
    throw NotTakenOver{fmt::format("groups by `{}`", style)};
  }
}

void Translation::set(const Command& c, Arguments& a) {
  before_the_runs();
  const std::string& style = a.word("style");
  const std::string id = a.word("id");
  std::vector<std::size_t> chosen;
  const auto choose = [&](const auto& belongs) {
    for (std::size_t k = 0; k < atoms_.size(); ++k)
      if (belongs(k)) chosen.push_back(k);
  };
  if (style == "type") {
    const auto [low, high] = type_range(id, a);
    choose([&, low = low, high = high](std::size_t k) { return atoms_[k].type >= low && atoms_[k].type <= high; });
  } else if (style == "group") {
    const ScriptGroup& g = named_group(id);
    choose([&](std::size_t k) { return in_group(g, k); });
  } else if (style == "atom") {
    const auto range = range_of(id, '*', kLastId);
    if (!range) a.wrong("id", id, "must be an id, or a range such as 1*10");
    choose([&](std::size_t k) { return atoms_[k].id >= (*range)[0] && atoms_[k].id <= (*range)[1]; });
  } else if (style == "region") {
    const ScriptRegion& r = named_region(id);
    choose([&](std::size_t k) { return contains(r, atoms_[k].x); });
  } else {
    throw NotTakenOver{fmt::format("set {}", style)};
  }
  if (chosen.empty()) throw NotTakenOver{"it concerns no particle that is there at that point"};
  while (!a.done()) {
    const std::string key = a.word("keyword");
    const auto each = [&](const auto& f) {
      for (std::size_t k : chosen) f(atoms_[k]);
    };
    if (key == "diameter") each([d = a.positive("diameter", units.length)](ScriptAtom& p) { p.radius = d / 2; });
    else if (key == "density") each([d = a.positive("density", units.density())](ScriptAtom& p) { p.density = d; });
    else if (key == "mass")
      each([m = a.positive("mass", units.mass)](ScriptAtom& p) { p.density = m / volume_of(p.radius); });
    else if (key == "omega") each([w = a.vector("omega", 1 / units.time)](ScriptAtom& p) { p.w = w; });
    else if (key == "type") {
      const std::int64_t t = a.whole("type");
      if (t < 1 || t > std::max(types_, 1)) a.wrong("type", c.text, "must be one of the types of the box");
      each([t](ScriptAtom& p) { p.type = static_cast<int>(t); });
    } else if (key == "x" || key == "y" || key == "z") {
      each([v = a.number("place", units.length), k = key[0] - 'x'](ScriptAtom& p) { component(p.x, k) = v; });
    } else if (key == "vx" || key == "vy" || key == "vz") {
      each([v = a.number("velocity", units.velocity()), k = key[1] - 'x'](ScriptAtom& p) { component(p.v, k) = v; });
    } else {
      throw NotTakenOver{fmt::format("set ... {} (what stands before it is taken over)", key)};
    }
  }
}

void Translation::velocity(Arguments& a) {
  before_the_runs();
  const ScriptGroup& g = named_group(a.word("group"));
  const std::string& style = a.word("style");
  if (style != "set") throw NotTakenOver{fmt::format("velocity {}: [particles] has velocity and velocity_std", style)};
  std::array<std::optional<double>, 3> v;
  for (auto& one : v) {
    one = a.number_or_null("velocity");
    if (one) *one *= units.velocity();
  }
  bool found = false;
  for (std::size_t k = 0; k < atoms_.size(); ++k) {
    if (!in_group(g, k)) continue;
    found = true;
    for (int axis = 0; axis < 3; ++axis)
      if (v[axis]) component(atoms_[k].v, axis) = *v[axis];
  }
  if (!found) throw NotTakenOver{"it concerns no particle that is there at that point"};
}

void Translation::integrate(const ScriptFix& f) {
  named_group(f.group);
  integrated_.push_back(f.group);
}

// fix move and fix freeze: prescribed particles.
void Translation::move_group(const ScriptFix& f) {
  const ScriptGroup& g = named_group(f.group);
  Arguments a(*this, f.command, 4);
  const Motion m = f.style == "freeze" ? Motion{} : motion_of(f, a);
  bool found = false;
  for (std::size_t k = 0; k < atoms_.size(); ++k)
    if (in_group(g, k)) {
      // what is frozen and moved, too, moves
      if (f.style != "freeze" || !motion_of_atom_.contains(k)) motion_of_atom_[k] = moves_.size();
      found = true;
    }
  if (!found) throw NotTakenOver{"it concerns no particle that is there when the first run begins"};
  if (f.runs.begin > 0 || f.runs.end >= 0)
    note(fmt::format("fix {}: the particles of group {} are prescribed during all runs", f.id, f.group));
  moves_.emplace_back(m, f.group);
}

// --- sets and materials ---------------------------------------------------------------------------------------------
// One set for each type, density and motion, in the order in which they are met.
void Translation::finish_atoms() {
  struct Key {
    int type;
    double density;
    std::size_t motion;  // of moves_; beyond: free, or at rest
    bool operator<(const Key& o) const {
      return std::tie(type, density, motion) < std::tie(o.type, o.density, o.motion);
    }
  };
  const std::size_t free = moves_.size(), fixed = free + 1;
  std::map<Key, std::size_t> sets;
  std::map<int, std::set<double>> densities;  // where there are many of a type, particles have their own masses
  for (const ScriptAtom& p : atoms_)
    if (std::set<double>& d = densities[p.type]; d.size() <= kMostDensities) d.insert(p.density);
  for (std::size_t k = 0; k < atoms_.size(); ++k) {
    const ScriptAtom& p = atoms_[k];
    const auto moved = motion_of_atom_.find(k);
    const bool is_integrated = std::any_of(integrated_.begin(), integrated_.end(),
                                           [&](const std::string& g) { return in_group(groups_.at(g), k); });
    const std::size_t motion = moved != motion_of_atom_.end()         ? moved->second
                               : is_integrated || integrated_.empty() ? free
                                                                      : fixed;
    const bool own_mass = densities[p.type].size() > kMostDensities;
    const double density = own_mass ? *densities[p.type].begin() : p.density;
    const auto [at, fresh] = sets.try_emplace({p.type, density, motion}, case_.particles.size());
    if (fresh) {
      ParticleSet s;
      s.name = unique_name(motion < free ? moves_[motion].second
                                         : fmt::format("type{}{}", p.type, motion == fixed ? "_fixed" : ""));
      s.group = fmt::format("type{}", p.type);
      s.material = material(p.type, density);
      s.prescribed = motion != free;
      if (motion < free) s.motion = moves_[motion].first;
      s.source = std::vector<ListedParticle>{};
      case_.particles.push_back(std::move(s));
    }
    ListedParticle l;
    l.x = p.x;
    l.radius = p.radius;
    if (own_mass) l.mass = p.density * volume_of(p.radius);
    if (motion == free) {
      l.v = p.v;
      l.w = p.w;
    }
    std::get<std::vector<ListedParticle>>(case_.particles[at->second].source).push_back(l);
    means_[p.type].add(1, p.radius, p.density * volume_of(p.radius));
  }
  if (sets.size() > 1) note("particles are numbered from 0 here, set by set");
}

const std::string& Translation::material(int type, double density) {
  // a wall of a type has no density of its own
  if (density == 0)
    for (const auto& [key, name] : materials_)
      if (key.first == type) return name;
  const auto at = materials_.find({type, density});
  if (at != materials_.end()) return at->second;
  const auto unused = materials_.find({type, 0});
  if (unused != materials_.end()) {  // that of a wall gets the density of the first particles
    const std::string name = unused->second;
    materials_.erase(unused);
    return materials_[{type, density}] = name;
  }
  int count = 1;
  for (const auto& [key, name] : materials_) count += key.first == type;
  return materials_[{type, density}] = count == 1 ? fmt::format("type{}", type) : fmt::format("type{}_{}", type, count);
}

}  // namespace areia::io
