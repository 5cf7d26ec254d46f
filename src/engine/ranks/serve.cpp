#include "engine/ranks/serve.h"

#include <new>
#include <optional>

#include "areia/case_file.h"
#include "areia/error.h"
#include "engine/ranks/rank_backend.h"
#include "engine/stage_schedule.h"

namespace areia::ranks {

// What plans take from estimates of the bed that is moved, which rank 0 has made.
template <class Schedule, class F>
static void for_each_gain(Schedule& schedule, F&& f) {
  for (auto& plan : schedule.servo) f(plan.gain), f(plan.response);
  for (auto& plan : schedule.loading) f(plan.gain), f(plan.response);
}

void put_times(Writer& to, const Schedule& schedule, const StepTimes& steps) {
  to.put(schedule.stage_start);
  to.put(std::uint64_t{schedule.gravity.has_value()});
  to.put(schedule.gravity.value_or(Vec3d{}));
  to.put(steps);
  std::vector<double> gains;
  for_each_gain(schedule, [&](double gain) { gains.push_back(gain); });
  to.put(gains);
}

void put_world(Writer& to, const WorldState& world) {
  to.put(world.walls);
  to.put(world.gravity);
  to.put(world.count);
  to.put(world.cell);
  put_ledger(to, world.ledger);
}

WorldState get_world(Reader& from, const Grid& bookings) {
  WorldState world;
  from.get(world.walls);
  from.get(world.gravity);
  from.get(world.count);
  from.get(world.cell);
  world.ledger = LedgerSums(bookings);
  get_ledger(from, world.ledger);
  return world;
}

namespace {

class Servant {
 public:
  explicit Servant(Link& link) : link_(link) {}

  void obey(Command command, Reader& order) {
    const auto number = order.get<std::uint64_t>();
    if (command == Command::make) {
      make(order);
      number_ = number;
      return;
    }
    if (number != number_ || !share_) throw StoppedError("this rank has no part of the engine that it is asked for");
    switch (command) {
      case Command::take:
        take_times(order);
        share_->take(get_world(order, settings_.bookings), {}, {});
        break;
      case Command::schedule:
        take_times(order);
        break;
      case Command::step_times:
        share_->set_step_times(order.get<StepTimes>());
        break;
      case Command::advance: {
        const auto steps = order.get<std::int64_t>();
        share_->advance(steps, order.get<std::uint64_t>() != 0);
        break;
      }
      case Command::state: {
        Snapshot none;
        share_->gather_state(none);
        break;
      }
      case Command::frame: {
        Frame none;
        share_->gather_frame(none, {});
        break;
      }
      case Command::statistics:
        share_->gather_statistics();
        break;
      case Command::motion:
        share_->motion();
        break;
      case Command::unrest:
        share_->unrest(order.get<double>());
        break;
      case Command::make:
      case Command::end:
        break;
    }
  }

 private:
  void make(Reader& order) {
    const std::string text = order.text();
    share_.reset();
    scene_.emplace(make_bare_scene(parse_case(text, "the case of rank 0")));
    if (to_toml(scene_->settings) != text)
      throw StoppedError("the ranks do not read the case alike; this is a defect of areia");
    std::vector<Pose> begins;
    order.get(begins);
    for (std::size_t w = 0; w < begins.size(); ++w) scene_->walls[w].begins = begins[w];
    order.get(settings_);
    settings_.bookkeeping.link = &link_;
    share_.emplace(*scene_, settings_, link_);
  }
  void take_times(Reader& order) {
    std::vector<double> stage_start;
    order.get(stage_start);
    std::optional<Vec3d> gravity;
    const bool set = order.get<std::uint64_t>() != 0;
    if (const auto g = order.get<Vec3d>(); set) gravity = g;
    share_->set_step_times(order.get<StepTimes>());
    std::vector<double> gains;
    order.get(gains);
    Schedule schedule = schedule_of(*scene_, {scene_->settings, stage_start}, {}, gravity);
    auto next = gains.begin();
    for_each_gain(schedule, [&](double& gain) { gain = *next++; });
    share_->set_schedule(schedule);
  }

  Link& link_;
  std::optional<Scene> scene_;
  BackendSettings settings_;
  std::optional<Share> share_;
  std::uint64_t number_ = 0;
};

}  // namespace

void serve(Link& link) {
  Servant servant(link);
  Message message;
  for (;;) {
    broadcast(link, message);
    Reader order(message);
    const auto command = order.get<Command>();
    if (command == Command::end) return;
    try {
      servant.obey(command, order);
    } catch (const Ended&) {  // rank 0 tells why, and gives no more orders to this engine
    } catch (const std::bad_alloc&) { return link.tell_failure("out of memory"); } catch (const std::exception& e) {
      return link.tell_failure(e.what());
    }
  }
}

void dismiss(Link& link) {
  Writer w;
  w.put(Command::end);
  Message message = w.message();
  broadcast(link, message);
}

}  // namespace areia::ranks
