#include "render/camera.h"

#include <limits>
#include <numbers>

#include "areia/error.h"

namespace areia::picture {

namespace {

// A vector across `v`: the coordinate axis x, unless v lies along it.
Vec3d across(const Vec3d& v) {
  const Vec3d axis = std::abs(v.x) < 0.9 * norm(v) ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  return unit(axis - (dot(axis, v) / norm2(v)) * v);
}

}  // namespace

Box empty_box() {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  return {{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
}

void enclose(Box& box, const Vec3d& p) {
  box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y), std::min(box.min.z, p.z)};
  box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y), std::max(box.max.z, p.z)};
}

std::vector<Ball> corners(const Box& box) {
  std::vector<Ball> points(8);
  for (std::size_t k = 0; k < 8; ++k)
    points[k].centre = {k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z};
  return points;
}

Vec3d default_direction(const Vec3d& up) {
  const Vec3d side = across(up), front = cross(side, unit(up));
  return -unit(0.45 * side + 0.9 * front + 0.42 * unit(up));
}

Camera look_at(const Box& box, const std::vector<Ball>& shown, const Vec3d& direction, const Vec3d& up,
               bool perspective, const Rectangle& inside, double zoom) {
  Camera camera;
  camera.perspective = perspective;
  camera.forward = unit(direction);
  const Vec3d sideways = cross(camera.forward, up);
  camera.right = norm(sideways) > 1e-6 * norm(up) ? unit(sideways) : across(camera.forward);
  camera.up = cross(camera.right, camera.forward);
  // Two and a half diagonals away: enough perspective to read depth, not enough to distort. Then the picture is scaled
  // and shifted so that the balls fill the rectangle.
  const Vec3d centre = 0.5 * (box.min + box.max);
  camera.eye = centre - 2.5 * diagonal(box) * camera.forward;
  camera.nearest = 1e-3 * diagonal(box);
  double left = 1e300, right = -1e300, bottom = 1e300, top = -1e300;
  for (const Ball& ball : shown) {
    const Vec3d c = camera.to_camera(ball.centre);
    const double s = perspective ? 1 / c.z : 1;
    left = std::min(left, s * (c.x - ball.radius));
    right = std::max(right, s * (c.x + ball.radius));
    bottom = std::min(bottom, s * (c.y - ball.radius));
    top = std::max(top, s * (c.y + ball.radius));
  }
  const double width = std::max(right - left, 1e-12), height = std::max(top - bottom, 1e-12);
  camera.scale = zoom * std::min((inside.right - inside.left) / width, (inside.bottom - inside.top) / height);
  camera.centre_x = 0.5 * (inside.left + inside.right) - camera.scale * 0.5 * (left + right);
  camera.centre_y = 0.5 * (inside.top + inside.bottom) + camera.scale * 0.5 * (bottom + top);
  return camera;
}

Camera look_from(const ViewCamera& view, double width, double height) {
  const Vec3d sight = view.target - view.eye;
  const double distance = norm(sight);
  if (!(distance > 0) || !std::isfinite(distance)) throw InputError("camera", "eye", "must be away from its target");
  if (!(norm(view.up) > 0)) throw InputError("camera", "up", "must be a direction");
  const bool parallel = view.parallel_height > 0;
  if (!parallel && !(view.field_of_view > 0 && view.field_of_view < 180))
    throw InputError("camera", "field of view", "must be between 0 and 180 degrees");
  Camera camera;
  camera.perspective = !parallel;
  camera.eye = view.eye;
  camera.forward = unit(sight);
  const Vec3d sideways = cross(camera.forward, unit(view.up));
  camera.right = norm(sideways) > 1e-9 ? unit(sideways) : across(camera.forward);
  camera.up = cross(camera.right, camera.forward);
  camera.scale =
      parallel ? height / view.parallel_height : 0.5 * height / std::tan(view.field_of_view * std::numbers::pi / 360);
  camera.centre_x = 0.5 * width;
  camera.centre_y = 0.5 * height;
  camera.nearest = 1e-3 * distance;
  return camera;
}

}  // namespace areia::picture
