// What the cuda engine asks of a device: bodies and contacts as a checkpoint has them go there, steps are taken, and
// they come back. It is made by a library that is opened while the program runs (plugin.h), and by the program itself
// with the host in place of a device, for tests.
//
// A batch is a number of steps of one length, with gravity and walls that are known beforehand. It
// ends early where the steps ask for something that a device does not do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "areia/case.h"
#include "engine/cuda/device_fault.h"
#include "engine/force_sum.h"
#include "engine/snapshot.h"
#include "engine/wall_search.h"
#include "physics/plain_laws.h"
#include "search/periodicity.h"

namespace areia::cuda {

// Of a case; does not change.
struct DeviceCase {
  int materials = 1;
  std::vector<PlainLaws> laws;  // per ordered pair of materials
  std::vector<double> share;    // of the overlap, that shortens the lever of i; per ordered pair, or none
  bool counts = false;          // laws ask for the number of contacts of a body
  bool ledger = true;
  Scheme scheme = Scheme::drift_kick;
  Domain domain;
  bool exact_rotation = true;
  double max_overlap = 0;
  double skin = 0, most_skin = 0;  // a device may take a wider one than `skin`
  Grid bookings;
  ForceGrid forces;
  std::vector<PlainShape> shapes;            // of walls
  std::vector<std::uint16_t> wall_material;  // of each
  std::vector<std::uint8_t> wall_turns;      // whether its motion turns it
  std::vector<std::uint8_t> may_go_on;  // per material of a body and two walls: whether a contact may pass between them
};

struct DeviceBatch {
  std::int64_t steps = 0;
  double dt = 0;
  Vec3d gravity_before;        // of the last step before these
  std::vector<Vec3d> gravity;  // of each step
  std::vector<bool> turns;     // whether gravity turns in it
  std::vector<WallNow> walls;  // as they are in each step, one step after the other; of one step alone: they stay
};

struct DeviceResult {
  std::int64_t taken = 0;
  std::int64_t failed = -1;     // the lowest id for which the last step has failed
  std::vector<GridSum> booked;  // in these steps: in the order of Booking, then the work of walls and fields
};

struct DeviceKinetic {
  double moving = 0, turning = 0;
};

struct DeviceStatistics {
  std::int64_t rebuilds = 0, pairs = 0;
  std::size_t bytes = 0;
};

class DeviceEngine {
 public:
  virtual ~DeviceEngine() = default;
  virtual std::string name() const = 0;  // of the device
  virtual void load(const SnapshotParticles& particles, const SnapshotContacts& contacts,
                    const std::vector<WallNow>& walls) = 0;
  virtual DeviceResult advance(const DeviceBatch& batch) = 0;
  virtual DeviceKinetic kinetic_energy() = 0;
  // What has changed since load(): x, v, w, q, force, torque, contacts of particles, and all contacts. Now, or when
  // they were kept.
  virtual void save(SnapshotParticles& particles, SnapshotContacts& contacts, bool kept) = 0;
  virtual void keep() = 0;
  virtual DeviceStatistics statistics() const = 0;
};

// The one whose kernels run on the host.
std::unique_ptr<DeviceEngine> make_host_engine(const DeviceCase& c);

}  // namespace areia::cuda
