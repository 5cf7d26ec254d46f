// A simulation that Python steps: who may use it and when, and how long it is away from the interpreter.
#include "areia/simulation.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>

#include "binding.h"
#include "case_of.h"
#include "engine/prepare.h"
#include "frame.h"
#include "io/case/located.h"
#include "run/packing_cache.h"
#include "run/rhythm.h"
#include "run/simulation_file.h"
#include "waiting.h"

namespace areia::python {
namespace {

using Clock = std::chrono::steady_clock;

void set_threads(Case& c, int threads) {
  if (threads < 0 || threads > 4096)
    throw InputError("threads", std::to_string(threads), "must be in [1, 4096], or 0 for what the case says");
  if (threads > 0) c.numerics.threads = threads;
}

// One thread uses it at a time; others wait, without the interpreter's lock.
class Stepped {
 public:
  explicit Stepped(std::unique_ptr<Simulation> s, bool shown = true) : simulation_(s.release()), shown_(shown) {
    look_as_case_says(simulation_->settings(), look_);
  }
  // A process that was forked has this memory, but not the threads that work on it: nothing may be asked of them.
  ~Stepped() {
    const py::gil_scoped_release free;
    if (::getpid() == owner_) delete simulation_;
  }
  Stepped(const Stepped&) = delete;
  Stepped& operator=(const Stepped&) = delete;

  // f(simulation) with nobody else at it.
  template <class F>
  auto use(F&& f) {
    if (::getpid() != owner_)
      throw Error(
          "this simulation belongs to the process that this one was forked from, with its threads; start processes "
          "with "
          "multiprocessing's \"spawn\", or make the simulation in the new process");
    const py::gil_scoped_release free;
    const std::lock_guard lock(guard_);
    if (!stopped_.empty()) throw StoppedError(stopped_);
    return f(*simulation_);
  }

  // Up to `steps`, or to the end of the stage. Comes back to the interpreter often enough for Ctrl-C, and then leaves
  // at a step, with its contacts.
  std::int64_t advance(std::int64_t steps, bool within_stage) {
    if (steps < 0) throw InputError("steps", std::to_string(steps), "must not be negative");
    std::int64_t taken = 0;
    bool over = false;
    while (taken < steps && !over) {
      const std::int64_t n = std::min(batch_, steps - taken);
      taken += take(n, n == steps - taken, within_stage, over);
      try {
        look_at_signals();
      } catch (...) {
        if (taken < steps && !over) take(1, true, within_stage, over);
        throw;
      }
    }
    return taken;
  }

  void save(const std::string& file) {
    use([&](Simulation& s) {
      require_contacts();
      write_simulation(file, s);
    });
  }

  std::string hash() {
    return use([&](Simulation& s) {
      require_contacts();
      return state_hash(s.frame());
    });
  }

  HeldFrame frame(const FrameChoice& choice) {
    HeldFrame held;
    held.has = choice;
    held.look = look_;
    use([&](Simulation& s) {
      held.frame = std::make_shared<const Frame>(s.frame(choice));
      held.contacts_known = shown_;
      held.look.duration = s.planned_time();
    });
    return held;
  }

 private:
  // A batch of steps costs one more pass over the particles than it has steps: long enough that this does not matter,
  // short enough for a signal to be answered within a tenth of a second.
  static constexpr double kBatch = 0.03;  // s

  // They are part of the state.
  void require_contacts() const {
    if (!shown_)
      throw Error(
          "the contacts of this instant are not known: another thread takes steps, or the run was resumed from a "
          "checkpoint on its way and took no step yet");
  }

  std::int64_t take(std::int64_t n, bool show, bool within_stage, bool& over) {
    return use([&](Simulation& s) {
      const auto before = Clock::now();
      std::int64_t taken = 0;
      try {
        shown_ = false;
        taken = within_stage ? s.advance_stage(n, show) : s.advance(n, show);
      } catch (const StoppedError& e) {
        stopped_ = e.what();
        throw;
      }
      over = s.finished() || (within_stage && s.stage_over());
      shown_ = show || over;
      const double took = std::chrono::duration<double>(Clock::now() - before).count();
      if (taken == n) {
        const double more = std::min(2.0, kBatch / std::max(1e-9, took));
        batch_ = std::clamp<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(batch_) * more), 1, 1 << 20);
      }
      return taken;
    });
  }

