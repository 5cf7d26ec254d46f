// Quantities measured on a frame. Pure functions: a frame and a description of what to look at give numbers. The theory
// manual, "Observables", has every definition. A quantity that does not exist (no particle, no heap) is NaN.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
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

// Lacey's index over cubic cells: 0 separated, 1 as random as can be.
struct MixingIndex {
  std::int64_t count = 0, cells = 0;  // particles of either group; cells that hold any
  double share = 0;                   // of the first group, by number or mass
  double variance = 0;                // of the share over the cells, weighted by the number or mass in the cell
  double index = 0;
};
// cell 0: four mean diameters.
MixingIndex mixing_index(const Frame& frame, const Selection& first, const std::string& second_group, double cell,
                         Measure::Weight weight = Measure::Weight::number);

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

// Something to look at with VTK: numbers on the cells of a grid, x first, or on the polygons of surfaces.
struct FieldArray {
  std::string name;
  int components = 1;
  std::vector<double> values;
};
struct FieldImage {
  Vec3d origin, spacing;
  std::array<std::int64_t, 3> cells{1, 1, 1};
  std::vector<FieldArray> arrays;
};
struct FieldSurface {
  std::vector<Vec3d> vertices;
  std::vector<std::vector<std::int32_t>> polygons;
  std::vector<FieldArray> arrays;
};
using FieldPicture = std::variant<std::monostate, FieldImage, FieldSurface>;

class Gauge;

// A measure of a case as lines of numbers, time first, then the columns. Follows the frames in the order of time. The
// lines, and the picture if it has one, are those of the last look, or with Measure::average those of the mean over the
// looks of a window; a frame of step 0 is before the first window.
class Observer {
 public:
  explicit Observer(const Measure& measure, const Case& settings = {});
  Observer(Observer&&) noexcept;
  ~Observer();
  const std::string& name() const { return name_; }
  std::vector<std::string> columns() const;
  void look(const Frame& frame);
  bool has_lines() const { return looks_ > 0; }
  std::vector<std::vector<double>> lines(const Frame& frame) const;  // at the time of the frame, the last one looked at
  FieldPicture picture(const Frame& frame) const;
  void begin_window();
  void save(Archive& archive) const;  // what the next lines depend on beside the frame
  void load(const Archive& archive);

 private:
  std::vector<double> mean() const;
  std::string key() const { return "output.measure." + name_; }

  std::string name_;
  bool averages_;
  std::unique_ptr<Gauge> gauge_;
  std::int64_t looks_ = 0;
  std::vector<double> sum_;           // over the looks of the window, of each number that was one
  std::vector<std::int64_t> counts_;  // how many that were; empty while all were
};

}  // namespace areia
