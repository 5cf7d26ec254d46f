// areia render: a picture of one frame of a results folder, or pictures of all of them; areia film: a film of them.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <set>

#include "app/film.h"
#include "app/in_path.h"
#include "app/pictures.h"
#include "app/print.h"
#include "app/results.h"
#include "areia/error.h"
#include "core/cores.h"
#include "io/files/manifest.h"
#include "render/in_parallel.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

struct Arguments : PictureArguments {
  std::string results, out;
  double time = std::numeric_limits<double>::infinity();
  bool all = false, overwrite = false;
};

// Several pictures at once, a core for each: all of a picture is done by its core, reading and compression too.
void draw_all(const std::string& results, const fs::path& folder, const RenderOptions& options,
              const std::vector<FrameEntry>& frames) {
  const auto picture = [](const FrameEntry& entry) { return fmt::format("frame_{:06}.png", entry.index); };
  Manifest manifest(folder, "--out", "render");
  std::vector<std::string> names;
  for (const FrameEntry& entry : frames) names.push_back(picture(entry));
  const std::set<std::string> pictures(names.begin(), names.end());
  manifest.refuse_others([&](const std::string& name) { return pictures.contains(name); });
  manifest.open();
  manifest.add_all(names);
  in_parallel(static_cast<std::int64_t>(frames.size()), 1, [&](std::int64_t k, std::int64_t) {
    const FrameEntry& entry = frames[static_cast<std::size_t>(k)];
    write_png(folder / picture(entry), render(read_frame(results, entry), options));
  });
  print("{} pictures in {}\n", frames.size(), folder.string());
}

int draw(const Arguments& a) {
  if (!a.all && !a.out.empty() && fs::path(a.out).extension() != ".png")
    throw InputError("--out", a.out, "pictures are PNG files: the name must end with .png");
  const std::vector<FrameEntry> frames = frames_of(a.results);
  RenderOptions options = picture_options(a, a.results, frames);
  if (a.all) {
    hold_still(options, a.results, frames);
    draw_all(a.results, a.out.empty() ? fs::path(a.results) / "pictures" : fs::path(a.out), options, frames);
    return kDone;
  }
  const fs::path out = a.out.empty() ? file_beside(a.results, "png") : fs::path(a.out);
  // a picture that this command drew may be drawn again
  refuse_existing(out, "--out", a.overwrite || (fs::is_regular_file(fs::symlink_status(out)) && is_our_png(out)));
  const Frame frame = read_frame(a.results, a.time);
  if (options.contacts && frame.contacts.empty() && frame.bonds.empty())
    tell("no contacts in this frame; output.contacts or output.contact_frames of the case may say so\n");
  write_png(out, render(frame, options));
  const std::size_t grains = frame.particles.id.size();
  print("{}: t = {:.6g} s, {} {}\n", out.string(), frame.time, grains, grains == 1 ? "grain" : "grains");
  return kDone;
}

struct FilmArguments : PictureArguments {
  std::string results, out;
  double rate = 25;
  bool overwrite = false;
};

int film(const FilmArguments& a) {
  const fs::path out = a.out.empty() ? file_beside(a.results, "mp4") : fs::path(a.out);
  const std::string kind = out.extension().string();
  if (!kind.empty() && kind != ".mp4" && kind != ".webm")
    throw InputError("--out", a.out, "must end with .mp4 or .webm, or name a folder for pictures");
  const std::vector<FrameEntry> frames = frames_of(a.results);
  RenderOptions options = picture_options(a, a.results, frames);
  const bool pictures_alone = kind.empty() || in_path("ffmpeg").empty();
  if (!pictures_alone) {
    refuse_existing(out, "--out", a.overwrite);
    if (options.width % 2 != 0 || options.height % 2 != 0)
      throw InputError("--size", a.size, "films have an even number of pixels to the right and downwards");
  }
  hold_still(options, a.results, frames);
  if (pictures_alone) {
    const fs::path folder = kind.empty() ? out : fs::path(out).replace_extension();
    draw_all(a.results, folder, options, frames);
    if (kind.empty()) return kDone;
    tell("no ffmpeg here, so there is no film; where there is one:\n  {}\n",
         film_command(folder / "frame_*.png", out, a.rate));
    return kDone;
  }
  FilmWriter writer(out, options.width, options.height, a.rate);
  const auto at_once = static_cast<std::size_t>(std::max(1, usable_cores().count));
  for (std::size_t first = 0; first < frames.size(); first += at_once) {
    std::vector<Image> images(std::min(at_once, frames.size() - first));
    in_parallel(static_cast<std::int64_t>(images.size()), 1, [&](std::int64_t k, std::int64_t) {
      const auto at = static_cast<std::size_t>(k);
      images[at] = render(read_frame(a.results, frames[first + at]), options);
    });
    for (const Image& image : images) writer.add(image);
  }
  writer.finish();
  print("{}: {} pictures, {:.3g} s\n", out.string(), frames.size(), static_cast<double>(frames.size()) / a.rate);
  return kDone;
}

}  // namespace

void add_render(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("render", "draw a frame of a run as a PNG picture");
  c->add_option("results", a->results, "results folder of a run")->type_name(kFolder)->required();
  c->add_option("--time", a->time, "time of the frame, s; the nearest one is taken; default: the last")
      ->check(finite_number());
  c->add_option("--out", a->out, "picture to write; default: the folder's name with .png")->type_name(kFile);
  c->add_flag("--overwrite", a->overwrite, "replace the picture even if it is not one of this command");
  c->add_flag("--all", a->all,
              "every frame, with one view and scale, into the folder --out; default: RESULTS/pictures");
  add_picture_options(*c, *a);
  c->callback([a, &exit_code] { exit_code = draw(*a); });
}

void add_film(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<FilmArguments>();
  a->size = "960x720";
  CLI::App* c = app.add_subcommand("film", "draw all frames of a run as a film, with ffmpeg, or as numbered pictures");
  c->add_option("results", a->results, "results folder of a run")->type_name(kFolder)->required();
  c->add_option("--out", a->out,
                "film.mp4, film.webm, or a folder for numbered PNG pictures; default: the folder's name with .mp4")
      ->type_name(kFile);
  c->add_option("--fps", a->rate, "pictures in a second")->check(CLI::Range(0.1, 240.0))->check(finite_number());
  c->add_flag("--overwrite", a->overwrite, "replace the film if it is there");
  add_picture_options(*c, *a);
  c->callback([a, &exit_code] { exit_code = film(*a); });
}

}  // namespace areia::app
