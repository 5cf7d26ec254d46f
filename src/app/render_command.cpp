// areia render: a picture of one frame of a results folder, or pictures of all of them for a film.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/print.h"
#include "app/results.h"
#include "areia/case_file.h"
#include "areia/error.h"
#include "io/files/manifest.h"
#include "io/frames/vtk_frames.h"
#include "render/render.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string results, out, colour = "speed", size = "1200x900", up, direction, range;
  double time = std::numeric_limits<double>::infinity(), zoom = 1;
  bool all = false, contacts = false, no_walls = false, no_legend = false, no_text = false, flat = false,
       overwrite = false;
};

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

RenderOptions options_of(const Arguments& a) {
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
  const fs::path kept_case = fs::path(a.results) / "case.toml";
  if (fs::exists(kept_case)) {
    try {
      look_as_case_says(read_case(kept_case), options);
    } catch (const InputError&) {  // of another version, or edited: the frames can be drawn all the same
      tell("warning: {} cannot be read by this version; up is z unless --up says otherwise\n", kept_case.string());
    }
  }
  if (!a.up.empty()) options.up = direction("--up", a.up);
  if (!a.direction.empty()) options.direction = direction("--direction", a.direction);
  options.zoom = a.zoom;
  options.perspective = !a.flat;
  options.walls = !a.no_walls;
  options.contacts = a.contacts;
  options.legend = !a.no_legend;
  options.text = !a.no_text;
  return options;
}

// One view and one colour scale for every frame, so that a film neither jumps nor flickers.
void make_film(const Arguments& a, RenderOptions options, const std::vector<FrameEntry>& frames) {
  const fs::path folder = a.out.empty() ? fs::path(a.results) / "pictures" : fs::path(a.out);
  const auto picture = [](const FrameEntry& entry) { return fmt::format("frame_{:06}.png", entry.index); };
  Manifest manifest(folder, "--out", "render");
  std::set<std::string> pictures;
  for (const FrameEntry& entry : frames) pictures.insert(picture(entry));
  manifest.refuse_others([&](const std::string& name) { return pictures.contains(name); });
  const bool own_range = !options.colour_min;
  std::optional<Box> view;
  std::optional<ColourScale> range;
  for (const FrameEntry& entry : frames) {
    const Frame frame = read_frame(a.results, entry);
    const Box box = automatic_view(frame);
    if (!view) view = box;
    view = Box{{std::min(view->min.x, box.min.x), std::min(view->min.y, box.min.y), std::min(view->min.z, box.min.z)},
               {std::max(view->max.x, box.max.x), std::max(view->max.y, box.max.y), std::max(view->max.z, box.max.z)}};
    if (!own_range) continue;
    const ColourScale own = colour_scale(frame, options);
    range = range ? joined(*range, own) : own;
  }
  options.view = view;
  if (range && range->low < range->high) {
    options.colour_min = range->low;
    options.colour_max = range->high;
  }
  manifest.open();
  for (const FrameEntry& entry : frames) {
    manifest.add(picture(entry));
    write_png(folder / picture(entry), render(read_frame(a.results, entry), options));
  }
  print("{} pictures in {}\n", frames.size(), folder.string());
}

int draw(const Arguments& a) {
  if (!a.all && !a.out.empty() && fs::path(a.out).extension() != ".png")
    throw InputError("--out", a.out, "pictures are PNG files: the name must end with .png");
  require_folder(a.results);
  const RenderOptions options = options_of(a);
  const std::vector<FrameEntry> frames = frames_of(a.results);
  if (a.all) {
    make_film(a, options, frames);
    return kDone;
  }
  const fs::path out = a.out.empty() ? file_beside(a.results, "png") : fs::path(a.out);
  // a picture that this command drew may be drawn again
  refuse_existing(out, "--out", a.overwrite || (fs::is_regular_file(fs::symlink_status(out)) && is_our_png(out)));
  const Frame frame = read_frame(a.results, a.time);
  if (options.contacts && frame.contacts.empty())
    tell("no contacts in this frame; output.contacts or output.contact_frames of the case may say so\n");
  write_png(out, render(frame, options));
  const std::size_t grains = frame.particles.id.size();
  print("{}: t = {:.6g} s, {} {}\n", out.string(), frame.time, grains, grains == 1 ? "grain" : "grains");
  return kDone;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("render", "draw a frame of a run as a PNG picture");
  c->add_option("results", a->results, "results folder of a run")->required();
  c->add_option("--time", a->time, "time of the frame, s; the nearest one is taken; default: the last")
      ->check(finite_number());
  c->add_option("--out", a->out, "picture to write; default: the folder's name with .png");
  c->add_flag("--overwrite", a->overwrite, "replace the picture even if it is not one of this command");
  c->add_flag("--all", a->all,
              "every frame, with one view and scale, into the folder --out; default: RESULTS/pictures");
  c->add_option("--colour,--color", a->colour, "what the colours show");
  c->add_option("--range", a->range, "low,high of the colour scale; default: the range of the frame");
  c->add_option("--size", a->size, "width x height in pixels");
  c->add_option("--up", a->up, "x,y,z of the upward direction; default: against gravity");
  c->add_option("--direction", a->direction, "x,y,z from the camera into the scene; default: from above the side");
  c->add_option("--zoom", a->zoom, "larger than 1: closer")->check(CLI::PositiveNumber)->check(finite_number());
  c->add_flag("--flat", a->flat, "no perspective");
  c->add_flag("--contacts", a->contacts, "force chains before pale grains");
  c->add_flag("--no-walls", a->no_walls, "leave the walls out");
  c->add_flag("--no-legend", a->no_legend, "leave the colour scale out");
  c->add_flag("--no-text", a->no_text, "leave title and time out");
  c->callback([a, &exit_code] { exit_code = draw(*a); });
}

}  // namespace areia::app
