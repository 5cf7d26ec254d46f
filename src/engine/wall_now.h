// A wall where it is at present, as far as what touches it needs to know: plain numbers, the same on every device.
#pragma once
#include <type_traits>

#include "scene/motion.h"

namespace areia {

struct WallNow {
  Pose pose;
  bool present = true;
  bool in_place = false;  // of the pose; set by look()
  bool at_rest = false;   // of pose and surface; set by look()
  SurfaceMotion surface;

  void look() {
    in_place = pose.in_place();
    at_rest = pose.at_rest() && !surface.on;
  }
  // Of the wall where it touches something, with this normal: that of the pose, and of the surface along itself.
  AREIA_PORTABLE Vec3d velocity_at(const Vec3d& place, const Vec3d& n) const {
    const Vec3d v = pose.velocity_at(place);
    return surface.on ? v + surface.along(place, n) : v;
  }
  AREIA_PORTABLE Vec3d spin() const { return surface.on ? pose.w + surface.w : pose.w; }
  AREIA_PORTABLE Vec3d to_body(const Vec3d& x) const { return in_place ? x : pose.to_body(x); }
};
static_assert(std::is_trivially_copyable_v<WallNow>, "it can be copied to an accelerator");

}  // namespace areia
