// The engine of a run on several ranks, as rank 0 has it. Whoever uses it (stages, files, a test) is on rank 0 alone
// and sees one engine; the other ranks serve it.
//
//   rank 0:   Simulation s(c, Engine::cpu, {.link = &link}); ... s.advance(n) ...; dismiss(link);
//   others:   serve(link);                                                         returns when rank 0 dismisses them
//
// Steps are taken by all ranks (share.h). What happens between steps, a change, grains that a stream brings, the first
// evaluation, is done by a cpu engine on rank 0 that gets the whole state as a physical checkpoint, as beside the cuda
// engine: so it is done by the code that is there already, with the same bits.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/ranks/share.h"

namespace areia::ranks {

// What a case has that ranks do not do, in words; empty: it can be run.
std::vector<std::string> what_ranks_lack(const Case& c);

void serve(Link& link);    // on all ranks but rank 0
void dismiss(Link& link);  // on rank 0, of a link on which nothing has failed

enum class Command : std::uint64_t {
  make,
  take,
  schedule,
  step_times,
  advance,
  state,
  frame,
  statistics,
  motion,
  unrest,
  end
};

class RankBackend final : public Backend {
 public:
  RankBackend(const Scene& scene, const BackendSettings& settings);

  void start() override;
  void advance(std::int64_t steps, bool record) override;
  void set_schedule(const Schedule& schedule) override;
  void set_step_times(const StepTimes& times) override;
  void apply(const Change& change) override;
  Surroundings surroundings(const Box& box) const override;
  void fill(Frame& frame, const FrameChoice& choice) const override;
  void book_wear(WearBook& book) const override;
  double kinetic_energy() const override;
  double unrest(double limit) const override;
  std::int64_t particle_count() const override;
  std::int64_t free_count() const override;
  std::int64_t step() const override { return shared_out_ ? share_->world().now().count.step : whole_->step(); }
  double time() const override { return shared_out_ ? share_->world().time() : whole_->time(); }
  BackendStatistics statistics() const override;
  void measure_profile(bool on) override {
    profiling_ = on;
    if (share_) share_->measure_profile(on);
  }
  void save(Archive& archive) const override;
  void load(const Archive& archive) override;

 private:
  void share_out();
  void bring_together() const;
  Snapshot gathered() const;
  void make_whole() const;
  void make_shares();
  // The others do what rank 0 does next.
  Writer order(Command command) const;
  void send(const Writer& order) const;
  template <class F>
  auto together(const Writer& order, F&& own) const;

  const Scene& scene_;
  BackendSettings settings_;
  Link& link_;
  Schedule schedule_;
  StepTimes times_;
  std::uint64_t number_;  // of this engine, which the ranks serve until they get another one
  // The state is in one of the two.
  mutable std::unique_ptr<Backend> whole_;
  mutable std::unique_ptr<Share> share_;
  mutable bool shared_out_ = false;
  std::int64_t prescribed_ = 0;  // bodies, while it is shared out
  bool profiling_ = false;
};

}  // namespace areia::ranks
