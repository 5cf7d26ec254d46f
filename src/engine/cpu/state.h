// The particles of the cpu backend in slots: spatial order, renewed whenever the neighbour lists are made.
#pragma once
#include <cstdint>
#include <vector>

#include "areia/frame.h"
#include "core/vec4.h"
#include "engine/cpu/chunk.h"
#include "engine/servo.h"
#include "scene/motion.h"
#include "scene/scene.h"
#include "search/size_class_grid.h"

namespace areia::cpu {

// A particle's partner in a contact lies elsewhere in memory, so what is read and written of it together shares a cache
// line.
struct State {
  // per slot
  LineVector<Twin> moving;  // position and radius; velocity and 1/m (0: prescribed)
  LineVector<Vec4> spin;    // and 1/j (0: does not turn by torques)
  LineVector<Quat> orientation;
  LineVector<Twin> pushed;                           // of contacts: force, and how many there are; torque
  std::vector<Vec3d> outer, drag, distant;           // other forces: fields, fluid, at a distance; or empty
  std::vector<Vec3d> old_acceleration, old_turning;  // velocity_verlet only
  std::vector<Vec3d> built_at;                 // position when the lists were made, where that is needed; or empty
  std::vector<std::uint16_t> contacts_before;  // of the last evaluation, for laws that share limits; or empty
  std::vector<float> limit;                    // of a step before near pairs are picked again, m; see cpu_lists.cpp
  std::vector<std::uint32_t> id;
  std::vector<std::uint16_t> material;

  std::size_t size() const { return moving.size(); }
  Vec4& position(std::size_t i) { return moving[i].first; }
  Vec4& velocity(std::size_t i) { return moving[i].second; }
  Vec4& force(std::size_t i) { return pushed[i].first; }
  Vec4& torque(std::size_t i) { return pushed[i].second; }
  const Vec4& position(std::size_t i) const { return moving[i].first; }
  const Vec4& velocity(std::size_t i) const { return moving[i].second; }
  const Vec4& force(std::size_t i) const { return pushed[i].first; }
  const Vec4& torque(std::size_t i) const { return pushed[i].second; }
  Half<const Vec4> positions() const { return {&moving.data()->first}; }
  Half<const Vec4> velocities() const { return {&moving.data()->second}; }
};

struct WallState {
  Pose pose;
  bool present = true;
  bool in_place = false;  // its frame is that of the world; set by look()
  bool at_rest = false;   // it does not move now; set by look()
  Vec3d force, torque;    // on it, of the last evaluation that kept them; torque about its pose's centre
  ServoState servo;

  void look() {
    in_place = pose.in_place();
    at_rest = pose.at_rest();
  }
  Vec3d to_body(const Vec3d& x) const { return in_place ? x : pose.to_body(x); }
};

// What a contact kernel reads and writes besides its chunk.
struct KernelContext {
  State& state;
  const Scene& scene;
  const std::vector<WallState>& walls;
  const Periodicity& periodicity;
  std::vector<Chunk>& chunks;
  std::uint32_t chunk_size;
  LineVector<Letter>& letters;                   // across chunks
  const std::vector<std::uint32_t>& shared_at;   // inbox.h
  const std::vector<double>& overlap_share;  // per ordered material pair; all 0 with lever = radius
  double dt;                                 // 0: forces of a given state
  double max_overlap;
  bool record;
  bool feel_walls;  // forces on walls are asked for
  bool prescribed;  // some particles are
};

}  // namespace areia::cpu
