// The world around the particles, the same for every engine: time, the schedule, walls with their servos, gravity and
// the other fields of the moment, counters, the ledger, and what a change between two steps means.
//
// An engine keeps the particles and their contacts. It asks the world where walls and prescribed bodies are and what
// acts from outside, and shows it its bodies when something changes (Bodies).
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/cell.h"
#include "engine/ledger.h"
#include "engine/outer_forces.h"
#include "engine/servo.h"
#include "engine/wall_now.h"
#include "motion/explicit_step.h"
#include "search/periodicity.h"

namespace areia {

struct WallSum {
  Vec3d force, torque;  // on the wall; torque about its pose's centre
};

// Forces on walls while they are summed up, in any order.
class WallSums {
 public:
  void clear(std::size_t walls) { sum_.assign(walls, {}); }
  void add(std::size_t wall, const Vec3d& force, const Vec3d& torque) {
    auto& s = sum_[wall];
    s[0] += force.x, s[1] += force.y, s[2] += force.z;
    s[3] += torque.x, s[4] += torque.y, s[5] += torque.z;
  }
  WallSums& operator+=(const WallSums& b) {  // of the same walls
    for (std::size_t w = 0; w < sum_.size(); ++w)
      for (std::size_t k = 0; k < 6; ++k) sum_[w][k] += b.sum_[w][k];
    return *this;
  }
  std::vector<std::array<ExactSum, 6>>& parts() { return sum_; }
  WallSum value(std::size_t wall) const {
    const auto& s = sum_[wall];
    return {{s[0].value(), s[1].value(), s[2].value()}, {s[3].value(), s[4].value(), s[5].value()}};
  }

 private:
  std::vector<std::array<ExactSum, 6>> sum_;
};

struct WallState : WallNow {
  WallSum sum;  // of the last evaluation that kept it
  ServoState servo;
};

struct Counters {
  std::int64_t step = 0;
  std::int64_t lost = 0, removed = 0, inserted = 0;  // particles, since the start
  std::int64_t ids = 0;                              // given out so far; none is used twice
};

// What of the world changes from step to step.
struct WorldState {
  std::vector<WallState> walls;
  Vec3d gravity;  // uniform and everywhere
  LedgerSums ledger;
  Counters count;
  CellState cell;
};

// The bodies of an engine, as far as changes touch them. Numbers k run over those that are there, in any order.
class Bodies {
 public:
  struct View {
    std::int64_t id = 0;
    std::uint16_t group = 0;
    bool free = true;  // not prescribed
    Vec3d x;
    double radius = 0;
  };
  virtual ~Bodies() = default;
  virtual std::size_t count() const = 0;
  virtual View view(std::size_t k) const = 0;
  virtual Energy stored_energy() const = 0;

