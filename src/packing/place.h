// Generators of particles: lattices and random sequential addition. Spec section 17.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "areia/case.h"
#include "core/random.h"
#include "scene/scene.h"

namespace areia {

struct Ball {
  Vec3d x;
  double radius;
};

// Balls already placed, for overlap queries while more are added. A hash of cells per size class (powers of two), so
// that small balls among large ones stay cheap.
class PlacedBalls {
 public:
  void add(const Ball& b);
  // True if a ball here would come closer than `gap` to any other.
  bool collides(const Ball& b, double gap) const;

 private:
  struct Level {
    double h;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  };
  std::unordered_map<int, Level> levels_;  // by exponent of the size
  std::vector<Ball> balls_;
};

double draw_radius(const RadiusDistribution& d, Random& random);
double largest_radius(const RadiusDistribution& d);
double smallest_radius(const RadiusDistribution& d);

double volume_of(const Region& r);
Box bounds_of(const Region& r);
bool contains_ball(const Region& r, const Vec3d& x, double radius);  // wholly inside

struct PlaceContext {
  const Case& settings;
  const std::vector<SceneWall>& walls;
  Random& random;
  PlacedBalls& placed;
  std::vector<std::string>& notes;
};

// Positions and radii of a set. Throws InputError where the target cannot be reached.
std::vector<Ball> place_lattice(const ParticleSet& set, const Lattice& l, PlaceContext& context);
std::vector<Ball> place_randomly(const ParticleSet& set, const RandomAddition& r, PlaceContext& context);

}  // namespace areia
