#include "run/run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/start.h"
#include "areia/version.h"
#include "core/give_back.h"
#include "core/plain_text.h"
#include "engine/bookkeeping.h"
#include "engine/ledger.h"
#include "engine/prepare.h"
#include "engine/streams.h"
#include "io/checkpoints/checkpoint.h"
#include "io/files/append_file.h"
#include "io/files/atomic_file.h"
#include "io/frames/vtk_frames.h"
#include "io/series/series.h"
#include "observe/energy_columns.h"
#include "run/frames_behind.h"
#include "run/heartbeat.h"
#include "run/measure_files.h"
#include "run/packing_cache.h"
#include "run/packing_files.h"
#include "run/paraview_script.h"
#include "run/present_rate.h"
#include "run/results_folder.h"
#include "run/rhythm.h"
#include "run/stage_diary.h"
#include "run/summary.h"
#include "scene/case_facts.h"
#include "scene/meeting_pairs.h"
#include "scene/region.h"
#include "scene/rules/doubts.h"

namespace areia {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::int64_t kFewSteps = 16;

// A stage in which nothing changes, with a name that no other has.
Stage extension(const Case& c, double duration) {
  Stage stage;
  stage.duration = duration;
  for (int k = 1;; ++k) {
    stage.name = k == 1 ? "extended" : fmt::format("extended{}", k);
    if (std::none_of(c.stages.begin(), c.stages.end(), [&](const Stage& s) { return s.name == stage.name; }))
      return stage;
  }
}

constexpr const char* kFinished = "finished";

class Run {
 public:
  Run(Case c, const RunOptions& options)
      : options_(options),
        manifest_(options.out, options.resume ? "--resume" : "--out", "run"),
        simulation_(ready_case(find_case(std::move(c))), options.engine, Bookkeeping{.link = options.link}) {
    // only now, with every rule of the case checked, is anything written
    open_folder();
    keep_packings(manifest_, packed_sets_, case_);
    simulation_.drop_lists();
    manifest_.add_all({kLogFile, kHeartbeatFile});
    if (!options.resume || manifest_.lists(kParaViewScript)) {
      manifest_.add(kParaViewScript);
      write_file_atomically(options.out / kParaViewScript, paraview_script(case_));
    }
    log_file_.emplace(options.out / kLogFile);
  }

