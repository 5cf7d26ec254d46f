// Hard spheres and planes, from collision to collision.
//
// Every particle flies freely and carries its own time, that of its last event; nothing else is touched by a collision
// of two. Each has one entry in the queue: the earlier of its next collision and its next crossing of a cell face.
//
// Which collisions are known. predict(i) searches the 27 cells around i and keeps the earliest partner; crossing a face
// looks at the 9 new cells. A partner k whose own next collision comes first is passed over: at that moment k either
// collides or finds its entry out of date, and searches itself. So for every pair the one that searched last, or the
// other one before it is needed, knows of their collision, and nothing has to be told to third particles: an entry
// whose partner has collided since (its count differs) is out of date, and its owner searches again when it comes up.
//
// All that follows depends on states, entries and their order by (time, id) alone: not on the order within a cell's
// list, nor on where the caller cuts the run. Reading the state at some time changes nothing.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "areia/archive.h"
#include "areia/frame.h"
#include "areia/simulation.h"
#include "engine/events/event_cells.h"
#include "engine/events/event_queue.h"
#include "engine/events/flight.h"
#include "engine/events/meetings.h"
#include "physics/hard_impact.h"

namespace areia::events {

struct Plane {
  Vec3d n;            // unit, into the domain
  double offset = 0;  // of the plane: n . x
  std::uint16_t material = 0, wall = 0;
};

// What a collision needs besides: one cache line.
struct alignas(64) Ball {
  Vec3d w;
  double inv_m = 0, inv_j = 0;
  double last = -kNever, since = -kNever;  // the last collision, and one from which `burst` are counted
  std::int32_t burst = 0;
  std::uint16_t material = 0;
};

struct Turning {  // orientation at time t
  Quat q{1, 0, 0, 0};
  double t = 0;
};

struct HardSettings {
  std::vector<ImpactPair> laws;  // of materials a, b at a * materials + b
  std::size_t materials = 1;
  Periodicity periodicity;
  int flat = -1;                // axis without motion
  Vec3d low, high;              // where the particles are at first
  double contact_time = 0;      // TC model; 0: off
  double collapse_time = 0;     // so many ...
  int collapse_count = 100;     // ... collisions of a particle within it are a collapse
  double wall_window = kNever;  // s over which forces on walls are averaged
  std::size_t walls = 0;
  std::vector<std::string> wall_names;
};

struct WallPush {  // impulse given to a wall, its moment about the origin
  Vec3d impulse, moment;
};

class HardSpheres {
 public:
  explicit HardSpheres(HardSettings settings);

  // Particles by id; those that are not present keep their place in the arrays.
  std::vector<Flight> flight;
  std::vector<Ball> ball;
  std::vector<Turning> turning;
  std::vector<double> mass;
  std::vector<std::uint8_t> present;
  std::vector<Plane> planes;
  Vec3d gravity;

  // All that happens up to and including time t. Throws StoppedError on inelastic collapse.
  void run_until(double t);
  // All flights brought to time t, before the caller changes the public members; restart(t) follows.
  void stop_at(double t);
  // Everything at time t, then all predictions from nothing: after the caller has changed the public members.
  void restart(double t);

  Flight at(std::size_t i, double t) const {
    Flight f = flight[i];
    fly(f, gravity, t);
    return f;
  }
  Quat turned_at(std::size_t i, double t) const;
  const std::vector<WallPush>& wall_push() const { return pushed_; }  // mean force of the last full window
  const EventStatistics& statistics() const { return statistics_; }
  double lost_normal() const { return lost_normal_; }
  double lost_tangential() const { return lost_tangential_; }
  double across_periods() const { return across_periods_; }  // potential gained by wrapping
  std::size_t bytes() const;

  void save(Archive& a) const;
  void load(const Archive& a);

 private:
  static constexpr std::int32_t kNobody = -1;
  static std::int32_t plane_code(std::size_t k) { return -2 - static_cast<std::int32_t>(k); }

  struct Next {  // of a particle
    double collision = kNever, crossing = kNever;
    std::int32_t partner = kNobody;   // or plane_code
    std::uint32_t partner_count = 0;  // of the partner's collisions, when this was predicted
    std::uint32_t count = 0;          // own collisions
    std::int32_t face = 0;            // 2 axis + (above), of the crossing
    double when() const { return collision < crossing ? collision : crossing; }
  };
  void run(double t_end);
  void predict(std::uint32_t i);
  void look_at(std::uint32_t i, std::size_t n, Next& best);
  void cross_face(std::uint32_t i);
  void predict_planes(const Flight& f, Next& best) const;
  void predict_crossing(std::uint32_t i);
  void collide(std::uint32_t i, std::uint32_t j, double t);
  void collide_plane(std::uint32_t i, std::size_t plane, double t);
  bool is_soon(std::uint32_t i, double t) const;
  void note(std::uint32_t i, std::int32_t partner, double t);
  void kick(std::uint32_t i, const Vec3d& dv, const Vec3d& turn, double t);
  ImpactPair law(std::size_t a, std::size_t b, bool elastic) const;
  void turn_window(double t);
  void plan_cells();
  [[noreturn]] void report_collapse(std::uint32_t i, std::int32_t partner, double t) const;

  HardSettings s_;
  EventCells cells_;
  EventQueue queue_;
  std::vector<Next> next_;
  FindMeetings find_meetings_ = fastest_find_meetings();
  Meetings near_;  // work space of a search
  std::vector<WallPush> pushing_, pushed_;
  std::int64_t window_ = 0;  // number of the present one
  double lost_normal_ = 0, lost_tangential_ = 0, across_periods_ = 0;
  EventStatistics statistics_;
};

}  // namespace areia::events
