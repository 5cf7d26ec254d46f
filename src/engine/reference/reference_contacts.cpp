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
  pushed_.assign(state_.particles.size(), {});
  on_walls_.clear(world_.now().walls.size());
  virial_ = CellSums(world_.cell().grid());
  for (Particle& i : state_.particles) {
    for (Particle* j = &i + 1; j != state_.particles.data() + state_.particles.size(); ++j)
      if (!(i.prescribed && j->prescribed) && !is_apart(i.id, j->id, -1)) meet(i, *j);
    if (!i.prescribed) meet_walls(i);
  }
  for (std::size_t k = 0; k < state_.particles.size(); ++k) {
    Particle& p = state_.particles[k];
    p.force = pushed_[k].force(world_.force_grid());
    p.torque = pushed_[k].torque(world_.force_grid());
    if (!how.trial) p.contacts = met_[k];
  }
  if (world_.cell().deforms()) world_.take_virial(virial_.value(), how.dt > 0);
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

void Forces::push(const Particle& p, const Vec3d& force, const Vec3d& torque) {
  const std::size_t k = &p - state_.particles.data();
  pushed_[k].add(world_.force_grid(), force, torque);
  ++met_[k];
}

// Runs the laws of a contact; i, at the velocity v_i, feels the force.
Outcome<double> Forces::act(const Interaction& laws, const Key& key, const Touch<double>& touch, Particle& i,
                            const Vec3d& v_i, const Body<double>& j, Record& record) {
  const Body<double> body_i{v_i, i.velocity.turn, i.radius, i.inv_m(), i.inv_j(), static_cast<double>(i.contacts)};
  const Outcome<double> out =
      laws.evaluate(touch, body_i, j, how_.dt, kick_of(scheme_, how_.dt), record.history.data());
  sums().contact += out.booking;
  push(i, out.force, out.torque_i);
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
  if (!exists) {
    at = state_.contacts.emplace(key, Record{}).first;
    Vec3d v = velocity_of_last_move(i) - velocity_of_last_move(j);
    if (world_.cell().deforms()) v += world_.cell().closing(d);
    laws->begin(bodies(i.radius, j.radius), overlap_before(d, i.radius, j.radius, v, how_.dt),
                at->second.history.data());
  }
  Touch<double> touch = touch_of(d, i.radius, j.radius, i.inv_m(), j.inv_m());
  if (is_deep(touch.overlap, i.radius, j.radius, world_.scene().settings.numerics.max_overlap))
    failed_ = std::min(failed_, i.id);
  const double share = share_of_i(i.material, j.material);
  if (share > 0) shorten_levers(touch, share, 1 - share);
  Vec3d v_i = i.velocity.move;
  Body<double> body_j{j.velocity.move, j.velocity.turn, j.radius,
                      j.inv_m(),       j.inv_j(),       static_cast<double>(j.contacts)};
  if (world_.cell().deforms()) {  // laws see the difference alone
    v_i = (v_i - body_j.v) + world_.cell().closing(d);
    body_j.v = {};
  }
  const Outcome<double> out = act(*laws, key, touch, i, v_i, body_j, at->second);
  if (world_.cell().deforms()) virial_.add(virial_of(out.force, d));
  push(j, -out.force, out.torque_j);
  // a prescribed particle puts in the power of what acts on its partner
  GridSum& work = sums().wall_work;
  if (i.prescribed) work -= (dot(out.force, i.velocity.move) + dot(out.torque_i, i.velocity.turn)) * how_.dt;
  if (j.prescribed) work += (dot(out.force, j.velocity.move) - dot(out.torque_j, j.velocity.turn)) * how_.dt;
}

// What the particle may touch of the walls: all patches, all triangles, all images.
void Forces::list_walls(const Particle& i) {
  const Scene& scene = world_.scene();
  candidates_.clear();
  triangles_.clear();
  for (std::size_t k = 0; k < scene.walls.size(); ++k) {
    const auto w = static_cast<std::uint16_t>(k);
    const WallState& wall = world_.now().walls[w];
    if (!wall.present || is_apart(i.id, -1, w) || !laws_of(i.material, scene.walls[w].material)) continue;
    for_each_wall_shift(world_.periodicity(), scene.walls[w], wall.pose, i.x, reach_of(i, w),
                        [&](const std::array<std::int16_t, 3>& image) {
                          if (const auto& mesh = scene.walls[w].mesh) {
                            const auto first = static_cast<std::uint32_t>(triangles_.size());
                            triangles_.resize(first + mesh->triangles.size());
                            std::iota(triangles_.begin() + first, triangles_.end(), 0);
                            candidates_.push_back(
                                {w, WallCandidate::kMesh, image, first, static_cast<std::uint32_t>(triangles_.size())});
                          }
                          const int patches =
                              std::visit([](const auto& shape) { return patch_count(shape); }, scene.walls[w].shape);
                          for (int patch = 0; patch < patches; ++patch)
                            candidates_.push_back({w, static_cast<std::int16_t>(patch), image, 0, 0});
                        });
  }
}

double Forces::reach_of(const Particle& i, std::size_t w) const {
  const Interaction& laws = *laws_of(i.material, world_.scene().walls[w].material);
  return i.radius + std::max(laws.form_range(i.radius), laws.hold_range(i.radius));
}