  Simulation* simulation_;
  pid_t owner_ = ::getpid();
  std::mutex guard_;
  std::string stopped_;  // why it cannot go on
  bool shown_;           // contacts are those of this instant
  std::int64_t batch_ = 1;
  RenderOptions look_;
};

using Held = std::shared_ptr<Stepped>;

Held simulation_of(const io::CaseDocument& document, int threads, const std::string& engine_name) {
  const Engine engine = engine_of(engine_name);
  std::atomic<int> interrupt{0};
  auto made = interruptible(interrupt, [&] {
    ReadCase read(document);
    return located(read.places, [&] {
      Case& c = read.settings;
      set_threads(c, threads);
      if (needs_preparation(c)) {
        const auto cache = cache_folder();
        c = prepared(c, {.interrupt = &interrupt, .memory = cache ? packing_cache(*cache) : PackingMemory{}});
      }
      return std::make_unique<Simulation>(std::move(c), engine);
    });
  });
  return std::make_shared<Stepped>(std::move(made));
}

// Of a file that save() wrote, or of the newest checkpoint of a results folder.
Held resume(const std::string& from, int threads, const std::string& engine_name) {
  const Engine engine = engine_of(engine_name);
  std::unique_ptr<Simulation> made;
  bool shown = true;
  {
    const py::gil_scoped_release free;
    const bool of_run = std::filesystem::is_directory(from);
    SimulationFile file = of_run ? read_results(from) : read_simulation(from);
    set_threads(file.settings, threads);
    made = std::make_unique<Simulation>(std::move(file.settings), engine);
    made->load(file.archive);
    shown = !of_run || made->finished();  // checkpoints on the way leave contacts out
  }
  return std::make_shared<Stepped>(std::move(made), shown);
}

py::dict choices(Stepped& held) {
  const Choices c = held.use([](Simulation& s) { return s.choices(); });
  py::dict out;
  out["dt"] = c.dt;
  out["dt_reason"] = c.dt_reason;
  out["skin"] = c.skin;
  out["skin_reason"] = c.skin_reason;
  out["cell"] = c.cell;
  out["cell_reason"] = c.cell_reason;
  out["threads"] = c.threads;
  out["threads_reason"] = c.threads_reason;
  out["contact_time"] = c.contact_time;
  out["closing_speed"] = c.closing_speed;
  out["warnings"] = c.warnings;
  out["notes"] = c.notes;
  out["bytes_estimate"] = c.bytes_estimate;
  return out;
}

py::dict statistics(Stepped& held) {
  const Statistics s = held.use([](Simulation& of) { return of.statistics(); });
  py::dict out;
  out["rebuilds"] = s.rebuilds;
  out["pickings"] = s.pickings;
  out["pairs"] = s.pairs;
  out["near_pairs"] = s.near_pairs;
  out["contacts"] = s.contacts;
  out["bytes"] = s.bytes;
  out["waiting"] = s.waiting;
  return out;
}

py::list stages(Stepped& held) {
  py::list out;
  for (const StageRecord& r : held.use([](Simulation& s) { return s.stages(); })) {
    py::dict one;
    one["name"] = r.name;
    one["begin"] = r.begin;
    one["end"] = r.end;
    one["first_step"] = r.first_step;
    one["last_step"] = r.last_step;
    one["ended_by"] = std::string(word_of(r.ending));
    out.append(one);
  }
  return out;
}

std::vector<std::string> stage_names(Stepped& held) {
  return held.use([](Simulation& s) {
    std::vector<std::string> names;
    for (const Stage& stage : s.settings().stages) names.push_back(stage.name);
    return names;
  });
}

Vec3d vector_of(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }

