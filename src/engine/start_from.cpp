#include "engine/start_from.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/start.h"
#include "core/digest.h"
#include "engine/shown_contacts.h"
#include "physics/interaction.h"
#include "search/periodicity.h"

namespace areia {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

template <class All, class Text>
std::string text_of(const All& all, Text&& text) {
  std::string lines;
  for (const auto& one : all) lines += text(one) + "\n";
  return lines;
}

// A wall's shape, whatever the wall is called, is made of and does.
std::string shape_of(const Wall& wall) {
  Digest digest;
  Wall plain;
  plain.name = "wall";
  if (const auto* mesh = std::get_if<MeshShape>(&wall.shape)) {
    for (const Vec3d& v : mesh->vertices) digest.vector(v);
    for (const auto& triangle : mesh->triangles)
      for (const std::int32_t vertex : triangle) digest.integer(vertex);
    plain.shape = MeshShape{"", "", mesh->scale, mesh->shift, mesh->patch_angle, mesh->repair, {}, {}};
  } else {
    plain.shape = wall.shape;
  }
  Case c;
  c.walls = {plain};
  digest.name(to_toml(c));
  return digest.text();
}

// Two materials and the laws between them: what contacts remember belongs to the laws, not to their parameters.
std::string laws_of(const ContactPair& p) {
  const auto name = [](const LawChoice& c) { return c.law.empty() ? std::string("none") : c.law; };
  const auto [a, b] = std::minmax(p.a, p.b);
  return fmt::format("{}-{} {} {} {} {} {}", a, b, name(p.normal), name(p.adhesion), name(p.tangential),
                     name(p.rolling), name(p.twisting));
}

std::size_t index_in(const std::vector<std::string>& all, const std::string& name) {
  return static_cast<std::size_t>(std::find(all.begin(), all.end(), name) - all.begin());
}

std::string number_of(std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

void save_names(const Scene& scene, Archive& a) {
  const Case& c = scene.settings;
  const auto name = [](const auto& one) { return one.name; };
  a.text["names/materials"] = text_of(scene.materials, name);
  a.text["names/groups"] = text_of(scene.groups, [](const std::string& g) { return g; });
  a.text["names/sets"] = text_of(c.particles, name);
  a.text["names/walls"] = text_of(c.walls, name);
  a.text["names/wall_shapes"] = text_of(c.walls, shape_of);
  a.text["names/bonds"] = text_of(c.bonds, name);
  a.text["names/laws"] = text_of(c.contacts, laws_of);
}

// ---- before anything is placed ----

struct StartPlan::Count {
  std::size_t contacts = 0, bonds = 0;
  std::map<std::string, std::size_t> lost_contacts, lost_bonds;  // by their reasons

  static std::string in_words(const std::map<std::string, std::size_t>& lost) {
    std::string words;
    for (const auto& [why, n] : lost) words += fmt::format("{}{} {}", words.empty() ? "" : ", ", n, why);
    return words;
  }
};

StartPlan::StartPlan(const Case& c) {
  const StartState* const state = c.start.state.held.get();
  const auto refuse = [&](const std::string& why) {
    throw InputError("start.from", fmt::format("\"{}\"", c.start.from), why);
  };
  if (!state) refuse("the state was not read; `read_start` does that");
  origin_ = state->origin;
  notes_ = state->notes;
  const Archive& a = state->archive;
  const auto names = [&](const char* what) {
    const auto at = a.text.find(fmt::format("names/{}", what));
    if (at == a.text.end()) refuse(fmt::format("the state does not tell the names of its {}", what));
    return lines_of(at->second);
  };
  names_ = {names("materials"),   names("groups"), names("sets"), names("walls"),
            names("wall_shapes"), names("bonds"),  names("laws")};
  try {
    from_ = read_snapshot(a, SnapshotShape{names_.materials.size(), names_.groups.size(), names_.sets.size(),
                                           names_.walls.size(), names_.bonds.size(), a.real.contains("cell")});
    shown_ = read_shown(a, from_.world.count.ids, names_.walls.size());
  } catch (const FileError& e) { refuse(e.what()); }
  if (names_.shapes.size() != names_.walls.size()) refuse("the state does not tell the shapes of its walls");
  if (const Vec3d had = from_.world.cell.length, has = c.domain.box.max - c.domain.box.min; !(had == Vec3d{})) {
    // its images are in contact across the faces as they are now
    for (int k = 0; k < 3; ++k)
      if (c.domain.periodic[k] && !(std::fabs(component(had, k) - component(has, k)) <= 1e-12 * component(had, k)))
        refuse(fmt::format(
            "its periodic cell was deformed to {:.17g} m along {}, where domain.box has {:.17g} m; give the "
            "box that length",
            component(had, k), "xyz"[k], component(has, k)));
  }
  remembers_ = !a.integer.contains("of_a_frame");
  std::vector<std::string> sets;
  for (const ParticleSet& set : c.particles)
    sets.push_back(std::holds_alternative<Carried>(set.source) ? set.name : std::string());
  for (const std::string& name : names_.sets) set_of_.push_back(index_in(sets, name));
  plan_walls(c);
  plan_bodies(c);
}

// A wall of the same name and shape is where the run has left it, unless the case wants it as written. Of a servo that
// goes on, and that alone had moved the wall, the shift stays its own.
void StartPlan::plan_walls(const Case& c) {
  wall_here_.assign(names_.walls.size(), -1);
  for (std::size_t w = 0; w < c.walls.size(); ++w) {
    const Wall& wall = c.walls[w];
    WallPlan plan;
    Pose begins;
    const std::size_t there = index_in(names_.walls, wall.name);
    if (there < names_.walls.size() && remembers_) {
      const WallState& left = from_.world.walls[there];
      const bool same = names_.shapes.at(there) == shape_of(wall), in_place = left.pose.in_place();
      const bool as_left = c.start.walls == Start::Walls::as_left;
      plan.there = there;
      plan.fate = !left.present         ? WallFate::absent
                  : !same               ? WallFate::other_shape
                  : as_left || in_place ? WallFate::goes_on
                                        : WallFate::moved;
      if (!left.present) {
        // it comes back where it is written
      } else if (same && as_left) {
        plan.servo = wall.servo.on && left.pose.q == Quat{1, 0, 0, 0} &&
                     left.pose.shift == left.servo.shift * unit(wall.servo.axis);
        if (!plan.servo && !in_place) {
          begins.q = left.pose.q;
          begins.center = left.pose.center;
          begins.shift = left.pose.shift;
          notes_.push_back(fmt::format("walls.{} begins where it was left, {:.6g} m from where it is written{}",
                                       wall.name, norm(begins.shift), begins.q == Quat{1, 0, 0, 0} ? "" : ", turned"));
        }
        if (plan.servo && left.servo.shift != 0)
          notes_.push_back(fmt::format("walls.{} begins where its servo has left it, {:.6g} m along its axis",
                                       wall.name, left.servo.shift));
      } else if (!in_place) {
        notes_.push_back(fmt::format("walls.{} begins where it is written; the run had left it {:.6g} m from there{}",
                                     wall.name, norm(left.pose.shift), same ? "" : ", in another shape"));
      }
      if (plan.fate == WallFate::goes_on) wall_here_[there] = static_cast<std::int32_t>(w);
    }
    walls_.push_back(plan);
    bodies_.walls.push_back(begins);
  }
}

void StartPlan::plan_bodies(const Case& c) {
  const SnapshotParticles& p = from_.particles;
  const std::size_t n = p.size();
  const Periodicity periodicity = periodicity_of(c.domain);
  SceneParticles& to = bodies_.particles;
  to.v = p.v;
  to.w = p.w;
  to.q = p.q;
  to.radius = p.radius;
  to.mass = p.mass;
  to.charge = p.charge;
  to.charge.resize(n);
  std::size_t standing = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t set = set_of_[p.set[k]];
    if (set >= c.particles.size())
      throw InputError("start.from", fmt::format("\"{}\"", c.start.from),
                       fmt::format("brings the set `{}`, which the case does not have", names_.sets[p.set[k]]));
    const bool was = !p.prescribed.empty() && p.prescribed[k] != 0;
    const bool prescribed = was || c.particles[set].prescribed;
    to.x.push_back(periodicity.wrapped(p.x[k]));
    to.set.push_back(static_cast<std::uint16_t>(set));
    to.prescribed.push_back(prescribed);
    to.turns.push_back(p.inv_j[k] > 0);
    to.inertia.push_back(p.inv_j[k] > 0 ? 1 / p.inv_j[k] : 1);
    if (!prescribed) continue;
    if (was && !(p.v[k] == Vec3d{} && p.w[k] == Vec3d{}) && c.particles[set].motion.kind == Motion::Kind::fixed)
      ++standing;
    to.v[k] = to.w[k] = {};
  }
  if (standing > 0)
    notes_.push_back(fmt::format("{} that moved by a motion stand still: that is for this case to say",
                                 number_of(standing, "particle")));
  const SnapshotContacts& contacts = from_.contacts;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    if (contacts.j[k] >= 0 || wall_here_[contacts.wall[k]] < 0) continue;
    const auto at = std::lower_bound(p.id.begin(), p.id.end(), contacts.i[k]) - p.id.begin();
    bodies_.touching.emplace(static_cast<std::size_t>(at), static_cast<std::size_t>(wall_here_[contacts.wall[k]]));
  }
}

