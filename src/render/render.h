// Pictures of a frame without a graphics card: spheres by ray casting with depth buffer, soft shadows and ambient
// occlusion, walls as light surfaces behind the grains and as outlines before them, a legend, title and time.
// The same frame and options give the same bytes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // row by row from the top
};

// A camera as the page of the studio places it.
struct ViewCamera {
  Vec3d eye{0, -1, 0}, target, up{0, 0, 1};
  double field_of_view = 26;   // degrees, of the height of the picture
  double parallel_height = 0;  // > 0: no perspective, and the picture is so many metres high
};

// What lies on the side that the normal points to is left out.
struct CutPlane {
  Vec3d point, normal;
};

// What a frame can be coloured by: its arrays, vectors by their length, and "height". "speed" is another name for the
// length of the velocity.
std::vector<std::string> colour_names(const Frame& frame);

struct ColourScale {
  double low = 0, high = 1;
  bool beyond = false;   // some values lie above `high`
  bool at_rest = false;  // nothing moves, and the scale ends at what would be a motion
  double position(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

struct RenderOptions {
  int width = 1200, height = 900;  // pixels
  std::string colour_by = "speed";
  std::optional<double> colour_min, colour_max;  // automatic: the range of the frame
  double duration = 0;                           // s, of the whole run: tells motion from rest; 0: unknown
  Vec3d up{0, 0, 1};                             // usually against gravity
  std::optional<Vec3d> direction;                // from the camera into the scene; automatic: from above the side
  double zoom = 1;
  bool perspective = true;
  std::optional<int> flat_axis;      // 2-D case: look along this axis, without perspective and shadows
  std::optional<Box> view;           // what the picture shows; automatic: the grains and the walls around them
  std::optional<ViewCamera> camera;  // in place of up, direction, zoom and perspective
  std::vector<CutPlane> cuts;
  bool walls = true;
  bool contacts = false;  // force chains before pale grains; what pulls is blue
  bool arrows = false;    // velocities of the grains that are seen
  bool marks = false;     // octants of two shades, which show how a grain is turned
  bool legend = true;
  bool text = true;  // title and time
  bool axes = true;  // directions of x, y and z, and a bar of a round length
};

// What a case says about the view: up is against gravity, and a 2-D case is looked at across its plane.
void look_as_case_says(const Case& c, RenderOptions& options);

Image render(const Frame& frame, const RenderOptions& options);

// What a camera looks at: the grains, and walls that enclose them; a floor or a plate would only make them small.
Box focus_box(const Frame& frame);

// For a film: take these over all frames and give them as `view`, `colour_min` and `colour_max`.
Box automatic_view(const Frame& frame);
Box grain_box(const Frame& frame);  // of all but a few grains that flew away; min > max without grains
ColourScale colour_scale(const Frame& frame, const RenderOptions& options);
ColourScale joined(const ColourScale& a, const ColourScale& b);

// Says that its software is Areia. Level 1 is several times as fast as 6, and the file some larger.
std::string encode_png(const Image& image, int level = 6);
bool is_our_png(const std::filesystem::path& path);
void write_png(const std::filesystem::path& path, const Image& image);  // atomic; throws FileError

}  // namespace areia
