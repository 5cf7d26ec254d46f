#include "app/pictures.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/print.h"
#include "areia/case_file.h"
#include "areia/error.h"
#include "render/in_parallel.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

// "1,-0.5,2": finite numbers between separators, nothing else.
std::optional<std::vector<double>> numbers(std::string_view text, char separator) {
  std::vector<double> found;
  for (;;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || rest != word.data() + word.size() || !std::isfinite(value)) return {};
    found.push_back(value);
    if (end == text.size()) return found;
    text.remove_prefix(end + 1);
  }
}

Vec3d direction(const std::string& option, const std::string& text) {
  const auto v = numbers(text, ',');
  if (!v || v->size() != 3 || std::hypot((*v)[0], (*v)[1], (*v)[2]) == 0)
    throw InputError(option, text, "must be a direction x,y,z, such as 0,0,1");
  return {(*v)[0], (*v)[1], (*v)[2]};
}

Vec3d point(const std::string& option, const std::string& text) {
  const auto v = numbers(text, ',');
  if (!v || v->size() != 3) throw InputError(option, text, "must be a point x,y,z in metres, such as 0,-1.5,0.4");
  return {(*v)[0], (*v)[1], (*v)[2]};
}

// "y<0.1" keeps what is below, "y>0.1" what is above; or a point and a normal.
CutPlane cut_of(const std::string& text) {
  CutPlane cut;
  if (text.size() > 2 && text[0] >= 'x' && text[0] <= 'z' && (text[1] == '<' || text[1] == '>')) {
    if (const auto at = numbers(std::string_view(text).substr(2), ','); at && at->size() == 1) {
      component(cut.point, text[0] - 'x') = (*at)[0];
      component(cut.normal, text[0] - 'x') = text[1] == '<' ? 1 : -1;
      return cut;
    }
  } else if (const auto v = numbers(text, ','); v && v->size() == 6) {
    cut = {{(*v)[0], (*v)[1], (*v)[2]}, {(*v)[3], (*v)[4], (*v)[5]}};
    if (norm(cut.normal) > 0) return cut;
  }
  throw InputError("--cut", text,
                   "must be what is kept, such as `y<0.1` or `x>0`, or x,y,z,nx,ny,nz: a point of the plane and the "
                   "direction in which all is left out");
}

}  // namespace

void add_picture_options(CLI::App& c, PictureArguments& a) {
  c.add_option("--colour,--color", a.colour,
               "what the colours show: speed, height or any array of the frames, such as radius, force, coordination, "
               "group, material, spin, id");
  c.add_option("--range", a.range, "low,high of the colour scale; default: the range of the frame");
  c.add_option("--size", a.size, "width x height in pixels");
  c.add_option("--up", a.up, "x,y,z of the upward direction; default: against gravity");
  c.add_option("--direction", a.direction, "x,y,z from the camera into the scene; default: from above the side");
  c.add_option("--zoom", a.zoom, "larger than 1: closer")->check(CLI::PositiveNumber)->check(finite_number());
  CLI::Option* eye = c.add_option("--eye", a.eye, "x,y,z of the camera, in metres; with --target")
                         ->excludes("--direction")
                         ->excludes("--zoom");
  CLI::Option* target = c.add_option("--target", a.target, "x,y,z of the point in the middle of the picture");
  eye->needs(target);
  target->needs(eye);
  c.add_option("--fov", a.field_of_view, "degrees of the picture's height that --eye sees")
      ->check(CLI::Range(1.0, 170.0))
      ->check(finite_number());
  c.add_option("--cut", a.cuts,
               "keep a part of the scene: `y<0.1`, or x,y,z,nx,ny,nz, a point and the direction in which all is left "
               "out; may be given several times");
  c.add_flag("--flat", a.flat, "no perspective");
  c.add_flag("--contacts", a.contacts, "force chains and bonds before pale grains; what pulls is blue");
  c.add_flag("--arrows", a.arrows, "velocities of the grains that are seen");
  c.add_flag("--marks", a.marks, "octants of two shades on the grains, which show how they turn");
  c.add_flag("--no-walls", a.no_walls, "leave the walls out");
  c.add_flag("--no-legend", a.no_legend, "leave the colour scale out");
  c.add_flag("--no-text", a.no_text, "leave title and time out");
  c.add_flag("--no-axes", a.no_axes, "leave the directions of x, y, z and the scale bar out");
}

