// What is written on a picture: title and time, axes, a length to compare with, arrows.
#pragma once
#include <vector>

#include "areia/frame.h"
#include "render/camera.h"

namespace areia::picture {

void write_caption(Image& image, const Frame& frame);

// The directions of x, y and z in the lower left corner; those across the picture alone of a flat case.
void draw_axes(Image& image, const Camera& camera);

// A bar of a round length, as long as it is seen at the depth z of the camera, at the lower right of what is left of
// `right` (pixels).
void draw_scale_bar(Image& image, const Camera& camera, int supersampling, double z, double right);

struct Arrow {
  Vec3d from, along;  // camera coordinates
};
void draw_arrows(Image& image, const Camera& camera, int supersampling, const std::vector<Arrow>& arrows);
// An arrow beside its meaning, below the legend; `length` in pixels.
void explain_arrows(Image& image, double length, double speed);

// "20 mm": a length with the unit that makes its number short.
std::string length_text(double metres);

}  // namespace areia::picture
