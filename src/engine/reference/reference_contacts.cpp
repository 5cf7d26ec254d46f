// Contacts of the reference backend: every pair, every patch of every wall, every triangle of every mesh.
#include <algorithm>
#include <numeric>

#include "engine/reference/reference_forces.h"
#include "motion/schemes.h"
#include "physics/material_pair.h"
#include "physics/touch.h"

namespace areia::reference {

Forces::Forces(World& world, State& state)
    : world_(world), state_(state), scheme_(world.scene().settings.numerics.scheme), plan_(plan_forces(world.scene())) {
  const Scene& scene = world.scene();
  for (std::size_t a = 0; a < scene.materials.size(); ++a)
    for (std::size_t b = 0; b < scene.materials.size(); ++b)
      if (const std::int32_t k = scene.contact_index(a, b); k >= 0)
        laws_.emplace(std::pair(a, b),
                      Interaction(scene.settings.contacts[k], {scene.materials[a], scene.materials[b]}));
}

void Forces::evaluate(const Evaluation& how) {
  how_ = how;
  failed_ = kNone;
  shown_.clear();
  met_.assign(state_.particles.size(), 0);
  for (Particle& p : state_.particles) p.force = p.torque = {};
  on_walls_.clear(world_.now().walls.size());
  for (Particle& i : state_.particles) {
    for (Particle* j = &i + 1; j != state_.particles.data() + state_.particles.size(); ++j)
      if (!(i.prescribed && j->prescribed) && !is_apart(i.id, j->id, -1)) meet(i, *j);
    if (i.prescribed) continue;
    for (std::int32_t w = 0; w < static_cast<std::int32_t>(world_.now().walls.size()); ++w)
      if (world_.now().walls[w].present && !is_apart(i.id, -1, w)) meet_wall(i, w);
  }
  if (!how.trial)
    for (std::size_t k = 0; k < met_.size(); ++k) state_.particles[k].contacts = met_[k];
  evaluate_bonds();
  evaluate_outer();
  for (std::size_t w = 0; w < world_.now().walls.size(); ++w) world_.now().walls[w].sum = on_walls_.value(w);
}

// The laws between two materials; null: they do not act on each other.
const Interaction* Forces::laws_of(std::size_t material_i, std::size_t material_j) const {
  const auto at = laws_.find({material_i, material_j});
  return at == laws_.end() ? nullptr : &at->second;
}

int Forces::history_of(std::size_t material_i, std::size_t material_j) const {
  const Interaction* laws = laws_of(material_i, material_j);
  return laws ? laws->history() : -1;
}

double Forces::share_of_i(std::size_t a, std::size_t b) const {
  const Scene& scene = world_.scene();
  return scene.settings.numerics.lever == Lever::deformed ? overlap_share_of_i({scene.materials[a], scene.materials[b]})
                                                          : 0;
}

Vec3d Forces::velocity_of_last_move(const Particle& p) const {
  return moves_at_mean(scheme_) ? areia::velocity_of_last_move(p.velocity.move, p.old.move, how_.dt) : p.velocity.move;
}

// Runs the laws of a contact; the force is added to i.
Outcome<double> Forces::act(const Interaction& laws, const Key& key, const Touch<double>& touch, Particle& i,
                            const Body<double>& j, Record& record) {
  const Body<double> body_i{i.velocity.move, i.velocity.turn, i.radius,
                            i.inv_m(),       i.inv_j(),       static_cast<double>(i.contacts)};
  const Outcome<double> out =
      laws.evaluate(touch, body_i, j, how_.dt, kick_of(scheme_, how_.dt), record.history.data());
  sums().contact += out.booking;
  i.force += out.force;
  i.torque += out.torque_i;
  ++met_[&i - state_.particles.data()];
  if (how_.record)
    shown_.push_back({key.i,
                      key.j,
                      key.wall,
                      key.patch,
                      {},
                      touch.n,
                      touch.overlap,
                      out.force,
                      out.normal,
                      norm(out.tangential),
                      laws.elongation(record.history.data())});
  return out;
}

void Forces::meet(Particle& i, Particle& j) {
  const Interaction* laws = laws_of(i.material, j.material);
  if (!laws) return;
  const Key key{i.id, j.id, -1, 0};
  auto at = state_.contacts.find(key);
  const bool exists = at != state_.contacts.end();
  const Vec3d d = world_.periodicity().nearest(j.x - i.x);
  const double distance2 = norm2(d);
  if (!touches(distance2, i.radius, j.radius) && !acts_across(*laws, distance2, i.radius, j.radius, exists)) {
    if (!exists) return;
    sums().contact +=
        laws->open(bodies(i.radius, j.radius), overlap_now(d, i.radius, j.radius), at->second.history.data());
    state_.contacts.erase(at);
    return;
  }
  if (is_deep(distance2, i.radius, j.radius, world_.scene().settings.numerics.max_overlap))
    failed_ = std::min(failed_, i.id);
  if (!exists) {
    at = state_.contacts.emplace(key, Record{}).first;
    const Vec3d v = velocity_of_last_move(i) - velocity_of_last_move(j);
    laws->begin(bodies(i.radius, j.radius), overlap_before(d, i.radius, j.radius, v, how_.dt),
                at->second.history.data());
  }
  Touch<double> touch = touch_of(d, i.radius, j.radius, i.inv_m(), j.inv_m());
  const double share = share_of_i(i.material, j.material);
  if (share > 0) shorten_levers(touch, share, 1 - share);
  const Body<double> body_j{j.velocity.move, j.velocity.turn, j.radius,
                            j.inv_m(),       j.inv_j(),       static_cast<double>(j.contacts)};
  const Outcome<double> out = act(*laws, key, touch, i, body_j, at->second);
  j.force -= out.force;
  j.torque += out.torque_j;
  ++met_[&j - state_.particles.data()];
  // a prescribed particle puts in the power of what acts on its partner
  GridSum& work = sums().wall_work;
  if (i.prescribed) work -= (dot(out.force, i.velocity.move) + dot(out.torque_i, i.velocity.turn)) * how_.dt;
  if (j.prescribed) work += (dot(out.force, j.velocity.move) - dot(out.torque_j, j.velocity.turn)) * how_.dt;
}

void Forces::meet_wall(Particle& i, std::int32_t w) {
  if (!laws_of(i.material, world_.scene().walls[w].material)) return;
  if (world_.scene().walls[w].mesh) meet_mesh(i, w, *world_.scene().walls[w].mesh);
  const Vec3d x = world_.now().walls[w].to_body(i.x);
  std::visit(
      [&](const auto& shape) {
        for (std::int32_t patch = 0; patch < patch_count(shape); ++patch) {
          const Key key{i.id, -1, w, patch};
          const auto at = state_.contacts.find(key);
          Record record;
          const bool acts = meet_point(i, key, closest_point(shape, patch, x),
                                       at == state_.contacts.end() ? nullptr : &at->second, record);
          if (acts) state_.contacts[key] = record;
          else if (at != state_.contacts.end()) state_.contacts.erase(at);
        }
      },
      world_.scene().walls[w].shape);
}

// The closest point of a patch, in the frame of the wall. `known` is the contact of the last evaluation, if there was
// one; `record` is that of this one. False: nothing acts.
bool Forces::meet_point(Particle& i, const Key& key, const WallPoint& at, Record* known, Record& record) {
  const WallState& wall = world_.now().walls[key.wall];
  const std::size_t material = world_.scene().walls[key.wall].material;
  const Interaction& laws = *laws_of(i.material, material);
  const double overlap = at.found ? i.radius - at.distance : 0;
  if (!at.found || !acts_on_wall(laws, overlap, i.radius, known != nullptr)) {
    if (known) sums().contact += laws.open(bodies(i.radius, 0), overlap, known->history.data());
    return false;
  }
  const Vec3d n = wall.pose.direction_to_world(at.n), point = i.x + at.distance * n;
  const Body<double> body{wall.pose.velocity_at(point), wall.pose.w, 0, 0, 0, 0};
  if (known) record = *known;
  else
    laws.begin(bodies(i.radius, 0), overlap_before_at_wall(n, overlap, velocity_of_last_move(i) - body.v, how_.dt),
               record.history.data());
  if (is_deep_in_wall(overlap, i.radius, world_.scene().settings.numerics.max_overlap))
    failed_ = std::min(failed_, i.id);
  Touch<double> touch = touch_of_wall(n, overlap, i.radius, i.inv_m());
  const double share = share_of_i(i.material, material);
  if (share > 0) shorten_levers(touch, share, 0);
  const Outcome<double> out = act(laws, key, touch, i, body, record);
  on_walls_.add(key.wall, -out.force, out.torque_j - cross(point - wall.pose.center - wall.pose.shift, out.force));
  sums().wall_work += (dot(out.force, body.v) - dot(out.torque_j, body.w)) * how_.dt;
  return true;
}

// Every triangle is tested. Contacts of the last evaluation that are not found again have opened.
void Forces::meet_mesh(Particle& i, std::int32_t w, const TriangleMesh& mesh) {
  const Interaction& laws = *laws_of(i.material, world_.scene().walls[w].material);
  const Vec3d x = world_.now().walls[w].to_body(i.x);
  const auto first = state_.contacts.lower_bound({i.id, -1, w, 0, 0});
  auto last = first;
  std::vector<Record> known;
  std::vector<MeshMemory> places;
  for (; last != state_.contacts.end() && last->first.i == i.id && last->first.wall == w; ++last) {
    known.push_back(last->second);
    places.push_back(last->second.place);
  }
  state_.contacts.erase(first, last);

  std::vector<std::int32_t> all(mesh.triangles.size()), of;
  std::iota(all.begin(), all.end(), 0);
  const double range = std::max(laws.form_range(i.radius), laws.hold_range(i.radius));
  MeshScratch scratch;
  find_mesh_hits(mesh, all.data(), all.data() + all.size(), x, i.radius + range, scratch);
  match_hits(scratch.hits, places, places.size(), of);
  for (std::size_t m = 0; m < known.size(); ++m)
    if (std::find(of.begin(), of.end(), static_cast<std::int32_t>(m)) == of.end()) {
      // along the direction it had, it has opened by this
      const double overlap = i.radius - dot(places[m].point - x, places[m].n);
      sums().contact += laws.open(bodies(i.radius, 0), overlap, known[m].history.data());
    }
  Key key{i.id, -1, w, -1, 0};
  for (std::size_t h = 0; h < scratch.hits.size(); ++h) {
    const MeshHit& hit = scratch.hits[h];
    if (hit.patch != key.patch) key.k = 0;
    key.patch = hit.patch;
    Record record;
    if (!meet_point(i, key, {true, hit.distance, hit.n}, of[h] >= 0 ? &known[of[h]] : nullptr, record)) continue;
    record.place = {hit.patch, hit.point, hit.n};
    state_.contacts[key] = record;
    ++key.k;
  }
}

}  // namespace areia::reference
