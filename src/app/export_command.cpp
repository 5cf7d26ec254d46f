// areia export: the particles of a run as files of other programs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/print.h"
#include "app/results.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/frames/frame_files.h"
#include "io/frames/lammps_files.h"
#include "io/frames/vtk_frames.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

struct Arguments {
  std::string results, out, format = "lammps-data";
  std::optional<double> time;
  std::optional<int> frame;
  bool overwrite = false;
};

// The frame nearest to a time or of a number; else every one for a dump, and the last for a file that holds one.
std::vector<FrameEntry> chosen(const Arguments& a) {
  std::vector<FrameEntry> frames = frames_of(a.results);
  if (a.frame) {
    for (const FrameEntry& f : frames)
      if (f.index == *a.frame) return {f};
    throw InputError(
        "--frame", fmt::format("{}", *a.frame),
        fmt::format("is not there; frames are numbered from {} to {}", frames.front().index, frames.back().index));
  }
  if (a.time)
    return {*std::min_element(frames.begin(), frames.end(), [&](const FrameEntry& x, const FrameEntry& y) {
      return std::fabs(x.time - *a.time) < std::fabs(y.time - *a.time);
    })};
  if (a.format == "lammps-dump") return frames;
  return {frames.back()};
}

int write(const Arguments& a) {
  require_folder(a.results);
  const bool dump = a.format == "lammps-dump";
  const fs::path out = a.out.empty() ? file_beside(a.results, dump ? "dump" : "data") : fs::path(a.out);
  refuse_existing(out, "--out", a.overwrite);
  Domain domain;
  try {
    domain = read_case((fs::path(a.results) / "case.toml").string()).domain;
  } catch (const InputError&) {  // of another version, or edited
    tell("warning: case.toml of {} cannot be read by this version; the box is that around the particles\n", a.results);
  }
  AtomicFile file(out);
  const auto sink = [&](std::string_view text) { file.write(text); };
  std::size_t particles = 0;
  const std::vector<FrameEntry> frames = chosen(a);
  for (const FrameEntry& entry : frames) {
    const Frame frame = read_particles_vtp(particles_file(a.results, entry.index));
    const LammpsBox box = lammps_box(frame, domain);
    if (dump) write_lammps_dump(frame, box, sink);
    else write_lammps_data(frame, box, sink);
    particles = frame.particles.id.size();
  }
  file.commit();
  if (frames.size() == 1) print("{}: t = {:.6g} s, {} particles\n", out.string(), frames[0].time, particles);
  else print("{}: {} frames\n", out.string(), frames.size());
  return kDone;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  auto a = std::make_shared<Arguments>();
  CLI::App* c = app.add_subcommand("export", "write the particles of a run as a file of LAMMPS");
  c->add_option("results", a->results, "results folder of a run")->type_name(kFolder)->required();
  c->add_option("--format", a->format, "lammps-data (atom_style sphere), or lammps-dump (text)")
      ->check(CLI::IsMember({"lammps-data", "lammps-dump"}));
  c->add_option("--out", a->out, "file to write; default: the folder's name with .data or .dump")->type_name(kFile);
  auto* time = c->add_option("--time", a->time,
                             "time of the frame, s; the nearest one is taken; default: the last, and all in a dump")
                   ->check(finite_number());
  auto* frame = c->add_option("--frame", a->frame, "number of the frame, as in frames/particles_NUMBER.vtp");
  time->excludes(frame);
  c->add_flag("--overwrite", a->overwrite, "replace the file to write if it is there");
  c->callback([a, &exit_code] { exit_code = write(*a); });
}

}  // namespace areia::app
