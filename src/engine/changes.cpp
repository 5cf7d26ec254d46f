// What a program may change of a simulation while it runs. Contacts are shown as they were until the next step finds
// them anew.
#include <fmt/format.h>

#include <algorithm>

#include "core/range.h"
#include "core/suggest.h"
#include "engine/simulation_parts.h"

namespace areia {
namespace {

void require_usable(const char* call, const Vec3d& v) {
  for (const double a : {v.x, v.y, v.z})
    if (!is_usable(a)) throw InputError(call, fmt::format("{}", a), kUsableRule);
}

std::vector<FrameContact> shown_contacts(const Simulation& s) {
  FrameChoice choice = FrameChoice::none();
  choice.contacts = true;
  return s.frame(choice).contacts;
}

}  // namespace

void Simulation::insert(const std::string& set, const std::vector<ListedParticle>& particles) {
  Parts& p = *parts_;
  Change c;
  for (const ListedParticle& l : particles) c.insert.push_back(new_particle(p.scene, set, l));
  if (c.insert.empty()) return;
  p.require_contacts_of(c.insert[0].material);
  std::vector<FrameContact> shown = shown_contacts(*this);
  p.backend->apply(c);
  p.loaded = std::move(shown);
}

void Simulation::remove(std::vector<std::int64_t> ids) {
  Parts& p = *parts_;
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const std::vector<std::int64_t> there = frame(FrameChoice::none()).particles.id;
  for (const std::int64_t id : ids)
    if (!std::binary_search(there.begin(), there.end(), id))
      throw InputError("remove", fmt::format("{}", id), "there is no particle of this id");
  if (ids.empty()) return;
  std::vector<FrameContact> shown = shown_contacts(*this);
  std::erase_if(shown, [&](const FrameContact& k) {
    return std::binary_search(ids.begin(), ids.end(), k.i) || std::binary_search(ids.begin(), ids.end(), k.j);
  });
  Change c;
  c.remove_ids = std::move(ids);
  p.backend->apply(c);
  p.loaded = std::move(shown);
}

void Simulation::set_velocity(const std::string& group, const Vec3d& velocity) {
  Parts& p = *parts_;
  require_usable("set_velocity", velocity);
  const std::vector<std::string>& groups = p.scene.groups;
  const auto at = std::find(groups.begin(), groups.end(), group);
  if (at == groups.end())
    throw InputError("set_velocity", group, "there is no group of this name" + suggestion(group, groups));
  if (const FreeAxes axes(p.settings().domain); !(axes.moving(velocity) == velocity))
    throw InputError("set_velocity", fmt::format("({}, {}, {})", velocity.x, velocity.y, velocity.z),
                     "leads out of the plane of the case");
  if (p.settings().numerics.collisions == Collisions::hard)
    throw InputError("set_velocity", group, "hard spheres change their velocities in collisions alone");
  std::vector<FrameContact> shown = shown_contacts(*this);
  Change c;
  c.velocities.push_back({static_cast<std::uint16_t>(at - groups.begin()), velocity});
  p.backend->apply(c);
  p.loaded = std::move(shown);
}

void Simulation::set_gravity(const Vec3d& gravity) {
  Parts& p = *parts_;
  require_usable("set_gravity", gravity);
  if (p.settings().numerics.collisions == Collisions::hard)
    throw InputError("set_gravity", "", "hard spheres fall by the gravity of their case alone");
  p.gravity = gravity;
  p.backend->set_schedule(p.schedule());
}

void Simulation::set_wall_velocity(const std::string& wall, const Vec3d& velocity, const Vec3d& spin,
                                   const Vec3d& point) {
  Parts& p = *parts_;
  for (const Vec3d* v : {&velocity, &spin, &point}) require_usable("set_wall_velocity", *v);
  std::vector<std::string> names;
  for (const SceneWall& w : p.scene.walls) names.push_back(w.name);
  const auto at = std::find(names.begin(), names.end(), wall);
  if (at == names.end())
    throw InputError("set_wall_velocity", wall, "there is no wall of this name" + suggestion(wall, names));
  if (p.settings().numerics.collisions == Collisions::hard)
    throw InputError("set_wall_velocity", wall, "walls of hard spheres stand still");
  const auto w = static_cast<std::size_t>(at - names.begin());
  const Schedule now = p.schedule();
  if (now.servo[w].on)
    throw InputError("set_wall_velocity", wall, "a servo or a loading moves this wall: it follows a force");
  SetWall set;
  set.from = pose_at(now.wall_motion[w], p.backend->time());
  set.velocity = velocity;
  set.spin = spin;
  set.point = point;
  set.since = p.backend->time();
  p.set_walls[w] = set;
  if (!turns(now.wall_motion[w]) && !turns(set.motion())) return p.backend->set_schedule(p.schedule());
  // lists know the arms of walls that turn: they are made anew
  std::vector<FrameContact> shown = shown_contacts(*this);
  p.backend->set_schedule(p.schedule());
  p.backend->apply({});
  p.loaded = std::move(shown);
}

}  // namespace areia