  RunResult go() {
    describe();
    std::optional<double> resume_time;
    if (options_.resume) resume_time = load_checkpoint();
    if (options_.resume && simulation_.finished())
      if (auto before = finished_summary()) return {Ending::finished, std::move(*before), true};
    if (options_.extend > 0) keep_case();
    Output output = case_.output;
    for (SolidFractionRegion& r : output.solid_fraction) repeat_with(case_.domain, r.region);
    FrameWriter writer(options_.out, resume_time, output, &manifest_);
    FramesBehind frames(writer);
    simulation_.measure_profile(options_.profile);
    std::vector<std::string> wall_names;
    for (const Wall& w : case_.walls) wall_names.push_back(w.name);
    SeriesSet series(options_.out, wall_names, output, resume_time, !case_.bonds.empty(), has_streams(case_),
                     &manifest_, case_.domain);
    std::optional<SeriesWriter> implicit;
    if (simulation_.statistics().implicit.on) {
      manifest_.add(fmt::format("{}.csv", kImplicitSeries));
      implicit.emplace(series_file(options_.out, kImplicitSeries), implicit_columns(), resume_time);
    }
    StageDiary diary(options_.out, resume_time, simulation_.stages(), manifest_);
    const auto tell_stages = [&] { diary.tell(simulation_.stages(), [this](const std::string& line) { log(line); }); };
    const double series_interval = output.series > 0 ? output.series : std::max(simulation_.dt(), longest_time() / 200);
    MeasureFiles measures(options_.out, case_, {simulation_.dt(), simulation_.time(), series_interval, resume_time},
                          loaded_ ? &*loaded_ : nullptr, &manifest_);
    for (const std::string& name : measures.begun_late())
      log(fmt::format("output.measure.{} is not in the checkpoint: it begins at t = {:.9g} s", name,
                      simulation_.time()));
    loaded_.reset();
    Rhythm frame_rhythm(output.frames, simulation_.dt(), simulation_.time());
    Rhythm series_rhythm(series_interval, simulation_.dt(), simulation_.time());
    if (simulation_.step() == 0) {
      const auto first = std::make_shared<const Frame>(simulation_.frame());
      frames.write(first);
      series.append(*first);
      measures.append(*first, true);
    }

    const double checkpoint_every = options_.checkpoint_wall.value_or(output.checkpoint_wall);
    double last_checkpoint = seconds_since(began_), last_report = -1;
    const auto keep_state = [&] {
      const auto kept = Clock::now();
      frames.finish();  // a resumed run counts on every frame before its checkpoint
      series.sync();
      measures.sync();
      diary.sync();
      if (implicit) implicit->sync();
      Archive state = archive(series);
      measures.save(state);
      diary.save(state);
      if (implicit) implicit->save(state);
      write_checkpoint(options_.out, std::move(state), simulation_.time(), simulation_.step(), &manifest_);
      give_back_free_memory();
      last_checkpoint = seconds_since(began_);
      keep_seconds_ += seconds_since(kept);
    };
    std::int64_t batch = 1;
    tell_stages();
    pace_.start(seconds_since(began_), simulation_.time());
    Heartbeat heartbeat(options_.out);
    heartbeat.beat(progress(seconds_since(began_)));
    if (options_.begins) options_.begins();
    Ending ending = Ending::finished;
    while (!simulation_.finished()) {
      const std::int64_t next =
          simulation_.steps_to(std::min({frame_rhythm.target(), series_rhythm.target(), measures.target()}));
      const std::int64_t n = std::min(batch, next);
      const auto before = Clock::now();
      const std::int64_t particles = simulation_.particle_count();
      const std::int64_t taken = simulation_.advance(n, n == next);
      const double took = seconds_since(before);
      particle_steps_ += static_cast<double>(particles) * static_cast<double>(taken);
      steps_ += taken;
      loop_seconds_ += took;
      // Short enough to answer a signal soon, long enough to cost nothing: a batch takes one more pass over the
      // particles than it has steps.
      const bool few = batch < kFewSteps;
      if (took < (few ? 0.5 : 0.05)) batch = std::min<std::int64_t>(2 * batch, 1 << 20);
      if (took > (few ? 2 : 0.2)) batch = std::max<std::int64_t>(1, batch / 2);

      const double now = simulation_.time();
      const bool end = simulation_.finished();
      const bool frame_due = frame_rhythm.is_due(now) || end, series_due = series_rhythm.is_due(now) || end;
      const bool measures_due = measures.is_due(now) || end;
      if (frame_due || series_due || measures_due) {
        const auto shown = Clock::now();
        const auto frame = std::make_shared<const Frame>(simulation_.frame());
        if (frame_due) frames.write(frame, end);
        if (series_due) series.append(*frame);
        if (measures_due) measures.append(*frame, end);
        if (series_due && implicit)
          implicit->append_if_later(implicit_values(frame->time, simulation_.statistics().implicit));
        watch(*frame);
        if (case_.numerics.ledger) stop_if_energy_is_made(*frame);
        show_seconds_ += seconds_since(shown);
      }
      const double wall = seconds_since(began_);
      const bool stop = options_.interrupt && options_.interrupt->load() != 0;
      const bool late = options_.max_wall > 0 && wall >= options_.max_wall;
      const bool asked = options_.checkpoint_now && options_.checkpoint_now->exchange(0) != 0;
      tell_stages();
      if (!end && (stop || late || asked || (checkpoint_every > 0 && wall - last_checkpoint >= checkpoint_every)))
        keep_state();
      if (options_.progress && (wall - last_report >= 0.2 || end)) {
        Progress p = progress(wall);
        p.kinetic = simulation_.kinetic_energy();
        options_.progress(p);
        last_report = wall;
      }
      if (end || stop || late || heartbeat.is_due(wall)) heartbeat.beat(progress(wall));
      if (!end && (stop || late)) {
        ending = stop ? Ending::interrupted : Ending::out_of_time;
        break;
      }
    }
    const auto shown = Clock::now();
    frames.finish();
    show_seconds_ += seconds_since(shown);
    if (ending == Ending::finished) keep_state();
    log_implicit();
    log_lost(simulation_.frame());
    RunResult result{ending, summary(ending)};
    manifest_.add(kSummaryFile);
    write_summary(options_.out / kSummaryFile, result.summary);
    log(ending == Ending::finished      ? "finished"
        : ending == Ending::interrupted ? "interrupted; checkpoint written"
                                        : "wall time used up; checkpoint written");
    return result;
  }

  // The last line of the log of a run that could not go on; the caller tells the user.
  void note_end(const std::string& why) { write_log("stopped: " + why); }

