// Generators of particles: lattices and random sequential addition. Theory manual, section 15.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "areia/case.h"
#include "core/random.h"
#include "scene/motion.h"
#include "scene/scene.h"
#include "search/periodicity.h"

namespace areia {

struct Ball {
  Vec3d x;
  double radius;
};

// Balls already placed, for overlap queries while more are added; in a periodic box with all their images. A hash of
// cells per size class (powers of two), so that small balls among large ones stay cheap.
class PlacedBalls {
 public:
  explicit PlacedBalls(const Periodicity& periodicity = {}) : periodicity_(periodicity) {}
  void add(const Ball& b);
  // True if a ball here would come closer than `gap` to any other.
  bool collides(const Ball& b, double gap) const;

 private:
  struct Level {
    double h;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  };
  bool collides(const Level& level, const Ball& b, double gap) const;

  Periodicity periodicity_;
  std::unordered_map<int, Level> levels_;  // by exponent of the size
  std::vector<Ball> balls_;                // in the box, where it repeats itself
};

double draw_radius(const RadiusDistribution& d, Random& random);

bool contains_ball(const Region& r, const Vec3d& x, double radius);  // wholly inside

struct PlaceContext {
  const Case& settings;
  const std::vector<SceneWall>& walls;
  Random& random;
  PlacedBalls& placed;
  std::vector<std::string>& notes;
};

struct PlacedWall {
  const SceneWall* wall;
  Pose pose;
};
std::vector<PlacedWall> walls_at_start(const std::vector<SceneWall>& walls);  // those that are there

// Where one more ball may go by random addition.
struct PlaceRule {
  Region region;
  double min_gap = 0;
  std::int64_t max_attempts = 100000;
  int flat = -1;  // the axis without motion of a 2-D case
  Periodicity periodicity = {};
};
std::optional<Vec3d> find_place(const PlaceRule& rule, double radius, Random& random, const PlacedBalls& placed,
                                const std::vector<PlacedWall>& walls, std::int64_t& attempts);

// The radii of a set by count or solid fraction, in the order they are drawn.
std::vector<double> draw_radii(const ParticleSet& set, const RandomAddition& r, int flat, Random& random);
double solid_fraction_of(const std::vector<Ball>& balls, const Region& region, int flat);

// The axis that points against gravity most; z without gravity.
int up_axis(const Case& c);

// Positions and radii of a set. Throws InputError where the target cannot be reached.
std::vector<Ball> place_lattice(const ParticleSet& set, const Lattice& l, PlaceContext& context);
std::vector<Ball> place_randomly(const ParticleSet& set, const RandomAddition& r, PlaceContext& context);

}  // namespace areia