void insert(Stepped& held, const std::string& set, const std::vector<std::array<double, 3>>& x,
            const std::vector<std::array<double, 3>>& v, const std::vector<std::array<double, 3>>& w,
            const std::vector<double>& radius, const std::vector<double>& mass) {
  std::vector<ListedParticle> list(x.size());
  const auto given = [&](const auto& values, const char* name) {
    if (!values.empty() && values.size() != x.size())
      throw InputError(name, std::to_string(values.size()), fmt::format("must be as many as x, {}", x.size()));
    return !values.empty();
  };
  const bool has_v = given(v, "v"), has_w = given(w, "w"), has_radius = given(radius, "radius"),
             has_mass = given(mass, "mass");
  for (std::size_t k = 0; k < list.size(); ++k) {
    list[k].x = vector_of(x[k]);
    if (has_v) list[k].v = vector_of(v[k]);
    if (has_w) list[k].w = vector_of(w[k]);
    if (has_radius) list[k].radius = radius[k];
    if (has_mass) list[k].mass = mass[k];
  }
  held.use([&](Simulation& s) { s.insert(set, list); });
}

void remove(Stepped& held, std::vector<std::int64_t> ids) {
  held.use([&](Simulation& s) { s.remove(std::move(ids)); });
}

template <class R>
auto get(R (Simulation::*method)() const) {
  return [method](Stepped& held) { return held.use([&](Simulation& s) { return (s.*method)(); }); };
}

}  // namespace

void add_simulation(py::module_& m) {
  py::class_<Stepped, Held>(m, "Simulation", "A simulation in memory.")
      .def(py::init(&simulation_of), py::arg("case"), py::arg("threads"), py::arg("engine"))
      .def_static("resume", &resume, py::arg("source"), py::arg("threads"), py::arg("engine"))
      .def("advance", &Stepped::advance, py::arg("steps"), py::arg("within_stage"))
      .def(
          "steps_to", [](Stepped& h, double t) { return h.use([&](Simulation& s) { return s.steps_to(t); }); },
          py::arg("time"))
      .def(
          "frame", [](Stepped& h, const std::vector<std::string>& fields) { return h.frame(choice_of(fields)); },
          py::arg("fields"))
      .def("insert", &insert, py::arg("set"), py::arg("x"), py::arg("v"), py::arg("w"), py::arg("radius"),
           py::arg("mass"))
      .def("remove", &remove, py::arg("ids"))
      .def(
          "set_velocity",
          [](Stepped& h, const std::string& group, const std::array<double, 3>& v) {
            h.use([&](Simulation& s) { s.set_velocity(group, vector_of(v)); });
          },
          py::arg("group"), py::arg("velocity"))
      .def(
          "set_gravity",
          [](Stepped& h, const std::array<double, 3>& g) {
            h.use([&](Simulation& s) { s.set_gravity(vector_of(g)); });
          },
          py::arg("gravity"))
      .def(
          "set_wall_velocity",
          [](Stepped& h, const std::string& wall, const std::array<double, 3>& v, const std::array<double, 3>& spin,
             const std::array<double, 3>& point) {
            h.use([&](Simulation& s) { s.set_wall_velocity(wall, vector_of(v), vector_of(spin), vector_of(point)); });
          },
          py::arg("wall"), py::arg("velocity"), py::arg("spin"), py::arg("point"))
      .def("save", &Stepped::save, py::arg("file"))
      .def("case_text", [](Stepped& h) { return h.use([](Simulation& s) { return to_toml(s.settings()); }); })
      .def("choices", &choices)
      .def("statistics", &statistics)
      .def("stages", &stages)
      .def("stage_names", &stage_names)
      .def("hash", &Stepped::hash)
      .def_property_readonly("finished", get(&Simulation::finished))
      .def_property_readonly("time", get(&Simulation::time))
      .def_property_readonly("planned_time", get(&Simulation::planned_time))
      .def_property_readonly("dt", get(&Simulation::dt))
      .def_property_readonly("step", get(&Simulation::step))
      .def_property_readonly("particle_count", get(&Simulation::particle_count))
      .def_property_readonly("kinetic_energy", get(&Simulation::kinetic_energy))
      .def_property_readonly("stage", [](Stepped& h) { return h.use([](Simulation& s) { return s.stage(); }); });
  py::class_<Rhythm>(m, "Rhythm",
                     "Something that is due at whole multiples of an interval: at the step that is nearest.")
      .def(py::init<double, double, double>(), py::arg("interval"), py::arg("dt"), py::arg("time"))
      .def("target", &Rhythm::target)
      .def("is_due", &Rhythm::is_due, py::arg("time"));
  m.def(
      "seconds", [](const py::object& value, const std::string& key) { return seconds(value, key.c_str()); },
      py::arg("value"), py::arg("key"));
}

}  // namespace areia::python