 private:
  fs::path kept_case() const { return options_.out / kCaseFile; }

  // The case to run: the one given, or that of the earlier run in the folder.
  Case find_case(Case c) {
    if (options_.resume)
      for (const char* needed : {kCaseFile, Manifest::kFile})
        if (!fs::exists(options_.out / needed))
          throw FileError(fmt::format("{}: no {} there, nothing to resume", options_.out.string(), needed));
    if (!options_.resume && manifest_.holds_files() && !options_.overwrite)
      throw InputError("--out", options_.out.string(),
                       "holds the results of an earlier run; use --resume to continue it, --overwrite to replace it");
    if (options_.resume) c = parse_case(read_file(kept_case()), kept_case().string());
    if (options_.extend > 0) {
      c.stages.push_back(extension(c, options_.extend));
      case_text_ = to_toml(c);
    }
    if (options_.threads > 0) c.numerics.threads = options_.threads;
    if (!options_.resume && c.start.state.held) {  // the folder will hold the state itself
      start_ = c.start.state.held;
      c.start.from = kStartFile;
      c.start.time = Start::kLast;
    }
    would_write_ = [this, names = names_of_run(c)](const std::string& name) {
      if (!options_.resume) return names(name) || manifest_.lists(name);
      return names(name) && (name != kCaseFile || options_.extend > 0);
    };
    manifest_.refuse_others(would_write_, folders_of_run(c));
    return c;
  }

  // The case with its packings made, or, on resuming, as they were made before. It may hold long lists of particles, so
  // it is handed on, and its text alone stays until it is written.
  Case ready_case(Case c) {
    if (!options_.resume) case_text_ = to_toml(c);
    for (const ParticleSet& set : c.particles)
      if (needs_preparation(set)) packed_sets_.push_back(set.name);
    if (options_.resume) use_kept_packings(options_.out, c);
    doubts_ = doubts(c);
    if (!needs_preparation(c)) return c;
    // at once: packings take their time
    if (options_.log)
      for (const std::string& doubt : doubts_) options_.log("warning: " + doubt);
    doubts_told_ = true;
    return prepared(c, {.note = [this](const std::string& n) { notes_.push_back(n); },
                        .interrupt = options_.interrupt,
                        .progress = options_.packing_progress,
                        .memory = options_.cache ? packing_cache(*options_.cache) : PackingMemory{}});
  }

  void keep_case() {
    const std::string text = std::exchange(case_text_, {});
    manifest_.add(kCaseFile, text);
    write_file_atomically(kept_case(), text);
  }

  // Of a run that came to its end; nothing if it was killed before its summary was there.
  std::optional<nlohmann::json> finished_summary() {
    std::error_code none;
    if (!fs::exists(options_.out / kSummaryFile, none)) return {};
    nlohmann::json summary = nlohmann::json::parse(read_file(options_.out / kSummaryFile), nullptr, false);
    if (!summary.is_object() || summary.value("ending", "") != kFinished || !summary.contains("state_hash")) return {};
    log("the run is finished; nothing is left to do");
    return summary;
  }

  // Makes the folder and puts the resolved case into it; what a killed or replaced run left behind goes.
  void open_folder() {
    manifest_.open();
    // again, since the packings may have taken their time
    if (!options_.resume && !options_.overwrite && manifest_.holds_files())
      throw InputError("--out", options_.out.string(), "another run has begun in this folder");
    manifest_.refuse_others(would_write_, folders_of_run(case_));
    if (options_.resume) return;
    remove_results(manifest_);
    if (start_) {
      manifest_.add(kStartFile);
      Archive state = start_->archive;
      state.text["origin"] = start_->origin;
      write_archive(options_.out / kStartFile, std::move(state), 0, 0);
      start_.reset();
    }
    keep_case();
  }

  std::string_view engine_name() const {
    return case_.numerics.collisions == Collisions::hard ? "events" : word_of(options_.engine);
  }

  // That of a finished run tells its hash as well, which contacts are a part of.
  Archive archive(const SeriesSet& series) const {
    Archive a = simulation_.save(simulation_.finished());
    if (simulation_.finished()) a.text["state_hash"] = state_hash(simulation_.frame());
    series.save(a);
    a.real["wall_s"] = {earlier_wall_ + seconds_since(began_)};
    a.integer["pickings"] = {earlier_pickings_ + simulation_.statistics().pickings};
    return a;
  }

