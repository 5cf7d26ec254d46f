#include "engine/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "areia/error.h"
#include "core/range.h"
#include "packing/place.h"
#include "scene/body_mass.h"
#include "scene/radius.h"
#include "scene/region_measure.h"
#include "search/size_class_grid.h"

namespace areia {

namespace {

constexpr std::int64_t kAttempts = 1000;  // per particle and insertion
constexpr int kMostFailures = 10;         // in a row, after which an insertion gives up

enum Use : std::uint64_t { kRadius = 1, kPlace = 2 };

double radius_of(const Scene& scene, std::size_t set, std::int64_t n) {
  Random random(mixed_seed({scene.settings.numerics.seed, set, kRadius, static_cast<std::uint64_t>(n)}));
  return draw_radius(scene.settings.particles[set].radius, random);
}

BodyMass body_of(const Scene& scene, std::size_t set, std::size_t material, double radius) {
  return body_mass(scene.settings.domain, radius, scene.settings.particles[set].mass,
                   scene.materials[material].density);
}

std::uint16_t index_of_material(const Scene& scene, const std::string& name) {
  std::uint16_t k = 0;
  while (scene.materials[k].name != name) ++k;
  return k;
}

// What all particles of a set have in common.
NewParticle shared_by(const Scene& scene, std::size_t k) {
  const ParticleSet& set = scene.settings.particles[k];
  const std::string& group = set.group.empty() ? set.name : set.group;
  NewParticle p;
  p.v = set.velocity;
  p.w = set.spin;
  p.charge = set.charge;
  p.material = index_of_material(scene, set.material);
  p.group =
      static_cast<std::uint16_t>(std::find(scene.groups.begin(), scene.groups.end(), group) - scene.groups.begin());
  p.set = static_cast<std::uint16_t>(k);
  p.turns = !set.inhibit_rotation;
  return p;
}

// The time in which particles leave the space of one diameter, by their velocity and by falling.
double clearing_time(const Scene& scene, std::size_t k, const Stream& s) {
  const ParticleSet& set = scene.settings.particles[k];
  const double d = 2 * largest_radius(set.radius), v = norm(set.velocity), g = norm(uniform_gravity(scene.settings));
  if (g > 0) return (std::sqrt(v * v + 2 * g * d) - v) / g;
  if (v > 0) return d / v;
  const double mass = body_of(scene, k, index_of_material(scene, set.material), mean_radius(set.radius)).mass;
  return s.rate > 0 ? 1 / s.rate : mass / s.mass_rate;
}

}  // namespace

Streams::Streams(const Scene& scene, double dt) {
  for (std::size_t k = 0; k < scene.settings.particles.size(); ++k) {
    const auto* s = std::get_if<Stream>(&scene.settings.particles[k].source);
    if (!s) continue;
    One one;
    one.set = k;
    one.count = s->count;
    const double every = s->every > 0 ? s->every : clearing_time(scene, k, *s);
    one.steps = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::llround(std::min(every / dt, 1e15))));
    one.like = shared_by(scene, k);
    streams_.push_back(std::move(one));
  }
}

std::int64_t Streams::steps_left(std::int64_t step) const {
  std::int64_t left = std::numeric_limits<std::int64_t>::max();
  for (const One& s : streams_) left = std::min(left, s.steps - step % s.steps);
  return left;
}

void Streams::draw(One& s, const Interval& when, const Scene& scene, double t) {
  const auto& stream = std::get<Stream>(scene.settings.particles[s.set].source);
  const double running = std::min(t, when.stop) - when.start;
  if (!(running > 0)) return;
  const auto more = [&] { return s.count == 0 || s.drawn < s.count; };
  if (stream.rate > 0) {
    const double due = std::floor(stream.rate * running * (1 + 1e-12) + 1e-9);
    while (static_cast<double>(s.drawn) < due && more()) s.waiting.push_back(s.drawn++);
    return;
  }
  // drawn while mass is missing, whatever its own mass: the last one's excess is carried over
  while (s.drawn_mass < stream.mass_rate * running && more()) {
    s.drawn_mass += body_of(scene, s.set, s.like.material, radius_of(scene, s.set, s.drawn)).mass;
    s.waiting.push_back(s.drawn++);
  }
}