// ---- in the numbers of the scene ----

Takeover StartPlan::take(const Scene& scene) const {
  Takeover t;
  Count count;
  take_particles(scene, t.state.particles);
  take_walls(scene, t);
  take_bonds(scene, t, count);
  take_contacts(scene, t, count);
  take_shown(t);
  const std::size_t fresh = scene.particles.size() - from_.particles.size();
  t.change.touch = t.change.touch || fresh > 0 || !remembers_;
  Counters& counters = t.state.world.count;
  counters = {};
  counters.ids = from_.world.count.ids + static_cast<std::int64_t>(fresh);

  std::string note = fmt::format("start: {} of {}", number_of(from_.particles.size(), "particle"), origin_);
  if (remembers_) note += fmt::format("; {} go on", number_of(count.contacts, "contact"));
  if (count.bonds > 0) note += fmt::format(", {} too", number_of(count.bonds, "bond"));
  note += "; time begins at 0";
  t.notes.push_back(note);
  if (!count.lost_contacts.empty())
    t.notes.push_back("start: contacts that do not go on: " + Count::in_words(count.lost_contacts));
  if (!count.lost_bonds.empty())
    t.notes.push_back("start: bonds that do not go on: " + Count::in_words(count.lost_bonds));
  if (!remembers_) t.notes.emplace_back("start: a frame knows nothing of what contacts remember: they begin anew");
  for (const std::string& n : notes_) t.notes.push_back("start: " + n);
  return t;
}

