// Runs with a results folder, as the command line makes them, and what such folders hold.
#include <fmt/format.h>

#include <filesystem>
#include <mutex>

#include "arrays.h"
#include "case_of.h"
#include "frame.h"
#include "io/case/located.h"
#include "io/files/atomic_file.h"
#include "io/frames/vtk_frames.h"
#include "io/series/series_table.h"
#include "run/packing_cache.h"
#include "run/results_folder.h"
#include "run/run.h"
#include "waiting.h"

namespace areia::python {
namespace {

namespace fs = std::filesystem;

// The words of the command line, as they are called here.
[[noreturn]] void in_words_of_python(InputError& e) {
  const auto replace = [](std::string& text, std::string_view from, std::string_view to) {
    if (const std::size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  };
  for (Problem& p : e.problems) {
    if (p.key == "--out" || p.key == "--resume") p.key = "out";
    replace(p.rule, "--resume", "areia.open(out).resume()");
    replace(p.rule, "--overwrite", "overwrite=True");
  }
  throw InputError(std::move(e.problems));
}

struct RunArguments {
  std::string out, engine;
  int threads = 0;
  bool overwrite = false, resume = false;
  double max_wall = 0, extend = 0;
  py::object log, progress;
};

py::dict as_dict(const Progress& p) {
  py::dict out;
  out["time"] = p.time;
  out["planned_time"] = p.planned_time;
  out["step"] = p.step;
  out["particles"] = p.particles;
  out["wall"] = p.wall;
  out["steps_per_s"] = p.steps_per_s;
  out["seconds_left"] = p.seconds_left;
  out["kinetic"] = p.kinetic;
  out["stage"] = p.stage;
  return out;
}

// `document`: none to go on with the run that is there.
py::object run(const io::CaseDocument* document, const RunArguments& a) {
  std::atomic<int> interrupt{0};
  std::exception_ptr raised;  // by a function of the caller
  const auto call = [&](const py::object& function, const auto& value) {
    const py::gil_scoped_acquire hold;
    if (raised) return;
    try {
      if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Progress>) function(as_dict(value));
      else function(value);
    } catch (const py::error_already_set&) {
      raised = std::current_exception();
      interrupt.store(1);
    }
  };
  RunOptions options;
  options.out = a.out;
  options.resume = a.resume;
  options.overwrite = a.overwrite;
  options.engine = engine_of(a.engine);
  options.threads = a.threads;
  options.max_wall = a.max_wall;
  options.extend = a.extend;
  options.interrupt = &interrupt;
  if (!a.log.is_none()) options.log = [&](const std::string& line) { call(a.log, line); };
  if (!a.progress.is_none()) options.progress = [&](const Progress& p) { call(a.progress, p); };
  options.cache = cache_folder();
  const RunResult result = interruptible(interrupt, [&] {
    try {
      if (!document) return run_case({}, options);
      ReadCase read(*document);
      return located(read.places, [&] { return run_case(std::move(read.settings), options); });
    } catch (InputError& e) { in_words_of_python(e); }
  });
  if (raised) std::rethrow_exception(raised);
  return to_python(result.summary);
}

// A results folder: its frames as they are asked for, looked at as its case says.
class Folder {
 public:
  explicit Folder(const std::string& path) : path_(path) {
    const py::gil_scoped_release free;
    if (!fs::is_directory(path_)) throw FileError(fmt::format("{}: no such results folder", path));
    if (!fs::exists(path_ / kCaseFile))
      throw FileError(fmt::format("{}: no {} there; give the folder of a run", path, kCaseFile));
  }

  std::vector<double> frame_times() const {
    const py::gil_scoped_release free;
    std::vector<double> times;
    for (const FrameEntry& e : list_frames(path_)) times.push_back(e.time);
    return times;
  }

  HeldFrame frame(std::size_t k) {
    const py::gil_scoped_release free;
    const std::vector<FrameEntry> entries = list_frames(path_);
    if (k >= entries.size()) throw FileError(fmt::format("{}: there is no frame {}", path_.string(), k));
    HeldFrame held;
    held.frame = std::make_shared<const Frame>(read_frame(path_, entries[k]));
    held.has.contacts = entries[k].has_contacts;
    held.has.walls = entries[k].has_walls;
    held.has.bonds = entries[k].has_bonds;
    held.exact = false;
    held.look = look();
    held.look.duration = entries.back().time;
    return held;
  }

  std::vector<std::string> series_names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_))
      if (entry.path().extension() == ".csv" && !entry.path().stem().string().starts_with("packing_"))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  py::dict series(const std::string& name) const {
    auto table = std::make_shared<SeriesTable>();
    {
      const py::gil_scoped_release free;
      *table = read_series(path_ / (name + ".csv"));
    }
    const std::shared_ptr<const SeriesTable> kept = table;
    py::dict out;
    for (std::size_t k = 0; k < kept->names.size(); ++k) out[py::str(kept->names[k])] = column(kept->columns[k], kept);
    return out;
  }

 private:
  RenderOptions look() {
    const std::lock_guard lock(guard_);
    if (!look_) {
      look_.emplace();
      const fs::path file = path_ / kCaseFile;
      look_as_case_says(parse_case(read_file(file), file.string()), *look_);
    }
    return *look_;
  }

  fs::path path_;
  std::mutex guard_;
  std::optional<RenderOptions> look_;
};

}  // namespace

void add_results(py::module_& m) {
  m.def(
      "run",
      [](const io::CaseDocument* document, const std::string& out, bool overwrite, int threads,
         const std::string& engine, double max_wall, double extend, const py::object& log, const py::object& progress) {
        return run(document, {out, engine, threads, overwrite, document == nullptr, max_wall, extend, log, progress});
      },
      py::arg("case").none(true), py::arg("out"), py::arg("overwrite"), py::arg("threads"), py::arg("engine"),
      py::arg("max_wall"), py::arg("extend"), py::arg("log"), py::arg("progress"));
  py::class_<Folder, std::shared_ptr<Folder>>(m, "Folder", "A results folder.")
      .def(py::init<std::string>(), py::arg("path"))
      .def("frame_times", &Folder::frame_times)
      .def("frame", &Folder::frame, py::arg("number"))
      .def("series_names", &Folder::series_names)
      .def("series", &Folder::series, py::arg("name"));
}

}  // namespace areia::python
