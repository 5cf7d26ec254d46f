// Quantities measured on a frame. Pure functions: a frame and a description of what to look at give numbers. The theory
// manual, "Observables", has every definition. A quantity that does not exist (no particle, no heap) is NaN.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "areia/archive.h"
#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

using Tensor = std::array<Vec3d, 3>;  // rows

// Which particles are looked at: the free ones of a group ("": all groups) whose centre lies in a region.
struct Selection {
  std::string group;
  Region region = everywhere();
};

// Heap on a base: four slopes of two perpendicular central cuts, each fitted on the middle of the height.
struct ReposeAngle {
  std::array<double, 4> slopes{};  // of the faces towards +a, -a, +b, -b; NaN for a face that does not exist
  double slope = 0;                // mean of the four
  double degrees = 0;              // mean of their angles
  double height = 0;               // top of the highest grain of the cuts above the base, m
};
ReposeAngle repose_angle(const Frame& frame, const Selection& selection, const Vec3d& base, const Vec3d& up);

// Grains about an axis and above a plate: d_i distance to the axis, h_i height of the centre above the plate.
struct DepositStatistics {
  std::int64_t count = 0;
  double distance_mean = 0, distance_std = 0;  // population standard deviations
  double thickness_mean = 0, thickness_std = 0;
  double share = 0;  // with d_i <= target
};
DepositStatistics deposit_statistics(const Frame& frame, const Selection& selection, const Vec3d& plate,
                                     const Vec3d& normal, double target);

struct ParticleCount {
  std::int64_t count = 0;
  double mass = 0;  // kg
};
ParticleCount particle_count(const Frame& frame, const Selection& selection);

struct CenterOfMass {
  std::int64_t count = 0;
  double mass = 0;           // kg
  Vec3d position, velocity;  // NaN without particles
};
CenterOfMass center_of_mass(const Frame& frame, const Selection& selection);

struct GranularTemperature {
  std::int64_t count = 0;
  Vec3d mean_velocity;     // of mass
  double temperature = 0;  // sum m |v - mean|^2 / (3 sum m), m^2/s^2
};
GranularTemperature granular_temperature(const Frame& frame, const Selection& selection);

// Lacey's index by numbers over cubic cells: 0 separated, 1 as random as can be.
struct MixingIndex {
  std::int64_t count = 0, cells = 0;  // particles of either group; cells that hold any
  double share = 0;                   // of the first group
  double variance = 0;                // of the share over the cells, weighted by the particles of the cell
  double index = 0;
};
// cell 0: four mean diameters.
MixingIndex mixing_index(const Frame& frame, const Selection& first, const std::string& second_group, double cell);

// Average stress in a region of finite volume; compression is positive.
struct StressTensor {
  std::int64_t contacts = 0;
  Tensor contact{};     // of contacts and bonds, Pa
  Tensor kinetic{};     // of the velocity fluctuations, Pa
  double pressure = 0;  // trace of `contact` / 3
  double deviator = 0;  // sqrt(3/2 s:s) of the symmetric part of `contact`
};
StressTensor stress_tensor(const Frame& frame, const Region& region);

struct FabricTensor {
  std::int64_t contacts = 0;
  Tensor fabric{};          // mean of n (x) n: trace 1
  double anisotropy = 0;    // sqrt(3/2 F':F'), F' = F - I/3: 0 in all directions alike, 1 all along one line
  double coordination = 0;  // mean number of partners, walls included, of the free particles in the region
};
FabricTensor fabric_tensor(const Frame& frame, const Region& region);

// What crosses a disc (or a whole plane, radius 0) along its normal. Particles are followed from frame to frame on
// straight lines; crossing back counts negative.
class MassFlow {
 public:
  MassFlow(std::string group, const Vec3d& point, const Vec3d& normal, double radius);
  void look(const Frame& frame);  // in the order of time

  double mass() const { return mass_; }  // between the last two frames, net, kg
  std::int64_t number() const { return number_; }
  double rate() const { return rate_; }  // kg/s
  double total_mass() const { return total_mass_; }
  std::int64_t total_number() const { return total_number_; }

  void save(Archive& archive, const std::string& key) const;
  void load(const Archive& archive, const std::string& key);

 private:
  std::string group_;
  Vec3d point_, normal_;
  double radius_;
  double mass_ = 0, rate_ = 0, total_mass_ = 0, time_ = 0;
  std::int64_t number_ = 0, total_number_ = 0;
  std::vector<std::int64_t> ids_;  // as of the last frame
  std::vector<Vec3d> places_;
};

class Gauge;

// A measure of a case as a line of numbers: time first, then the columns. Follows the frames in the order of time.
class Observer {
 public:
  explicit Observer(const Measure& measure);
  Observer(Observer&&) noexcept;
  ~Observer();
  const std::string& name() const { return name_; }
  std::vector<std::string> columns() const;
  std::vector<double> values(const Frame& frame);
  void save(Archive& archive) const;  // what the next line depends on beside the frame
  void load(const Archive& archive);

 private:
  std::string name_;
  std::unique_ptr<Gauge> gauge_;
};

}  // namespace areia
