// Pictures of a frame without a graphics card: spheres by ray casting with depth buffer, soft shadows and ambient
// occlusion, walls as light surfaces behind the grains and as outlines before them, a legend, title and time.
// The same frame and options give the same bytes.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // row by row from the top
};

enum class ColourBy { speed, radius, force, coordination, group, material, height, spin, id };

// "speed", "radius", ...; empty when the word is none of them.
std::optional<ColourBy> colour_by_name(std::string_view name);
const std::vector<std::string>& colour_by_names();

struct RenderOptions {
  int width = 1200, height = 900;  // pixels
  ColourBy colour_by = ColourBy::speed;
  std::optional<double> colour_min, colour_max;  // automatic: the range of the frame
  Vec3d up{0, 0, 1};                             // usually against gravity
  std::optional<Vec3d> direction;                // from the camera into the scene; automatic: from above the side
  double zoom = 1;
  bool perspective = true;
  std::optional<int> flat_axis;  // 2-D case: look along this axis, without perspective and shadows
  std::optional<Box> view;       // what the picture shows; automatic: the grains and the walls around them
  bool walls = true;
  bool contacts = false;  // force chains before pale grains
  bool legend = true;
  bool text = true;  // title and time
};

// What a case says about the view: up is against gravity, and a 2-D case is looked at across its plane.
void look_as_case_says(const Case& c, RenderOptions& options);

Image render(const Frame& frame, const RenderOptions& options);

// For a film: take these over all frames and give them as `view`, `colour_min` and `colour_max`.
Box automatic_view(const Frame& frame);
Box grain_box(const Frame& frame);  // of all but a few grains that flew away; min > max without grains
std::pair<double, double> colour_range(const Frame& frame, const RenderOptions& options);

std::string encode_png(const Image& image);  // says that its software is Areia
bool is_our_png(const std::filesystem::path& path);
void write_png(const std::filesystem::path& path, const Image& image);  // atomic; throws FileError

}  // namespace areia