  // The time to resume from; before 0 when the run was stopped before its first checkpoint.
  double load_checkpoint() {
    if (find_checkpoints(options_.out).empty()) {
      log("no checkpoint yet: starting again from the beginning");
      return -1;
    }
    Checkpoint ck = read_newest_checkpoint(options_.out);
    for (const std::string& w : ck.warnings) log("warning: " + w);
    try {
      simulation_.load(ck.archive);
    } catch (const FileError& e) { throw FileError(fmt::format("{}: {}", ck.path.string(), e.what())); }
    for (const std::string& lost : lost_series(options_.out, ck.archive)) {
      if (!options_.accept_gaps)
        throw FileError(
            fmt::format("{}; the run cannot be resumed without a gap: put the file back, or say --accept-gaps", lost));
      log(fmt::format("warning: {}; the series has a gap", lost));
    }
    if (const auto at = ck.archive.integer.find("pickings"); at != ck.archive.integer.end() && at->second.size() == 1)
      earlier_pickings_ = at->second[0] - simulation_.statistics().pickings;
    const auto wall = ck.archive.real.find("wall_s");
    if (wall != ck.archive.real.end() && !wall->second.empty()) earlier_wall_ = wall->second[0];
    const EventStatistics events = simulation_.statistics().events;
    earlier_collisions_ = events.collisions + events.wall_collisions;
    log(fmt::format("resumed at t = {:.9g} s, step {}", simulation_.time(), simulation_.step()));
    reported_lost_ = simulation_.frame().lost;
    next_lost_ = std::max<std::int64_t>(1, 10 * reported_lost_);
    loaded_ = std::move(ck.archive);
    return simulation_.time();
  }

  // If every stage takes its longest; the same for a resumed run, whatever its stages took so far.
  double longest_time() const {
    double t = 0;
    for (const Stage& s : case_.stages) t += s.duration;
    return t;
  }

  void write_log(const std::string& line) {
    log_file_->append(
        fmt::format("{:%Y-%m-%d %H:%M:%S} {}", fmt::localtime(std::time(nullptr)), plain_text(line, false)));
  }
  void log(const std::string& line) {
    write_log(line);
    if (options_.log) options_.log(line);
  }

  void describe() {
    const Choices& c = simulation_.choices();
    log(fmt::format("areia {}: {}", kVersion, case_.title.empty() ? "untitled case" : case_.title));
    for (const std::string& n : notes_) log(n);
    for (const std::string& n : c.notes) log(n);
    for (const MeetingPair& m : meeting_pairs(case_))
      if (default_takes_over(case_, m)) log(fmt::format("contacts.{}-{}: {}", m.a, m.b, table_in_words(case_, m)));
    describe_bonds();
    log(fmt::format("particles: {}, walls: {}", simulation_.particle_count(), case_.walls.size()));
    log(fmt::format("time step: {:.6g} s ({})", c.dt, c.dt_reason));
    if (case_.numerics.collisions != Collisions::hard)
      log(fmt::format("skin: {:.4g} m ({}); cell: {:.4g} m ({})", c.skin, c.skin_reason, c.cell, c.cell_reason));
    log(fmt::format("threads: {} ({})", c.threads, c.threads_reason));
    if (options_.link)
      log(fmt::format("ranks: {}, {} of them on this machine", options_.link->size(), options_.link->here()));
    for (const std::string& doubt : doubts_) doubts_told_ ? write_log("warning: " + doubt) : log("warning: " + doubt);
    for (const std::string& w : c.warnings) log("warning: " + w);
  }

  void log_implicit() {
    const ImplicitStatistics s = simulation_.statistics().implicit;
    if (!s.on) return;
    log(fmt::format(
        "implicit steps: {} accepted with {:.3g} sweeps on average and at most {}, {} rejected; present step "
        "{:.4g} s",
        s.sub_steps, mean_sweeps(s), s.most_sweeps, s.rejected, s.dt));
    if (s.stalled > 0) log(fmt::format("warning: {} implicit steps were accepted without convergence", s.stalled));
  }
  static double mean_sweeps(const ImplicitStatistics& s) {
    return static_cast<double>(s.sweeps) / static_cast<double>(std::max<std::int64_t>(1, s.sub_steps));
  }
  static nlohmann::json implicit_summary(const ImplicitStatistics& s) {
    return {{"sub_steps", s.sub_steps},
            {"mean_sweeps", mean_sweeps(s)},
            {"most_sweeps", s.most_sweeps},
            {"rejected", s.rejected},
            {"stalled", s.stalled},
            {"all_sweeps", s.all_sweeps},
            {"dt", s.dt}};
  }