// Those of the state with what they were at its last evaluation, then those that the case adds, which have felt
// nothing.
void StartPlan::take_particles(const Scene& scene, SnapshotParticles& to) const {
  const SceneParticles& here = scene.particles;
  const std::size_t n = here.size(), carried = from_.particles.size();
  const Scheme scheme = scene.settings.numerics.scheme;
  to = from_.particles;
  to.x = here.x;
  to.v = here.v;
  to.w = here.w;
  to.q = here.q;
  to.radius = here.radius;
  to.mass = here.mass;
  to.material = here.material;
  to.group = here.group;
  to.set = here.set;
  to.charge = here.charge;
  to.prescribed = here.prescribed;
  to.placed_x = here.x;
  to.placed_q = here.q;
  for (std::size_t k = 0; k < n; ++k)
    if (!here.prescribed[k]) {
      to.placed_x[k] = {};
      to.placed_q[k] = {1, 0, 0, 0};
    }
  to.friction = to.bond_torque = {};
  if (scheme != Scheme::velocity_verlet) to.old_acceleration = to.old_turning = {};
  for (std::size_t k = carried; k < n; ++k) {
    to.id.push_back(from_.world.count.ids + static_cast<std::int64_t>(k - carried));
    to.inv_j.push_back(here.turns[k] ? 1 / here.inertia[k] : 0);
  }
  for (auto* column : {&to.force, &to.torque}) column->resize(n);
  for (auto* column : {&to.field, &to.drag, &to.distant, &to.old_acceleration, &to.old_turning})
    if (!column->empty()) column->resize(n);
  to.contacts.resize(n, 0);
}

