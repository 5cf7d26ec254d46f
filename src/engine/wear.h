// What grains do to walls, booked step by step for the walls that a measure `wear` asks for; nothing is done for
// others.
//
// A contact with force f on the grain, normal n into the wall, normal force N = -f.n, and the velocity u of the grain's
// surface against the wall's gives, over a step dt,
//   sliding  -f_t.u_t dt         the work of friction;
//   loaded   N (-f_t/|f_t|).u_t dt   normal force times slip along the friction, as Archard's law of wear asks for;
//   impact   N u_n dt where the grain comes nearer: the work of compression, for a normal impact m v^2/2.
// The tangential terms have a sign: a spring that is wound up and let go again while the contact sticks adds nothing.
// Where a scheme gives one kick per evaluation, u is that of the middle of the kick, so that N u_n dt is the change of
// kinetic energy to the bit of rounding.
#pragma once
#include <cstdint>
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"
#include "scene/motion.h"
#include "scene/scene.h"
#include "search/periodicity.h"

namespace areia {

struct WallState;

// A body that touches a wall, with the velocities that do the work.
struct WearingBody {
  std::int64_t id = 0;
  Vec3d x, v, w;
  double radius = 0;
};

class WearBook {
 public:
  WearBook() = default;
  explicit WearBook(const Scene& scene);
  bool any() const { return !walls_.empty(); }

  // A contact of the step under way; in any order.
  void enter(const WearingBody& body, std::int32_t wall, std::int32_t patch, const Vec3d& n, double overlap,
             const Vec3d& force, const WallState& state);
  void finish_step(double dt);

  const std::vector<FrameWear>& shown() const { return books_; }
  void save(Archive& archive) const;
  void load(const Archive& archive);  // walls that it does not know, asked for since it was saved, begin with nothing

 private:
  struct Entry {
    std::size_t book = 0, element = 0;
    std::int64_t id = 0;
    double sliding = 0, loaded = 0, impact = 0;  // W
  };
  std::size_t element_of(const SceneWall& wall, std::int32_t patch, const Vec3d& point, double radius,
                         const Pose& pose) const;

  const Scene* scene_ = nullptr;
  Periodicity periodicity_;
  std::vector<std::int32_t> walls_;  // book of each wall of the scene, or -1; empty without any
  std::vector<FrameWear> books_;
  std::vector<Entry> step_;
};

}  // namespace areia
