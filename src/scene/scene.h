// The scene: what a case becomes once particles are placed and names are numbers. Plain data; engines start from it.
#pragma once
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"
#include "scene/motion.h"
#include "scene/triangle_mesh.h"

namespace areia {

struct SceneParticles {  // index = id
  std::vector<Vec3d> x, v, w;
  std::vector<Quat> q;
  std::vector<double> radius, mass, inertia, charge;
  std::vector<std::uint16_t> material, group, set;
  std::vector<std::uint8_t> prescribed;  // moved by its set's motion only
  std::vector<std::uint8_t> turns;       // 0: rotation inhibited
  std::size_t size() const { return x.size(); }
};

struct SceneWall {
  std::string name;
  std::uint16_t material = 0;
  WallShape shape;  // of a mesh without its vertices and triangles: those are in `mesh`
  Motion motion;
  Surface surface;
  Servo servo;
  bool present = true;  // at the start
  Pose begins;          // where another run has left it: its motion goes on from there; as a rule in place
  std::shared_ptr<const TriangleMesh> mesh;
};

struct Scene {
  Case settings;  // the case this scene came from
  std::vector<Material> materials;
  std::vector<std::string> groups;
  SceneParticles particles;        // at the start; none once a backend has taken them over
  std::vector<Motion> set_motion;  // per particle set
  std::vector<SceneWall> walls;
  // For materials a, b: index into settings.contacts at a * materials.size() + b, or -1.
  std::vector<std::int32_t> contact_of;
  std::vector<std::string> notes;  // what the generators did, for the log

  std::int32_t contact_index(std::size_t a, std::size_t b) const { return contact_of[a * materials.size() + b]; }
};

// What a case that starts from another run takes over before anything is placed.
struct CarriedBodies {
  SceneParticles particles;                                // material and group are those of the set
  std::vector<Pose> walls;                                 // per wall of the case, SceneWall::begins
  std::set<std::pair<std::size_t, std::size_t>> touching;  // particle and wall that may overlap as they did before
};

// Names become numbers, and walls and meshes are prepared; no particles are placed. Throws InputError.
Scene make_bare_scene(Case c);

// Places all particles, those that are carried over first, and resolves all names. Throws InputError with every problem
// found (overlaps included).
Scene make_scene(Case c, const CarriedBodies& carried = {});

}  // namespace areia