  nlohmann::json event_summary(const EventStatistics& s) const {
    const auto here = static_cast<double>(s.collisions + s.wall_collisions - earlier_collisions_);
    return {{"collisions", s.collisions},   {"wall_collisions", s.wall_collisions},
            {"elastic", s.elastic},         {"cell_crossings", s.crossings},
            {"predictions", s.predictions}, {"collisions_per_s", here / std::max(1e-9, loop_seconds_)}};
  }

  void describe_bonds() {
    if (case_.bonds.empty()) return;
    std::vector<std::int64_t> count(case_.bonds.size(), 0);
    for (const FrameBond& b : simulation_.frame().bonds) ++count[b.set];
    for (std::size_t k = 0; k < count.size(); ++k) {
      const BondSet& set = case_.bonds[k];
      if (!set.start_stage.empty()) log(fmt::format("bonds.{}: made when {} begins", set.name, set.start_stage));
      else if (count[k] > 0) log(fmt::format("bonds.{}: {} anchors", set.name, count[k]));
      else log(fmt::format("warning: bonds.{} joins nothing: look at its groups and distances", set.name));
    }
  }

  // Warnings that come up while running, each once.
  // An explicit scheme with a step too large for what brakes: the run would go on, and mean nothing.
  static void stop_if_energy_is_made(const Frame& frame) {
    if (const char* what = negative_dissipation(frame.energy))
      throw StoppedError(fmt::format(
          "energy out of nothing by t = {:.9g} s (step {}): {} dissipate less than nothing, damping {:.4g} J, "
          "sliding {:.4g} J, rolling {:.4g} J, adhesion {:.4g} J, bond_damping {:.4g} J of {:.4g} J turned "
          "over; try a smaller dt",
          frame.time, frame.step, what, frame.energy.damping, frame.energy.sliding, frame.energy.rolling,
          frame.energy.adhesion, frame.energy.bond_damping, frame.energy.turned_over));
  }

  void watch(const Frame& frame) {
    double worst = 0;
    for (const FrameContact& c : frame.contacts) {
      const auto radius = [&](std::int64_t id) {
        const auto& ids = frame.particles.id;
        return frame.particles.radius[std::lower_bound(ids.begin(), ids.end(), id) - ids.begin()];
      };
      worst = std::max(worst, c.overlap / (c.j >= 0 ? std::min(radius(c.i), radius(c.j)) : radius(c.i)));
    }
    if (worst > 0.05 && !warned_overlap_) {
      warned_overlap_ = true;
      log(fmt::format(
          "warning: largest overlap is {:.1f} % of a radius at t = {:.6g} s; contacts are too soft for this load",
          100 * worst, frame.time));
    }
    const std::int64_t waiting = simulation_.statistics().waiting;
    if (waiting > 0 && !warned_waiting_) {
      warned_waiting_ = true;
      log(fmt::format(
          "warning: {} particles of streams find no place at t = {:.6g} s and wait; the region of the stream is "
          "too small for its rate, or blocked",
          waiting, frame.time));
    }
    if (frame.lost >= next_lost_) log_lost(frame);
  }

  // At first, then whenever it is ten times as many, and at the end.
  void log_lost(const Frame& frame) {
    if (frame.lost == reported_lost_) return;
    log(fmt::format("{} particles have left the domain by t = {:.6g} s", frame.lost, frame.time));
    reported_lost_ = frame.lost;
    next_lost_ = 10 * frame.lost;
  }

  Progress progress(double wall) {
    Progress p;
    p.time = simulation_.time();
    p.planned_time = simulation_.planned_time();
    p.step = simulation_.step();
    p.particles = simulation_.particle_count();
    p.wall = wall;
    p.steps_per_s = static_cast<double>(steps_) / std::max(1e-9, loop_seconds_);
    p.particle_steps_per_s = particle_steps_ / std::max(1e-9, loop_seconds_);
    p.seconds_left = (p.planned_time - p.time) / std::max(1e-300, pace_.of(wall, p.time));
    p.stage = simulation_.stage();
    return p;
  }