void StartPlan::take_walls(const Scene& scene, Takeover& t) const {
  for (std::size_t w = 0; w < scene.walls.size(); ++w) {
    const SceneWall& wall = scene.walls[w];
    const WallPlan& plan = walls_[w];
    WallState state;
    state.pose = composed(wall.begins, pose_at(wall.motion, 0));
    const bool goes_on = plan.fate == WallFate::goes_on;
    if (goes_on) state.sum = from_.world.walls[plan.there].sum;
    if (plan.servo) {
      state.servo = from_.world.walls[plan.there].servo;
      state.pose.shift += state.servo.shift * unit(wall.servo.axis);
    }
    state.present = wall.present && goes_on;
    if (wall.present && !goes_on) t.change.insert_walls.push_back(static_cast<std::uint16_t>(w));
    state.look();
    t.state.world.walls.push_back(state);
  }
}

void StartPlan::take_bonds(const Scene& scene, Takeover& t, Count& count) const {
  const std::vector<BondSet>& sets = scene.settings.bonds;
  std::set<std::string> made;
  for (std::size_t k = 0; k < from_.bonds.all.size(); ++k) {
    Bond bond = from_.bonds.all[k];
    const std::string& name = names_.bonds[bond.set];
    made.insert(name);
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const BondSet& b) { return b.name == name; });
    const bool wall_stays = bond.j >= 0 || wall_here_[bond.wall] >= 0;
    if (set == sets.end() || !wall_stays) {
      ++count.lost_bonds[set == sets.end()
                             ? fmt::format("of bonds.{}, which is not there", name)
                             : fmt::format("to walls.{}, which is not as it was", names_.walls[bond.wall])];
      t.change.touch = true;  // bodies that had no contact while they were bonded
      continue;
    }
    bond.set = static_cast<std::int32_t>(set - sets.begin());
    if (bond.j < 0) bond.wall = wall_here_[bond.wall];
    t.state.bonds.all.push_back(bond);
    t.state.bonds.force.push_back(from_.bonds.force[k]);
    ++count.bonds;
  }
  for (const FrameBreak& b : from_.bonds.breaks)
    if (b.set >= 0 && static_cast<std::size_t>(b.set) < names_.bonds.size()) made.insert(names_.bonds[b.set]);
  // what was glued and broken is not glued again
  for (std::size_t k = 0; k < sets.size(); ++k)
    if (sets[k].start_stage.empty() && !made.contains(sets[k].name))
      t.change.make_bonds.push_back(static_cast<std::uint16_t>(k));
}