RenderOptions picture_options(const PictureArguments& a, const std::string& results,
                              const std::vector<FrameEntry>& frames) {
  RenderOptions options;
  const auto size = numbers(a.size, 'x');
  if (!size || size->size() != 2 || (*size)[0] != std::floor((*size)[0]) || (*size)[1] != std::floor((*size)[1]) ||
      !(std::min((*size)[0], (*size)[1]) >= 16) || !(std::max((*size)[0], (*size)[1]) <= 16384))
    throw InputError("--size", a.size, "must be width x height of 16 to 16384 pixels, such as 1200x900");
  options.width = static_cast<int>((*size)[0]);
  options.height = static_cast<int>((*size)[1]);
  options.colour_by = a.colour;
  if (!a.range.empty()) {
    const auto range = numbers(a.range, ',');
    if (!range || range->size() != 2 || !((*range)[0] < (*range)[1]))
      throw InputError("--range", a.range, "must be two rising numbers low,high, such as 0,1.5");
    options.colour_min = (*range)[0];
    options.colour_max = (*range)[1];
  }
  const fs::path kept_case = fs::path(results) / "case.toml";
  if (fs::exists(kept_case)) {
    try {
      look_as_case_says(read_case(kept_case), options);
    } catch (const InputError&) {  // of another version, or edited: the frames can be drawn all the same
      tell("warning: {} cannot be read by this version; up is z unless --up says otherwise\n", kept_case.string());
    }
  }
  if (!frames.empty()) options.duration = frames.back().time - frames.front().time;
  if (!a.up.empty()) options.up = direction("--up", a.up);
  if (!a.direction.empty()) options.direction = direction("--direction", a.direction);
  if (!a.eye.empty()) {
    options.camera = ViewCamera{point("--eye", a.eye), point("--target", a.target), options.up, a.field_of_view, 0};
    const Vec3d sight = options.camera->target - options.camera->eye;
    if (!(norm(sight) > 0)) throw InputError("--eye", a.eye, "must be away from --target");
    if (a.flat)  // what the eye sees at the target, without perspective
      options.camera->parallel_height = 2 * norm(sight) * std::tan(a.field_of_view * M_PI / 360);
  }
  for (const std::string& cut : a.cuts) options.cuts.push_back(cut_of(cut));
  options.zoom = a.zoom;
  options.perspective = !a.flat;
  options.walls = !a.no_walls;
  options.contacts = a.contacts;
  options.arrows = a.arrows;
  options.marks = a.marks;
  options.legend = !a.no_legend;
  options.text = !a.no_text;
  options.axes = !a.no_axes;
  return options;
}

void hold_still(RenderOptions& options, const std::string& results, const std::vector<FrameEntry>& frames) {
  struct Seen {
    Box box;
    ColourScale scale;
  };
  std::vector<Seen> seen(frames.size());
  in_parallel(static_cast<std::int64_t>(frames.size()), 1, [&](std::int64_t k, std::int64_t) {
    const Frame frame = read_frame(results, frames[static_cast<std::size_t>(k)]);
    seen[static_cast<std::size_t>(k)] = {focus_box(frame), colour_scale(frame, options)};
  });
  if (seen.empty()) return;
  Seen all = seen[0];
  for (const Seen& s : seen) {
    all.box = {{std::min(all.box.min.x, s.box.min.x), std::min(all.box.min.y, s.box.min.y),
                std::min(all.box.min.z, s.box.min.z)},
               {std::max(all.box.max.x, s.box.max.x), std::max(all.box.max.y, s.box.max.y),
                std::max(all.box.max.z, s.box.max.z)}};
    all.scale = joined(all.scale, s.scale);
  }
  options.view = all.box;
  if (!options.colour_min && all.scale.low < all.scale.high) {
    options.colour_min = all.scale.low;
    options.colour_max = all.scale.high;
  }
}

}  // namespace areia::app
