// A camera: camera coordinates (x right, y up, z into the scene) and their projection on the samples of a picture.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "areia/case.h"
#include "render/render.h"

namespace areia::picture {

struct Rectangle {
  double left = 0, top = 0, right = 0, bottom = 0;
};

struct Camera {
  Vec3d eye, right, up, forward;
  bool perspective = true;
  double scale = 1;                   // samples per unit of x / z (perspective) or of x (parallel)
  double centre_x = 0, centre_y = 0;  // sample at which the axis of the camera stands
  double nearest = 0;                 // what is nearer to the eye is not drawn (perspective)

  Vec3d to_camera(const Vec3d& p) const {
    const Vec3d d = p - eye;
    return {dot(d, right), dot(d, up), dot(d, forward)};
  }
  Vec3d turned(const Vec3d& v) const { return {dot(v, right), dot(v, up), dot(v, forward)}; }  // a direction
  Vec3d to_world(const Vec3d& c) const { return eye + c.x * right + c.y * up + c.z * forward; }
  // Of a point in camera coordinates; x, y in samples, y downwards.
  std::array<double, 2> project(const Vec3d& c) const {
    const double s = perspective ? scale / c.z : scale;
    return {centre_x + s * c.x, centre_y - s * c.y};
  }
  // Point in camera coordinates seen at sample (sx, sy) at depth z.
  Vec3d at(double sx, double sy, double z) const {
    const double a = (sx - centre_x) / scale, b = (centre_y - sy) / scale;
    return perspective ? Vec3d{a * z, b * z, z} : Vec3d{a, b, z};
  }
  // Unit vector from a point in camera coordinates to the eye.
  Vec3d towards_eye(const Vec3d& c) const { return perspective ? unit(-c) : Vec3d{0, 0, -1}; }
  // Samples that one unit of length takes at depth z.
  double samples_per_length(double z) const { return perspective ? scale / z : scale; }
};

struct Ball {
  Vec3d centre;
  double radius = 0;
};

// A camera that looks in `direction` at the box and shows all balls inside the rectangle of samples.
Camera look_at(const Box& box, const std::vector<Ball>& shown, const Vec3d& direction, const Vec3d& up,
               bool perspective, const Rectangle& inside, double zoom);

// The camera that the caller has placed, for a picture of so many samples.
Camera look_from(const ViewCamera& view, double width, double height);

// From above the front right corner.
Vec3d default_direction(const Vec3d& up);

std::vector<Ball> corners(const Box& box);
void enclose(Box& box, const Vec3d& p);
Box empty_box();
inline double diagonal(const Box& box) { return norm(box.max - box.min); }

}  // namespace areia::picture
