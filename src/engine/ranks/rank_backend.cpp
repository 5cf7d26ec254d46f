#include "engine/ranks/rank_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "areia/case_file.h"
#include "areia/error.h"
#include "engine/ranks/serve.h"

namespace areia::ranks {

std::vector<std::string> what_ranks_lack(const Case& c) {
  std::vector<std::string> lacks;
  const auto lack = [&](bool is, std::string_view what) {
    if (is) lacks.emplace_back(what);
  };
  lack(c.numerics.collisions == Collisions::hard, "numerics.engine = \"events\"");
  lack(c.numerics.scheme == Scheme::trapezoid, "numerics.scheme = \"trapezoid\"");
  lack(!c.bonds.empty(), "bonds");
  lack(!c.forces.empty(), "forces at a distance");
  lack(!c.domain.loading.empty(), "domain.loading");
  for (const Measure& m : c.output.measure)
    lack(m.kind == Measure::Kind::wear, fmt::format("output.measure.{}: wear", m.name));
  return lacks;
}

RankBackend::RankBackend(const Scene& scene, const BackendSettings& settings)
    : scene_(scene), settings_(settings), link_(*settings.bookkeeping.link) {
  static std::atomic<std::uint64_t> numbers{0};
  number_ = ++numbers;
  times_.dt = settings.dt;
  if (!settings_.threads_given) {  // they were counted as if this process had the machine for itself
    settings_.threads = std::max(1, settings_.threads / link_.here());
  }
  make_whole();
}

Writer RankBackend::order(Command command) const {
  Writer w;
  w.put(command);
  w.put(number_);
  return w;
}

void RankBackend::send(const Writer& order) const {
  Message message = order.message();
  broadcast(link_, message);
}

// What rank 0 does while the others obey. Where that ends in an error they have agreed on, they wait for the next
// order.
template <class F>
auto RankBackend::together(const Writer& order, F&& own) const {
  try {
    send(order);
    return own();
  } catch (const AgreedStop&) { throw; } catch (...) {
    link_.give_up();
    throw;
  }
}

// ---- where the state is ----

void RankBackend::make_whole() const {
  BackendSettings alone = settings_;
  alone.bookkeeping.link = nullptr;
  whole_ = make_cpu_backend(scene_, alone);
  whole_->set_step_times(times_);
}

// The case without its particles goes to the others as a text, from which they make what else they need.
void RankBackend::make_shares() {
  Case bare = scene_.settings;
  bare.start = {};
  bare.output = {};
  for (ParticleSet& set : bare.particles) {
    ListedParticle one;  // the least that a set may have; nobody places it
    one.radius = 1;
    one.mass = 1;
    set.source = std::vector<ListedParticle>{one};
    set.velocity_std = 0;
  }
  Writer w = order(Command::make);
  w.put(to_toml(bare));
  std::vector<Pose> begins;
  for (const SceneWall& wall : scene_.walls) begins.push_back(wall.begins);
  w.put(begins);
  BackendSettings theirs = settings_;
  theirs.bookkeeping.link = nullptr;  // they have their own
  w.put(theirs);
  together(w, [&] { share_ = std::make_unique<Share>(scene_, settings_, link_); });
}

void RankBackend::share_out() {
  if (shared_out_) return;
  prescribed_ = whole_->particle_count() - whole_->free_count();
  Archive state;
  whole_->save(state);
  whole_.reset();
  if (!share_) make_shares();
  share_->measure_profile(profiling_);
  const Snapshot snapshot = read_snapshot(state, scene_);
  state = {};
  Writer w = order(Command::take);
  put_times(w, schedule_, times_);
  put_world(w, snapshot.world);
  together(w, [&] {
    share_->set_step_times(times_);
    share_->set_schedule(schedule_);
    shared_out_ = true;
    share_->take(snapshot.world, bodies_of(snapshot.particles), snapshot.contacts);
  });
}

Snapshot RankBackend::gathered() const {
  Snapshot snapshot;
  together(order(Command::state), [&] { share_->gather_state(snapshot); });
  return snapshot;
}

void RankBackend::bring_together() const {
  if (!shared_out_) return;
  Archive state;
  write(gathered(), state);
  shared_out_ = false;
  make_whole();
  whole_->set_schedule(schedule_);
  whole_->load(state);
}

// ---- steps ----

void RankBackend::advance(std::int64_t steps, bool record) {
  share_out();
  Writer w = order(Command::advance);
  w.put(steps);
  w.put(std::uint64_t{record});
  together(w, [&] { share_->advance(steps, record); });
}

void RankBackend::set_schedule(const Schedule& schedule) {
  schedule_ = schedule;
  if (!shared_out_) return whole_->set_schedule(schedule);
  Writer w = order(Command::schedule);
  put_times(w, schedule_, times_);
  together(w, [&] { share_->set_schedule(schedule); });
}

void RankBackend::set_step_times(const StepTimes& times) {
  times_ = times;
  if (!shared_out_) return whole_->set_step_times(times);
  Writer w = order(Command::step_times);
  w.put(times);
  together(w, [&] { share_->set_step_times(times); });
}

// ---- what rank 0 does with the whole state ----

void RankBackend::start() { whole_->start(); }

void RankBackend::apply(const Change& change) {
  bring_together();
  whole_->apply(change);
}

Surroundings RankBackend::surroundings(const Box& box) const {
  bring_together();
  return whole_->surroundings(box);
}

void RankBackend::book_wear(WearBook& book) const {
  bring_together();
  whole_->book_wear(book);
}

void RankBackend::load(const Archive& archive) {
  if (!whole_) {
    make_whole();
    whole_->set_schedule(schedule_);
  }
  shared_out_ = false;
  whole_->load(archive);
}

// ---- what is asked of all ----

void RankBackend::fill(Frame& frame, const FrameChoice& choice) const {
  if (!shared_out_) return whole_->fill(frame, choice);
  together(order(Command::frame), [&] { share_->gather_frame(frame, choice); });
}

void RankBackend::save(Archive& archive) const {
  if (!shared_out_) return whole_->save(archive);
  write(gathered(), archive);
}

double RankBackend::kinetic_energy() const {
  if (!shared_out_) return whole_->kinetic_energy();
  return together(order(Command::motion), [&] { return share_->motion().total(); });
}

double RankBackend::unrest(double limit) const {
  if (!shared_out_) return whole_->unrest(limit);
  Writer w = order(Command::unrest);
  w.put(limit);
  return together(w, [&] { return share_->unrest(limit); });
}

std::int64_t RankBackend::particle_count() const { return shared_out_ ? share_->bodies() : whole_->particle_count(); }
std::int64_t RankBackend::free_count() const {
  return shared_out_ ? share_->bodies() - prescribed_ : whole_->free_count();
}

BackendStatistics RankBackend::statistics() const {
  if (!shared_out_) return whole_->statistics();
  return together(order(Command::statistics), [&] { return share_->gather_statistics(); });
}

}  // namespace areia::ranks

namespace areia {
std::unique_ptr<Backend> make_rank_backend(const Scene& scene, const BackendSettings& settings) {
  return std::make_unique<ranks::RankBackend>(scene, settings);
}
}  // namespace areia
