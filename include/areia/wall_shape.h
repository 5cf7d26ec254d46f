// The shapes that a wall of a case may have. Plain data; src/scene/shapes/ has what each of them means.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "areia/vec3.h"

namespace areia {

struct PlaneShape {
  Vec3d point, normal{0, 0, 1};  // normal points into the domain
  friend bool operator==(const PlaneShape&, const PlaneShape&) = default;
};
struct BoxShape {  // six faces seen from inside and outside; open ones are left out
  Vec3d min, max;
  std::array<bool, 6> open{};  // -x, +x, -y, +y, -z, +z
  friend bool operator==(const BoxShape&, const BoxShape&) = default;
};
struct CylinderShape {  // lateral surface between two end points, acts from inside and outside; caps are discs if asked
                        // for
  Vec3d from, to;
  double radius = 0;
  bool cap_from = false, cap_to = false;
  friend bool operator==(const CylinderShape&, const CylinderShape&) = default;
};

struct ConeShape {  // lateral surface of a truncated cone; radius_to = 0 gives a tip
  Vec3d from, to;
  double radius_from = 0, radius_to = 0;
  friend bool operator==(const ConeShape&, const ConeShape&) = default;
};
struct SphereShape {  // acts from inside and outside
  Vec3d center;
  double radius = 0;
  friend bool operator==(const SphereShape&, const SphereShape&) = default;
};
struct DiskShape {
  Vec3d center, normal{0, 0, 1};
  double radius = 0;
  double hole = 0;  // radius of a concentric opening
  friend bool operator==(const DiskShape&, const DiskShape&) = default;
};
struct RectangleShape {  // corner, corner + edge_a, corner + edge_a + edge_b, corner + edge_b; edges at right angles
  Vec3d corner, edge_a, edge_b;
  friend bool operator==(const RectangleShape&, const RectangleShape&) = default;
};
struct MeshShape {     // triangles; both sides act
  std::string file;    // "" once read: a case in memory holds the vertices and triangles themselves
  std::string origin;  // name of the file they came from, for reports
  double scale = 1;    // metres per unit of the file
  Vec3d shift;         // m, added after scaling
  double patch_angle = 0.0872664625997164788;  // rad: facets that meet at less belong to one smooth patch (5 degrees)
  bool repair = true;           // merge double vertices, drop degenerate and double triangles, turn facets alike
  std::vector<Vec3d> vertices;  // in the file's unit
  std::vector<std::array<std::int32_t, 3>> triangles;
  friend bool operator==(const MeshShape&, const MeshShape&) = default;
};

using WallShape =
    std::variant<PlaneShape, BoxShape, CylinderShape, ConeShape, SphereShape, DiskShape, RectangleShape, MeshShape>;

}  // namespace areia