  nlohmann::json summary(Ending ending) {
    const Frame frame = simulation_.frame();
    const Statistics s = simulation_.statistics();
    const bool booked = case_.numerics.ledger;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    nlohmann::json energy;
    for (const EnergyColumn& f : kEnergyColumns) energy[f.name] = frame.energy.*f.member;
    nlohmann::json summary = {
        {"version", kVersion},
        {"title", case_.title},
        {"ending", ending == Ending::finished      ? kFinished
                   : ending == Ending::interrupted ? "interrupted"
                                                   : "out of wall time"},
        {"state_hash", ending == Ending::finished ? nlohmann::json(state_hash(frame)) : nlohmann::json()},
        {"engine", engine_name()},
        {"steps", frame.step},
        {"time", frame.time},
        {"dt", frame.dt},
        {"particles", simulation_.particle_count()},
        {"lost", frame.lost},
        {"removed", frame.removed},
        {"inserted", frame.inserted},
        {"waiting", s.waiting},
        {"contacts", s.contacts},
        {"pairs", s.pairs},
        {"near_pairs", s.near_pairs},
        {"list_rebuilds", s.rebuilds},
        {"pair_pickings", earlier_pickings_ + s.pickings},
        {"threads", simulation_.choices().threads},
        {"wall_s", earlier_wall_ + seconds_since(began_)},
        {"loop_s", loop_seconds_},
        {"particle_steps_per_s", particle_steps_ / std::max(1e-9, loop_seconds_)},
        {"peak_rss_bytes", static_cast<std::int64_t>(usage.ru_maxrss) * 1024},
        {"state_bytes", s.bytes},
        {"energy", energy},
        // without the ledger nothing is booked and a residual would mean nothing
        {"energy_residual", booked ? nlohmann::json(frame.energy.residual) : nlohmann::json()},
        {"energy_residual_relative", booked && frame.energy.turned_over > 0
                                         ? nlohmann::json(frame.energy.residual / frame.energy.turned_over)
                                         : nlohmann::json()},
    };
    if (options_.profile) {
      const Profile& p = s.profile;
      // in the order of kProfileParts
      const std::array<double, kProfileParts.size()> seconds{
          p.lists,       p.near,       p.forces, p.motion, p.schedule, std::max(0.0, loop_seconds_ - p.sum()),
          show_seconds_, keep_seconds_};
      for (std::size_t k = 0; k < seconds.size(); ++k) summary["profile"][kProfileParts[k].key] = seconds[k];
    }
    for (const StageRecord& stage : simulation_.stages())
      summary["stages"].push_back({{"name", stage.name},
                                   {"begin", stage.begin},
                                   {"end", stage.end},
                                   {"first_step", stage.first_step},
                                   {"last_step", stage.last_step},
                                   {"ended_by", std::string(word_of(stage.ending))}});
    if (options_.link) summary["ranks"] = options_.link->size();
    if (!s.device.name.empty())
      summary["device"] = {{"name", s.device.name},           {"steps", s.device.steps},
                           {"steps_s", s.device.seconds},     {"bytes", s.device.bytes},
                           {"handovers", s.device.handovers}, {"handovers_s", s.device.handover_seconds}};
    if (s.implicit.on) summary["implicit"] = implicit_summary(s.implicit);
    if (s.events.on) summary["events"] = event_summary(s.events);
    if (!case_.bonds.empty()) {
      summary["bonds"] = frame.bonds.size();
      summary["broken"] = frame.breaks.size();
    }
    return summary;
  }

  const RunOptions& options_;
  Clock::time_point began_ = Clock::now();
  Manifest manifest_;
  Manifest::Names would_write_;
  std::string case_text_;                    // until it is written
  std::shared_ptr<const StartState> start_;  // the same
  std::vector<std::string> packed_sets_;     // names
  std::vector<std::string> notes_;           // of the packings
  std::vector<std::string> doubts_;          // about the case
  bool doubts_told_ = false;                 // to the user, before the log was there
  Simulation simulation_;
  const Case& case_ = simulation_.settings();
  std::optional<AppendFile> log_file_;
  std::optional<Archive> loaded_;  // of the checkpoint to resume from
  double earlier_wall_ = 0, loop_seconds_ = 0, particle_steps_ = 0;
  double show_seconds_ = 0, keep_seconds_ = 0;  // frames and series, checkpoints
  std::int64_t steps_ = 0, reported_lost_ = 0, next_lost_ = 1, earlier_collisions_ = 0, earlier_pickings_ = 0;
  PresentRate pace_;
  bool warned_overlap_ = false, warned_waiting_ = false;
};

}  // namespace

RunResult run_case(Case c, const RunOptions& options) {
  Run run(std::move(c), options);
  try {
    return run.go();
  } catch (const StoppedError& e) {
    run.note_end(e.what());
    throw;
  }
}

}  // namespace areia