  // A released body goes on with its velocity; a frozen one stops, whether it was free or moved by its set, and a
  // motion of its set that begins later starts from here.
  virtual void release(std::size_t k) = 0;
  virtual void freeze(std::size_t k) = 0;
  virtual void set_velocity(std::size_t k, const Vec3d& v) = 0;  // of a free one
  // Only these stay. Contacts and bonds go with their bodies and with walls that are not there, and contacts between
  // bodies of which neither is free.
  virtual void keep_only(const std::vector<std::uint8_t>& stays) = 0;
  // These go, and their contacts with them; returns what both had stored. For cases without bonds and forces at a
  // distance, where that is a matter of these bodies alone. Afterwards numbers may still run over those that went.
  virtual Energy take_out(const std::vector<std::size_t>& bodies) = 0;
  // New ones, from this id on, with the accelerations that the fields alone give them; returns what their motion and
  // height store.
  virtual Energy append(const std::vector<NewParticle>& particles, std::int64_t first_id) = 0;
  // Forces and contacts of the state as it is given; no time passes.
  virtual void evaluate_as_given() = 0;
  // The second half of the last kick of every bond, booked before bodies change (bond_work.h).
  virtual void flush_bonds() = 0;
  // The same of every contact that there is, so many times. Contacts that go on book it themselves one evaluation
  // later; so it is added before a change and taken off after it, and what ended in between is left.
  virtual void book_second_halves(double times) = 0;
  virtual void make_bonds(const std::vector<std::uint16_t>& sets) = 0;
};

class World {
 public:
  World(const Scene& scene, double dt, const Grid& bookings = {}, const ForceGrid& forces = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Scene& scene() const { return scene_; }
  double dt() const { return times_.dt; }
  void set_step_times(const StepTimes& times) { times_ = times; }
  const ForceGrid& force_grid() const { return force_grid_; }
  const Periodicity& periodicity() const { return cell_.periodicity(); }
  const Cell& cell() const { return cell_; }
  const FreeAxes& axes() const { return axes_; }
  WorldState& now() { return now_; }
  const WorldState& now() const { return now_; }
  void go_on_from(WorldState state);  // of a checkpoint

  double time() const { return time_after(0); }
  double next_time() const { return time_after(1); }
  double time_after(std::int64_t steps) const { return times_.time_at(now_.count.step + steps); }
  double time_of_forces() const;  // of the step that comes or is under way
  // Counts a step; now and then asks for the kinetic energy, whose largest value is the scale of the residual.
  bool asks_for_kinetic() const { return (now_.count.step + 1) % 100 == 0; }  // after the step under way
  template <class Kinetic>
  void finish_step(Kinetic&& kinetic) {
    const bool asks = asks_for_kinetic();
    ++now_.count.step;
    if (asks) now_.ledger.most_kinetic = std::max(now_.ledger.most_kinetic, kinetic());
  }

  void set_schedule(const Schedule& schedule);
  const Schedule& schedule() const { return schedule_; }
  const OuterForces& fields() const { return fields_; }  // of the time last set
  void set_fields(double t) { fields_.set(schedule_, t); }
  void place_walls(double t);
  Pose wall_pose(std::size_t w, double t) const;  // by its motion alone, without its servo
  void move_servos(double t);                     // once per step, with the forces of the last evaluation
  void move_cell(double t) { cell_.advance(schedule_.cell, now_.cell, t, times_.dt); }  // likewise
  void take_virial(const Vec3d& virial, bool moved) {  // of an evaluation, which may have followed a step
    if (moved) now_.ledger.wall_work += cell_.work(now_.cell.virial, virial);
    now_.cell.virial = virial;
  }
  // Gravity of time t. book(change, sum) adds the change of -m g . x of every free body to the sum, when g changes by
  // this; while gravity turns, it is work of the field.
  template <class Book>
  void set_gravity(double t, Book&& book) {
    const Vec3d g = gravity_at(schedule_, t);
    if (g == now_.gravity) return;
    if (gravity_turns(schedule_, t)) {
      book(g - now_.gravity, now_.ledger.field_work);
    } else {
      GridSum change(now_.ledger.field_work.grid());
      book(g - now_.gravity, change);
      now_.ledger.switched += change.value();
    }
    now_.gravity = g;
  }

  // Prescribed bodies follow their set's motion exactly, from where they were placed. Of sets that do not move they
  // stay.
  void place_sets(double t);
  bool moves(std::uint16_t set) const { return schedule_.set_motion[set].kind != Motion::Kind::fixed; }
  struct Placed {
    Vec3d x, v, w;
    Quat q;
  };
  Placed placed(std::uint16_t set, const Vec3d& at, const Quat& turn) const;
  // The other way round: the place and turn from which the motion of the set leads to these now.
  struct Origin {
    Vec3d x;
    Quat q;
  };
  Origin origin_of(std::uint16_t set, const Vec3d& x, const Quat& q) const;

  void apply(const Change& change, Bodies& bodies);
  // An evaluation was followed by a whole kick, of whose work it has booked half.
  bool leaves_halves() const;
  // Free bodies outside the domain, by the rule of the domain; true if some were taken out.
  bool remove_lost(Bodies& bodies);
  bool remove_lost(Bodies& bodies, const std::vector<std::size_t>& outside);  // those that are

  [[noreturn]] void stop_blown_up(std::int64_t id, const Vec3d& x, double radius, const Vec3d& v) const;

 private:
  void switch_bodies(const Change& change, Bodies& bodies);

  const Scene& scene_;
  StepTimes times_;
  ForceGrid force_grid_;
  Cell cell_;
  FreeAxes axes_;
  Schedule schedule_;
  std::vector<Pose> set_pose_;  // of the time last set
  OuterForces fields_;
  WorldState now_;
};

}  // namespace areia
