// From depth buffers to colours: one sun with soft shadows, light from the sky dimmed in crevices (ambient occlusion),
// and a little light from the eye, so that no side is black.
#pragma once
#include <optional>
#include <vector>

#include "render/colour.h"
#include "render/raster.h"

namespace areia::picture {

struct Picture {
  Picture(int width, int height, const Camera& c)
      : camera(c), grains(width, height), walls(width, height), edges(width, height) {}

  Camera camera;
  DepthBuffer grains, walls, edges;
  std::optional<DepthBuffer> chains;
  std::vector<HalfSpace> kept;               // of a scene that is cut
  std::vector<Sphere> spheres;               // camera coordinates
  std::vector<Colour> colours;               // per grain
  const std::vector<Quat>* turns = nullptr;  // per grain, where marks show them
  std::vector<Polygon> surfaces;
  std::vector<bool> near_edge;
  std::vector<Line> chain_lines;
  std::vector<Colour> chain_colours;
  bool pale_grains = false;

  // `radius`: of a typical grain, the scale of crevices.
  void set_light(const Vec3d& world_up, const Box& view, double radius, bool with_crevices);
  void cast_shadows(const std::vector<Vec3d>& centres, const std::vector<double>& radii,
                    const std::vector<CutPlane>& cuts);
  void shade(Image& image, int supersampling) const;

 private:
  struct Received {  // light at a point, without the tilt of the surface
    float sky = 1, sun = 1;
  };
  Received received(const Vec3d& point, const Vec3d& normal, int x, int y) const;
  float open_sky(const Vec3d& point, const Vec3d& normal, int x, int y) const;
  float open_sun(const Vec3d& point, const Vec3d& normal) const;
  Colour grain_colour(std::size_t k, const Vec3d& point, const Received& light) const;
  Colour wall_colour(const Vec3d& normal, const Received& light) const;
  float presence(const Vec3d& point) const;
  Colour chain_sample(std::size_t k, double x, double y) const;

  Vec3d sun_, sky_;  // unit, towards the light, camera coordinates
  Vec3d world_sun_;
  Box view_;
  double radius_ = 0;
  bool with_crevices_ = true;
  std::optional<Camera> sun_camera_;
  std::optional<DepthBuffer> sun_depth_;
};

// A grain's octants in two shades: 1 or less, by the direction from its centre in the world.
float mark_shade(const Quat& turn, const Vec3d& normal);

}  // namespace areia::picture