std::vector<NewParticle> Streams::take(std::int64_t step, const std::vector<Interval>& when, const Scene& scene,
                                       const Backend& backend) {
  std::vector<NewParticle> all;
  const Domain& domain = scene.settings.domain;
  const Periodicity periodicity = periodicity_of(domain);
  for (One& s : streams_) {
    if (step % s.steps != 0 || step == s.last) continue;
    s.last = step;
    draw(s, when[s.set], scene, backend.time());
    if (s.waiting.empty()) continue;

    const ParticleSet& set = scene.settings.particles[s.set];
    const auto& stream = std::get<Stream>(set.source);
    const PlaceRule rule{stream.region, 0, kAttempts, domain.dimension == 2 ? domain.flat_axis : -1, periodicity};
    PlacedBalls placed;
    const Surroundings around = backend.surroundings(bounds_of(stream.region));
    for (std::size_t k = 0; k < around.x.size(); ++k) placed.add({around.x[k], around.radius[k]});
    for (const NewParticle& p : all) placed.add({p.x, p.radius});
    std::vector<PlacedWall> walls;
    for (std::size_t w = 0; w < scene.walls.size(); ++w)
      if (around.wall_present[w]) walls.push_back({&scene.walls[w], around.wall_pose[w]});

    std::vector<std::pair<double, std::int64_t>> order;  // largest first
    for (std::int64_t n : s.waiting) order.emplace_back(-radius_of(scene, s.set, n), n);
    std::sort(order.begin(), order.end());
    Random random(
        mixed_seed({scene.settings.numerics.seed, s.set, kPlace, static_cast<std::uint64_t>(step / s.steps)}));
    std::vector<std::pair<std::int64_t, NewParticle>> found;
    int failures = 0;
    std::int64_t attempts = 0;
    for (const auto& entry : order) {
      if (failures >= kMostFailures) break;
      const double radius = -entry.first;
      const auto x = find_place(rule, radius, random, placed, walls, attempts);
      failures = x ? 0 : failures + 1;
      if (!x) continue;
      placed.add({*x, radius});
      NewParticle p = s.like;
      p.x = periodicity.wrapped(*x);
      p.radius = radius;
      const BodyMass body = body_of(scene, s.set, s.like.material, radius);
      p.mass = body.mass;
      p.inertia = body.inertia;
      found.emplace_back(entry.second, p);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::int64_t> left;  // both are in ascending order
    auto next = found.begin();
    for (std::int64_t n : s.waiting) {
      if (next != found.end() && next->first == n) all.push_back((next++)->second);
      else left.push_back(n);
    }
    s.waiting = std::move(left);
  }
  return all;
}

bool Streams::running(double t, const std::vector<Interval>& when) const {
  for (const One& s : streams_)
    if (!s.waiting.empty() || (t < when[s.set].stop && !(s.count > 0 && s.drawn >= s.count))) return true;
  return false;
}

std::int64_t Streams::waiting() const {
  std::int64_t n = 0;
  for (const One& s : streams_) n += static_cast<std::int64_t>(s.waiting.size());
  return n;
}

void Streams::save(Archive& a) const {
  if (!any()) return;
  std::vector<std::int64_t>& counters = a.integer["streams"];
  std::vector<double>& mass = a.real["stream_mass"];
  for (const One& s : streams_) {
    counters.insert(counters.end(), {s.drawn, s.last, static_cast<std::int64_t>(s.waiting.size())});
    counters.insert(counters.end(), s.waiting.begin(), s.waiting.end());
    mass.push_back(s.drawn_mass);
  }
}

void Streams::load(const Archive& a) {
  if (!any()) return;
  const auto counters = a.integer.find("streams");
  const auto mass = a.real.find("stream_mass");
  if (counters == a.integer.end() || mass == a.real.end() || mass->second.size() != streams_.size())
    throw FileError("checkpoint does not belong to this case");
  const std::vector<std::int64_t>& c = counters->second;
  std::size_t at = 0;
  for (std::size_t k = 0; k < streams_.size(); ++k) {
    if (at + 3 > c.size() || c[at + 2] < 0 || at + 3 + static_cast<std::size_t>(c[at + 2]) > c.size())
      throw FileError("checkpoint does not belong to this case");
    One& s = streams_[k];
    s.drawn = c[at];
    s.last = c[at + 1];
    s.waiting.assign(c.begin() + at + 3, c.begin() + at + 3 + c[at + 2]);
    s.drawn_mass = mass->second[k];
    at += 3 + s.waiting.size();
  }
}

NewParticle new_particle(const Scene& scene, const std::string& name, const ListedParticle& l) {
  const std::vector<ParticleSet>& sets = scene.settings.particles;
  const auto at = std::find_if(sets.begin(), sets.end(), [&](const ParticleSet& s) { return s.name == name; });
  if (at == sets.end()) throw InputError("insert", name, "there is no set of particles of this name");
  const auto set = static_cast<std::size_t>(at - sets.begin());
  for (const double a : {l.x.x, l.x.y, l.x.z, l.v.x, l.v.y, l.v.z, l.w.x, l.w.y, l.w.z, l.radius, l.mass, l.charge})
    if (!is_usable(a)) throw InputError("insert", fmt::format("{}", a), kUsableRule);
  if (l.radius < 0 || l.mass < 0)
    throw InputError("insert", fmt::format("{}", std::min(l.radius, l.mass)), "radius and mass must not be negative");
  NewParticle p = shared_by(scene, set);
  p.x = l.x;
  p.v += l.v;
  p.w += l.w;
  p.radius = l.radius > 0 ? l.radius : at->radius.kind == RadiusDistribution::Kind::fixed ? at->radius.value : 0;
  if (!(p.radius > 0)) throw InputError("insert", name, "the particle has no radius");
  if (!is_resolved(p.x, p.radius))
    throw InputError(
        "insert", name,
        fmt::format("a particle of this radius may be up to {:.3g} m from the origin", farthest_place(p.radius)));
  const BodyMass body =
      body_mass(scene.settings.domain, p.radius, l.mass > 0 ? l.mass : at->mass, scene.materials[p.material].density);
  p.mass = body.mass;
  p.inertia = body.inertia;
  if (l.charge != 0) p.charge = l.charge;
  return p;
}

Expected expected_particles(const Scene& scene) {
  Expected e{scene.particles, scene.particles.size()};
  SceneParticles& p = e.particles;
  double run_time = 0;
  for (const Stage& s : scene.settings.stages) run_time += s.duration;
  for (std::size_t k = 0; k < scene.settings.particles.size(); ++k) {
    const ParticleSet& set = scene.settings.particles[k];
    const auto* s = std::get_if<Stream>(&set.source);
    if (!s) continue;
    const std::uint16_t material = index_of_material(scene, set.material);
    const Box b = bounds_of(s->region);
    for (double radius : {smallest_radius(set.radius), largest_radius(set.radius)})
      for (const Vec3d& x : {b.min, b.max}) {
        const BodyMass body = body_of(scene, k, material, radius);
        p.x.push_back(x);
        p.v.push_back(set.velocity);
        p.w.push_back(set.spin);
        p.q.push_back({1, 0, 0, 0});
        p.radius.push_back(radius);
        p.mass.push_back(body.mass);
        p.inertia.push_back(body.inertia);
        p.charge.push_back(set.charge);
        p.material.push_back(material);
        p.group.push_back(0);
        p.set.push_back(static_cast<std::uint16_t>(k));
        p.prescribed.push_back(0);
        p.turns.push_back(1);
      }
    const double one = body_of(scene, k, material, mean_radius(set.radius)).mass;
    double count = (s->rate > 0 ? s->rate : s->mass_rate / one) * std::min(run_time, s->when.stop);
    if (s->count > 0) count = std::min(count, static_cast<double>(s->count));
    e.count += static_cast<std::size_t>(std::clamp(count, 0.0, 1e12));
  }
  return e;
}

}  // namespace areia