// Contacts of the last evaluation that are not found again have opened.
void Forces::meet_walls(Particle& i) {
  const Scene& scene = world_.scene();
  const auto first = state_.contacts.lower_bound({i.id, -1, -1, 0, 0});
  auto last = first;
  std::vector<Record> known;
  scratch_.memories.clear();
  for (; last != state_.contacts.end() && last->first.i == i.id && last->first.j < 0; ++last) {
    known.push_back(last->second);
    scratch_.memories.push_back(last->second.place);
  }
  state_.contacts.erase(first, last);
  list_walls(i);
  const WallView view{scene, world_.now().walls, world_.periodicity(), triangles_.data()};
  find_wall_hits(
      view, candidates_.data(), candidates_.data() + candidates_.size(), i.x, i.radius,
      [&](std::size_t w) { return reach_of(i, w); }, scratch_);
  match_hits(scratch_.hits, scratch_.memories, goes_on_for(scene, i.material), scratch_.of);
  for (std::size_t m = 0; m < known.size(); ++m)
    if (std::find(scratch_.of.begin(), scratch_.of.end(), static_cast<std::int32_t>(m)) == scratch_.of.end())
      open(i, known[m], overlap_left(view, known[m].place, i.x, i.radius));
  Key key{i.id, -1, -1, -1, 0};
  for (std::size_t h = 0; h < scratch_.hits.size(); ++h) {
    const WallHit& hit = scratch_.hits[h];
    if (hit.wall != key.wall || hit.patch != key.patch) key.k = 0;
    key.wall = hit.wall;
    key.patch = hit.patch;
    Record record;
    if (!meet_point(i, key, hit, scratch_.of[h] >= 0 ? &known[scratch_.of[h]] : nullptr, record)) continue;
    state_.contacts[key] = record;
    ++key.k;
  }
}

void Forces::book_second_half(const Key& key, const Record& record, double times) {
  const auto body_of = [&](const Particle& p) {  // with the velocity of the move that follows the last kick
    Body<double> b{p.velocity.move, p.velocity.turn, p.radius, p.inv_m(), p.inv_j(), 1};
    if (scheme_ != Scheme::velocity_verlet) return b;
    const double half = 0.5 * world_.dt();
    b.v += half * p.old.move;
    b.w += half * p.old.turn;
    return b;
  };
  const Particle &i = *state_.find(key.i), *j = key.j < 0 ? nullptr : state_.find(key.j);
  if (!j && i.prescribed) return;
  const std::size_t material = j ? j->material : world_.scene().walls[key.wall].material;
  const double share = share_of_i(i.material, material);
  Body<double> a = body_of(i), b{};
  Touch<double> touch;
  if (j) {
    b = body_of(*j);
    const Vec3d d = world_.periodicity().nearest(j->x - i.x);
    touch = touch_of(d, a.radius, b.radius, a.inv_m, b.inv_m);
    if (world_.cell().deforms()) a.v += world_.cell().closing(d);
  } else {
    const WallState& wall = world_.now().walls[key.wall];
    b.v = wall.velocity_at(wall.pose.to_world(record.place.point), record.place.n);
    b.w = wall.spin();
    touch = touch_of_wall(record.place.n, record.history[0], a.radius, a.inv_m);
  }
  if (share > 0) shorten_levers(touch, share, j ? 1 - share : 0);
  world_.now().ledger.contact +=
      times * laws_of(i.material, material)->second_half(touch, a, b, world_.dt(), record.history.data());
}

void Forces::open(const Particle& i, const Record& record, double overlap) {
  const Interaction& laws = *laws_of(i.material, world_.scene().walls[record.place.wall].material);
  sums().contact += laws.open(bodies(i.radius, 0), overlap, record.history.data());
}

// `known` is the contact of the last evaluation that goes on here, if there was one; `record` is that of this one.
// False: nothing acts.
bool Forces::meet_point(Particle& i, const Key& key, const WallHit& hit, Record* known, Record& record) {
  const WallState& wall = world_.now().walls[key.wall];
  const std::size_t material = world_.scene().walls[key.wall].material;
  const Interaction& laws = *laws_of(i.material, material);
  const double overlap = i.radius - hit.distance;
  if (!acts_on_wall(laws, overlap, i.radius, known != nullptr)) {
    if (known) open(i, *known, overlap);
    return false;
  }
  const Body<double> body{wall.velocity_at(hit.place, hit.n), wall.spin(), 0, 0, 0, 0};
  if (known) record = *known;
  else
    laws.begin(bodies(i.radius, 0), overlap_before_at_wall(hit.n, overlap, velocity_of_last_move(i) - body.v, how_.dt),
               record.history.data());
  record.place = memory_of(hit);
  if (is_deep_in_wall(overlap, i.radius, world_.scene().settings.numerics.max_overlap))
    failed_ = std::min(failed_, i.id);
  Touch<double> touch = touch_of_wall(hit.n, overlap, i.radius, i.inv_m());
  const double share = share_of_i(i.material, material);
  if (share > 0) shorten_levers(touch, share, 0);
  const Outcome<double> out = act(laws, key, touch, i, i.velocity.move, body, record);
  on_walls_.add(key.wall, -out.force, out.torque_j - cross(hit.place - wall.pose.center - wall.pose.shift, out.force));
  sums().wall_work += (dot(out.force, body.v) - dot(out.torque_j, body.w)) * how_.dt;
  return true;
}

}  // namespace areia::reference