void StartPlan::take_contacts(const Scene& scene, Takeover& t, Count& count) const {
  const SnapshotContacts& c = from_.contacts;
  SnapshotParticles& p = t.state.particles;
  const std::size_t materials = scene.materials.size();
  // numbers that contacts of two materials remember; -1: their laws are others than they were
  std::vector<int> numbers(materials * materials, -1);
  for (std::size_t a = 0; a < materials; ++a)
    for (std::size_t b = 0; b < materials; ++b) {
      const std::int32_t k = scene.contact_index(a, b);
      if (k < 0) continue;
      const ContactPair& pair = scene.settings.contacts[k];
      if (std::find(names_.laws.begin(), names_.laws.end(), laws_of(pair)) == names_.laws.end()) continue;
      numbers[a * materials + b] = Interaction(pair, {scene.materials[a], scene.materials[b]}).history();
    }
  std::set<std::tuple<std::int64_t, std::int64_t, std::int32_t>> apart;
  for (const Bond& b : t.state.bonds.all)
    if (!scene.settings.bonds[b.set].contact) apart.emplace(b.i, b.j, b.wall);

  struct Kept {
    std::int64_t i, j;
    std::int32_t wall, patch, k;
    std::size_t at, history;
    const WallMemory* place;
    auto key() const { return std::tie(i, j, wall, patch, k); }
  };
  std::vector<Kept> kept;
  const auto row = [&](std::int64_t id) {
    return static_cast<std::size_t>(std::lower_bound(p.id.begin(), p.id.end(), id) - p.id.begin());
  };
  std::size_t history = 0, place = 0;
  for (std::size_t e = 0; e < c.size(); ++e) {
    const bool at_wall = c.j[e] < 0;
    const std::size_t begin = history;
    history += static_cast<std::size_t>(c.numbers[e]);
    const WallMemory* const memory = at_wall ? &c.place[place++] : nullptr;
    const std::size_t i = row(c.i[e]), j = at_wall ? i : row(c.j[e]);
    const std::int32_t wall = at_wall ? wall_here_[c.wall[e]] : -1;
    std::string why;
    if (at_wall && (wall < 0 || !scene.walls[wall].present)) {
      why = fmt::format("with walls.{}, which is not there, or not as it was", names_.walls[c.wall[e]]);
    } else {
      const std::size_t other = at_wall ? scene.walls[wall].material : p.material[j];
      if (p.prescribed[i] != 0 && (at_wall || p.prescribed[j] != 0)) why = "between bodies that nothing moves";
      else if (apart.contains({c.i[e], c.j[e], wall})) why = "between bonded bodies, which do not touch";
      else if (numbers[p.material[i] * materials + other] != c.numbers[e]) {
        why = "between materials whose laws are others";
        t.change.touch = true;
      }
    }
    if (why.empty()) {
      kept.push_back({c.i[e], c.j[e], wall, c.patch[e], c.k[e], e, begin, memory});
      continue;
    }
    ++count.lost_contacts[why];
    const auto one_less = [&](std::size_t k) {
      p.contacts[k] = static_cast<std::uint16_t>(std::max(1, +p.contacts[k]) - 1);
    };
    one_less(i);
    if (!at_wall) one_less(j);
  }
  // numbers of walls may have changed their order
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.key() < b.key(); });
  SnapshotContacts& to = t.state.contacts;
  for (const Kept& one : kept) {
    to.i.push_back(one.i);
    to.j.push_back(one.j);
    to.wall.push_back(one.wall);
    to.patch.push_back(one.patch);
    to.k.push_back(one.k);
    to.numbers.push_back(c.numbers[one.at]);
    const auto first = c.history.begin() + static_cast<std::ptrdiff_t>(one.history);
    to.history.insert(to.history.end(), first, first + c.numbers[one.at]);
    if (!one.place) continue;
    to.place.push_back(*one.place);
    to.place.back().wall = one.wall;
  }
  count.contacts = kept.size();
}

// As frames order them: of each particle its partners, then walls.
void StartPlan::take_shown(Takeover& t) const {
  const SnapshotContacts& kept = t.state.contacts;
  std::set<std::tuple<std::int64_t, std::int64_t, std::int32_t, std::int32_t>> there;
  for (std::size_t k = 0; k < kept.size(); ++k) there.emplace(kept.i[k], kept.j[k], kept.wall[k], kept.patch[k]);
  for (FrameContact c : shown_) {
    if (c.j < 0) c.wall = wall_here_[c.wall];
    if (there.contains({c.i, c.j, c.wall, c.patch})) t.shown.push_back(c);
  }
  std::stable_sort(t.shown.begin(), t.shown.end(), [](const FrameContact& a, const FrameContact& b) {
    return std::tuple(a.i, a.j < 0, a.j, a.wall) < std::tuple(b.i, b.j < 0, b.j, b.wall);
  });
}

Scene scene_of(Case c) {
  if (c.start.from.empty()) return make_scene(std::move(c));
  const StartPlan plan(c);
  return make_scene(std::move(c), plan.bodies());
}

}  // namespace areia
