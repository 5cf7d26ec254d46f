// Contacts of the reference backend: every pair, every patch of every wall, every triangle of every mesh.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "areia/error.h"
#include "engine/reference/reference_backend.h"
#include "scene/scene_wall.h"

namespace areia::reference {

void ReferenceBackend::evaluate(double dt) {
  // contacts of each particle at the last evaluation that a rolling law acts in
  std::fill(partners_.begin(), partners_.end(), 0.0);
  for (const auto& entry : contacts_) {
    if (!entry.second.rolls) continue;
    partners_[entry.first.i] += 1;
    if (entry.first.j >= 0) partners_[entry.first.j] += 1;
  }
  std::fill(force_.begin(), force_.end(), Vec3d{});
  std::fill(torque_.begin(), torque_.end(), Vec3d{});
  std::fill(wall_force_.begin(), wall_force_.end(), Vec3d{});
  std::fill(wall_torque_.begin(), wall_torque_.end(), Vec3d{});
  for (std::size_t i = 0; i < p_.size(); ++i) {
    if (!present_[i]) continue;
    for (std::size_t j = i + 1; j < p_.size(); ++j)
      if (present_[j] && !(p_.prescribed[i] && p_.prescribed[j]) && !is_apart(i, static_cast<std::int64_t>(j), -1))
        pair(i, j, dt);
    if (p_.prescribed[i]) continue;
    for (std::size_t w = 0; w < scene_.walls.size(); ++w)
      if (wall_present_[w] && !is_apart(i, -1, static_cast<std::int32_t>(w))) {
        if (scene_.walls[w].mesh) mesh(i, w, *scene_.walls[w].mesh, dt);
        std::visit(
            [&](const auto& s) {
              for (int patch = 0; patch < patch_count(s); ++patch)
                wall({i, -1, static_cast<int>(w), patch}, closest_point(s, patch, poses_[w].to_body(p_.x[i])), dt);
            },
            scene_.walls[w].shape);
      }
  }
  evaluate_bonds(dt);
}

// The laws between two materials; null: they do not act on each other.
const Interaction* ReferenceBackend::laws_of(std::size_t material_i, std::size_t material_j) const {
  const auto at = laws_.find({material_i, material_j});
  return at == laws_.end() ? nullptr : &at->second;
}

double ReferenceBackend::share_of_i(std::size_t a, std::size_t b) const {
  return scene_.settings.numerics.lever == Lever::deformed
             ? overlap_share_of_i({scene_.materials[a], scene_.materials[b]})
             : 0;
}

// Runs the law of a touching contact, or closes the record of one that has opened.
template <class F>
void ReferenceBackend::contact(const Key& key, std::size_t material_j, const Touch<double>& t,
                               const Body<double>& body_j, double dt, F&& use) {
  const std::size_t i = key.i;
  auto at = contacts_.find(key);
  const Interaction* laws = laws_of(p_.material[i], material_j);
  if (!laws) return;
  const Geometry<double> g = bodies(p_.radius[i], body_j.radius);
  const double range = at == contacts_.end() ? laws->form_range(g.r_star) : laws->hold_range(g.r_star);
  if (!(t.overlap > 0 || t.overlap > -range)) {
    if (at != contacts_.end()) close(at, material_j, t.overlap);
    return;
  }
  const double smaller = key.j >= 0 ? std::min(p_.radius[i], p_.radius[key.j]) : p_.radius[i];
  if (dt > 0 && !trial_ && t.overlap > scene_.settings.numerics.max_overlap * smaller)
    throw StoppedError(
        fmt::format("blow-up at t = {:.9g} s: particle {} overlaps a partner by more than {:g} of the "
                    "smaller radius",
                    time(), i, scene_.settings.numerics.max_overlap));
  if (at == contacts_.end()) {
    at = contacts_.emplace(key, Record{}).first;
    laws->begin(g, overlap_before(key, t, body_j, dt), at->second.history.data());
  }
  Record& record = at->second;
  record.bodies = g;
  record.rolls = laws->rolls();
  const Body<double> body_i{p_.v[i], p_.w[i], p_.radius[i], inv_m(i), inv_j(i), partners_[i]};
  const Outcome<double> out = laws->evaluate(t, body_i, body_j, dt, record.history.data());
  sums_.contact += out.booking;
  FrameContact& c = record.shown;
  c.i = static_cast<std::int64_t>(i);
  c.j = key.j;
  c.wall = key.wall;
  c.patch = key.patch;
  c.n = t.n;
  c.overlap = t.overlap;
  c.force = out.force;
  c.normal = out.normal;
  c.tangential = norm(out.tangential);
  c.elongation = laws->elongation(record.history.data());
  c.point = p_.x[i] + (p_.radius[i] - (key.j >= 0 ? 0.5 : 1.0) * t.overlap) * t.n;
  force_[i] += out.force;
  torque_[i] += out.torque_i;
  use(out);
}

void ReferenceBackend::pair(std::size_t i, std::size_t j, double dt) {
  const Vec3d d = periodicity_.nearest(periodicity_.wrapped(p_.x[j]) - periodicity_.wrapped(p_.x[i]));
  const double distance = norm(d), reach = p_.radius[i] + p_.radius[j];
  Touch<double> t;
  t.n = distance > 0 ? (1 / distance) * d : Vec3d{1, 0, 0};
  t.overlap = reach - distance;
  t.r_star = p_.radius[i] * p_.radius[j] / reach;
  t.m_star = 1 / (inv_m(i) + inv_m(j));
  const double share = share_of_i(p_.material[i], p_.material[j]);
  t.lever_i = p_.radius[i] - share * t.overlap;
  t.lever_j = p_.radius[j] - (share > 0 ? 1 - share : 0.0) * t.overlap;
  const Body<double> body_j{p_.v[j], p_.w[j], p_.radius[j], inv_m(j), inv_j(j), partners_[j]};
  contact({i, static_cast<std::int64_t>(j), -1, 0}, p_.material[j], t, body_j, dt, [&](const Outcome<double>& out) {
    force_[j] -= out.force;
    torque_[j] += out.torque_j;
    if (p_.prescribed[i]) sums_.wall_work -= (dot(out.force, p_.v[i]) + dot(out.torque_i, p_.w[i])) * dt;
    if (p_.prescribed[j]) sums_.wall_work += (dot(out.force, p_.v[j]) - dot(out.torque_j, p_.w[j])) * dt;
  });
}

void ReferenceBackend::wall(const Key& key, const WallPoint& at, double dt) {
  const std::size_t i = key.i;
  const auto w = static_cast<std::size_t>(key.wall);
  if (!at.found) {
    if (const auto known = contacts_.find(key); known != contacts_.end()) close(known, scene_.walls[w].material, 0);
    return;
  }
  Touch<double> t;
  t.n = rotate(poses_[w].q, at.n);
  t.overlap = p_.radius[i] - at.distance;
  t.r_star = p_.radius[i];
  t.m_star = 1 / inv_m(i);
  t.lever_i = p_.radius[i] - share_of_i(p_.material[i], scene_.walls[w].material) * t.overlap;
  t.lever_j = 0;
  const Vec3d point = p_.x[i] + at.distance * t.n;
  const Body<double> body_w{poses_[w].velocity_at(point), poses_[w].w, 0, 0, 0, 0};
  contact(key, scene_.walls[w].material, t, body_w, dt, [&](const Outcome<double>& out) {
    wall_force_[w] -= out.force;
    wall_torque_[w] += out.torque_j - cross(point - poses_[w].center - poses_[w].shift, out.force);
    sums_.wall_work += (dot(out.force, body_w.v) - dot(out.torque_j, body_w.w)) * dt;
  });
}

// Every triangle is tested. Contacts of the last evaluation that are not found again have opened.
void ReferenceBackend::mesh(std::size_t i, std::size_t w, const TriangleMesh& mesh, double dt) {
  const Vec3d x = poses_[w].to_body(p_.x[i]);
  const Key first{i, -1, static_cast<int>(w), 0, 0};
  std::vector<Key> keys;
  std::vector<MeshMemory> places;
  for (auto at = contacts_.lower_bound(first); at != contacts_.end(); ++at) {
    if (at->first.i != i || at->first.j != -1 || at->first.wall != first.wall) break;
    keys.push_back(at->first);
    places.push_back(at->second.place);
  }
  std::vector<std::int32_t> all(mesh.triangles.size()), of;
  std::iota(all.begin(), all.end(), 0);
  double reach = p_.radius[i];  // and as far as a law bridges gaps
  if (const Interaction* laws = laws_of(p_.material[i], scene_.walls[w].material))
    reach += std::max(laws->form_range(p_.radius[i]), laws->hold_range(p_.radius[i]));
  MeshScratch scratch;
  find_mesh_hits(mesh, all.data(), all.data() + all.size(), x, reach, scratch);
  match_hits(scratch.hits, places, places.size(), of);
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (std::find(of.begin(), of.end(), static_cast<std::int32_t>(k)) == of.end()) {
      // along the direction it had, it has opened by this
      const double overlap = p_.radius[i] - dot(places[k].point - x, places[k].n);
      close(contacts_.find(keys[k]), scene_.walls[w].material, overlap);
    }
  for (std::size_t h = 0; h < scratch.hits.size(); ++h) {
    const MeshHit& hit = scratch.hits[h];
    Key key{i, -1, static_cast<int>(w), hit.patch, 0};
    if (of[h] >= 0) key = keys[of[h]];
    else
      while (contacts_.contains(key)) ++key.serial;
    wall(key, {true, hit.distance, hit.n}, dt);
    if (const auto at = contacts_.find(key); at != contacts_.end()) at->second.place = {hit.patch, hit.point, hit.n};
  }
}

// One step ago: back along the velocity of the last move, which in velocity_verlet was v - a dt/2.
double ReferenceBackend::overlap_before(const Key& key, const Touch<double>& t, const Body<double>& body_j,
                                        double dt) const {
  Vec3d v = p_.v[key.i] - body_j.v;
  if (scheme_ == Scheme::velocity_verlet || implicit_)
    v -= (0.5 * dt) * (key.j >= 0 ? a_[key.i] - a_[key.j] : a_[key.i]);
  return t.overlap - dt * dot(v, t.n);
}

void ReferenceBackend::close(std::map<Key, Record>::iterator at, std::size_t material_j, double overlap) {
  if (const Interaction* laws = laws_of(p_.material[at->first.i], material_j))
    sums_.contact += laws->open(at->second.bodies, overlap, at->second.history.data());
  contacts_.erase(at);
}

}  // namespace areia::reference
