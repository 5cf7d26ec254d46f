#include "engine/ranks/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "areia/error.h"
#include "engine/cpu/cpu_backend.h"

namespace areia::ranks {

Share::Share(const Scene& scene, const BackendSettings& settings, Link& link)
    : link_(link),
      world_(scene, settings.dt, settings.bookings, settings.forces),
      chunks_(settings.threads),
      laws_(scene),
      forces_(world_, state_, chunks_, laws_),
      lists_(world_, state_, chunks_, laws_, forces_, settings),
      bodies_(world_, state_, forces_, lists_),
      explicit_(world_, state_, chunks_, forces_, lists_, bodies_),
      random_cuts_(settings.bookkeeping.random_cut != 0),
      random_(settings.bookkeeping.random_cut) {
  state_.uses = cpu::columns_of(scene, forces_, laws_);
  state_.uses.charge = state_.uses.placed = true;  // some may come that need them
  explicit_.share_with(*this);
}

void Share::set_schedule(const Schedule& schedule) {
  world_.set_schedule(schedule);
  lists_.pick_walls();  // some may begin to move
}

void Share::advance(std::int64_t steps, bool record) {
  explicit_.advance(steps, record);
  shown_ = shown_ || record;
}

// ---- bodies and slots ----

Body Share::body_in(std::uint32_t i) const {
  const cpu::State& s = state_;
  const bool free = s.free(i);
  Body b;
  b.id = s.id[i];
  b.x = s.position(i).xyz();
  b.v = s.velocity(i).xyz();
  b.w = s.spin[i].xyz();
  b.q = s.orientation[i];
  b.radius = s.position(i).w;
  b.mass = s.mass[i];
  b.charge = s.charge[i];
  b.inv_j = free ? s.spin[i].w : s.placed[i].inv_j;
  b.prescribed = !free;
  if (!free) {
    b.placed_x = s.placed[i].at;
    b.placed_q = s.placed[i].turn;
  }
  if (s.uses.old_acceleration) b.old_acceleration = s.old_acceleration[i];
  if (s.uses.old_turning) b.old_turning = s.old_turning[i];
  b.force = s.force(i).xyz();
  b.torque = s.torque(i).xyz();
  if (s.uses.outer) {
    b.field = s.outer[i];
    b.drag = s.drag[i];
  }
  b.material = s.material[i];
  b.group = s.group[i];
  b.set = s.set[i];
  b.contacts = s.contacts(i);
  if (s.uses.contacts_before) b.contacts_before = counted_ ? s.contacts_before[i] : s.contacts(i);
  return b;
}

void Share::put_body(const Body& b, std::uint32_t i) {
  cpu::State& s = state_;
  const bool free = b.prescribed == 0;
  s.id[i] = static_cast<std::uint32_t>(b.id);
  s.moving[i] = {{b.x.x, b.x.y, b.x.z, b.radius}, {b.v.x, b.v.y, b.v.z, free ? 1 / b.mass : 0}};
  s.spin[i] = {b.w.x, b.w.y, b.w.z, free ? b.inv_j : 0};
  s.orientation[i] = b.q;
  s.mass[i] = b.mass;
  s.charge[i] = b.charge;
  s.placed[i] = free ? cpu::Placed{} : cpu::Placed{b.placed_x, b.placed_q, b.inv_j};
  if (s.uses.old_acceleration) s.old_acceleration[i] = b.old_acceleration;
  if (s.uses.old_turning) s.old_turning[i] = b.old_turning;
  s.pushed[i] = {{b.force.x, b.force.y, b.force.z, 0},
                 {b.torque.x, b.torque.y, b.torque.z, static_cast<double>(b.contacts)}};
  if (s.uses.outer) {
    s.outer[i] = b.field;
    s.drag[i] = b.drag;
    s.distant[i] = {};
  }
  s.material[i] = b.material;
  s.group[i] = b.group;
  s.set[i] = b.set;
  if (s.uses.contacts_before) s.contacts_before[i] = b.contacts_before;
}

std::uint32_t Share::slot_of(std::uint32_t id) const {
  const auto at = std::find(state_.id.begin() + state_.own_begin(), state_.id.begin() + state_.own_end(), id);
  return static_cast<std::uint32_t>(at - state_.id.begin());
}

// ---- steps ----

// What the laws read of a body: place, velocity and spin; how many contacts it had, where they share a limit; and its
// last acceleration, where a scheme keeps it. Everything else stays from one list to the next.
void Share::bring_moves() {
  cpu::State& s = state_;
  const bool counts = s.uses.contacts_before, accelerations = s.uses.old_acceleration;
  for (Neighbour& n : neighbours_) {
    Writer out;
    for (const std::uint32_t i : n.sent) {
      out.put(s.position(i).xyz());
      out.put(s.velocity(i).xyz());
      out.put(s.spin[i].xyz());
      if (counts) out.put(counted_ ? s.contacts_before[i] : s.contacts(i));
      if (accelerations) out.put(s.old_acceleration[i]);
    }
    n.message = out.message();
    if (n.sent.empty()) continue;
    link_.send(n.rank, n.message);
  }
  Message message;
  for (Neighbour& n : neighbours_) {
    if (n.copied.empty()) continue;
    link_.receive(n.rank, message);
    Reader in(message);
    for (const std::uint32_t i : n.copied) {
      const auto x = in.get<Vec3d>();
      const double way2 = norm2(world_.periodicity().nearest(x - s.position(i).xyz()) - lists_.flow()),
                   limit = s.limit[i];
      cpu::Chunk& chunk = chunks_.of(i);
      chunk.moved2 = std::max(chunk.moved2, way2);
      chunk.hurried = chunk.hurried || way2 > limit * limit;
      s.position(i).set_xyz(x);
      s.velocity(i).set_xyz(in.get<Vec3d>());
      s.spin[i].set_xyz(in.get<Vec3d>());
      if (counts) in.get(s.contacts_before[i]);
      if (accelerations) in.get(s.old_acceleration[i]);
    }
  }
  link_.finish_sends();
}

// With the one reduction of a step: whether any rank needs new lists, and the lowest id of a body in trouble.
void Share::agree_on_trouble(double& lists) {
  constexpr double kNobody = -std::numeric_limits<double>::infinity();
  std::uint32_t failed = ~0u, outside = ~0u;
  std::vector<std::uint32_t> lost;
  for (const cpu::Chunk& c : chunks_.all) failed = std::min(failed, c.failed);
  for (const std::size_t i : cpu::those_outside(world_, state_, chunks_)) {
    lost.push_back(state_.id[i]);
    outside = std::min(outside, state_.id[i]);
  }
  double numbers[] = {lists, failed == ~0u ? kNobody : -static_cast<double>(failed),
                      outside == ~0u ? kNobody : -static_cast<double>(outside)};
  link_.take_largest(numbers);
  lists = numbers[0];
  const auto tell = [&](double number, auto&& throw_it) {
    if (number == kNobody) return;
    std::string why;
    const std::uint32_t i = slot_of(static_cast<std::uint32_t>(-number));
    if (i < state_.own_end()) try {
        throw_it(i);
      } catch (const StoppedError& e) { why = e.what(); }
    stop_all(why);
  };
  tell(numbers[1], [&](std::uint32_t i) {
    world_.stop_blown_up(state_.id[i], state_.position(i).xyz(), state_.position(i).w, state_.velocity(i).xyz());
  });
  if (numbers[2] == kNobody) return;
  if (world_.scene().settings.domain.rule == DomainRule::remove) return lose(lost);
  tell(numbers[2], [&](std::uint32_t i) { world_.remove_lost(bodies_, {i}); });
}

// As World::remove_lost does: they go at once with their contacts, here and where there are copies of them, and leave
// empty slots until lists are made.
void Share::lose(const std::vector<std::uint32_t>& own) {
  Writer told;
  told.put(own);
  std::vector<std::uint32_t> lost;
  for (const Message& m : gather_everywhere(link_, told.message())) {
    std::vector<std::uint32_t> more;
    Reader(m).get(more);
    lost.insert(lost.end(), more.begin(), more.end());
  }
  std::vector<std::uint32_t> here;
  for (std::uint32_t i = 0; i < state_.size(); ++i)
    if (std::find(lost.begin(), lost.end(), state_.id[i]) != lost.end()) here.push_back(i);
  StoredSums stored;
  for (const std::uint32_t i : here) {
    if (!state_.is_copy(i)) forces_.add_energy(i, stored);
    forces_.contacts().end_all_of(i, stored);
  }
  for (const std::uint32_t i : here) lists_.give_up(i);
  for (cpu::Chunk& c : chunks_.all) c.records.clear();  // as there: nothing is shown of this step
  for (Neighbour& n : neighbours_)
    for (std::vector<std::uint32_t>* slots : {&n.sent, &n.copied})
      std::erase_if(*slots, [&](std::uint32_t i) { return state_.is_gone(i); });
  const StoredSums all = sum_of_all(stored);
  if (link_.rank() == 0) book_change(world_.now().ledger, all.energy(), {});
  world_.now().count.lost += static_cast<std::int64_t>(lost.size());
  for (const std::uint32_t id : lost) forget(id);
}

// One rank knows why.
void Share::stop_all(const std::string& why) {
  Writer own;
  own.put(why);
  const std::vector<Message> all = gather(link_, own.message());
  for (const Message& m : all)
    if (const std::string text = Reader(m).text(); !text.empty()) throw AgreedStop(text);
  if (link_.rank() == 0) throw AgreedStop("the ranks agree that the run cannot go on, and none knows why");
  throw Ended{};
}

void Share::meet(bool counted) {
  counted_ = counted;
  bring_moves();
  const cpu::Lists::Due due = lists_.look();
  double lists = due == cpu::Lists::Due::lists ? 1 : 0;
  agree_on_trouble(lists);
  if (lists > 0) share_out_anew();
  else lists_.renew(due);
}

void Share::check() {
  double lists = 0;
  agree_on_trouble(lists);
}

void Share::join_walls() {
  WallSums sum = forces_.contacts().on_walls();
  Writer own;
  own.put(sum.parts());
  const std::vector<Message> all = gather_everywhere(link_, own.message());
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (static_cast<int>(r) == link_.rank()) continue;
    WallSums more;
    Reader(all[r]).get(more.parts());
    sum += more;
  }
  std::vector<WallState>& walls = world_.now().walls;
  for (std::size_t w = 0; w < walls.size(); ++w) walls[w].sum = sum.value(w);
}

void Share::join(GridSum& sum) {
  Writer own;
  own.put(sum.parts());
  const std::vector<Message> all = gather_everywhere(link_, own.message());
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (static_cast<int>(r) == link_.rank()) continue;
    std::vector<double> parts;
    Reader(all[r]).get(parts);
    sum += GridSum(sum.grid(), std::move(parts));
  }
}

double Share::kinetic_energy() {
  Writer told;
  if (const cpu::Forces::MotionSums all = motion(); link_.rank() == 0) told.put(all.total());
  Message value = told.message();
  broadcast(link_, value);
  return Reader(value).get<double>();
}

}  // namespace areia::ranks
