// When neighbour lists are made, and how far they reach.
//
// Two particles whose steps differ from a common one, the flow, by a and b come closer by a + b at most in that step.
// The flow may be any; the mean step is a good one where all move together.
//
// The lists hold every pair whose gap was at most `skin` when they were made. They are complete as long as no two
// surfaces can have come closer by more than that: twice the sum of the largest steps, counted from the flow, which
// needs no memory of old positions; for walls, the sum of these and the flow's and the wall's own travel.
//
// Of the lists, each step looks at the near pairs (cpu_pairs.cpp). When they are picked, every particle gets a limit
// for its steps, somewhat above its present one, and near are those pairs that can touch within `horizon` steps if both
// keep to their limits. They are picked again after so many steps, or as soon as a particle goes beyond its limit. So
// the few that are fast have many near pairs, and the others need none for them. All that is tested on every step.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "areia/error.h"
#include "engine/cpu/cpu_lists.h"
#include "scene/wall_geometry.h"
#include "search/spatial_order.h"

namespace areia::cpu {

// Near pairs last for twice the present strain rate of the cell, and a little more.
static constexpr double kMoreStrain = 2, kLeastStrain = 1e-5;
static constexpr double kFar = std::numeric_limits<double>::max();

static Vec3d least(const Vec3d& a, const Vec3d& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}
static Vec3d most(const Vec3d& a, const Vec3d& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

Lists::Lists(World& world, State& state, Chunks& chunks, const Laws& laws, Forces& forces,
             const BackendSettings& settings)
    : world_(world),
      state_(state),
      chunks_(chunks),
      laws_(laws),
      forces_(forces),
      scene_(world.scene()),
      periodicity_(world.periodicity()),
      dt_(world.dt()),
      implicit_(scene_.settings.numerics.scheme == Scheme::trapezoid),
      bookkeeping_(settings.bookkeeping),
      random_(settings.bookkeeping.shuffle),
      skin_(settings.skin),
      least_skin_(settings.skin),
      most_skin_(std::max(settings.skin, settings.most_skin)),
      near_gap_(0) {}

void Lists::begin(double gap) {
  double fastest2 = 0;
  for (const Twin& t : state_.moving) fastest2 = std::max(fastest2, norm2(t.second.xyz()));
  expect(dt_ * std::sqrt(fastest2), gap);
  rebuild();
}

void Lists::expect(double step, double gap) {
  skin_ = least_skin_;
  best_horizon_ = 0;
  drifts_ = 0;
  hurried_ = false;
  if (!implicit_) {
    reach_for(2 * step);
    least_limit_ = std::max(0.1 * step, gap);
  }
  if (gap > 0) skin_ = std::max({skin_, gap, step});
  near_gap_ = implicit_ ? skin_ : 0;
  listed_at_ = world_.now().count.step;
}

// Largest distance a point of the wall near the particles can have moved since the lists were made.
double Lists::wall_travel(std::size_t w) const {
  const Pose &now = world_.now().walls[w].pose, &then = walls_at_build_[w].pose;
  double travel = norm(now.shift - then.shift);
  if (turns(world_.schedule().wall_motion[w]) && !(now.q == then.q)) {
    const Motion& motion = world_.schedule().wall_motion[w];
    const Pose& begins = scene_.walls[w].begins;
    const Vec3d point = begins.to_body(motion.point),
                axis = begins.in_place() ? motion.axis : rotate(conjugate(begins.q), motion.axis);
    const bool same =
        motion.kind == Motion::Kind::rotating && motion.then.empty() &&
        std::visit([&](const auto& s) { return is_symmetric_about(s, point, axis); }, scene_.walls[w].shape);
    if (!same) {
      // |2 sin(theta/2)| from the relative quaternion, times the distance from the axis
      const Quat turn = multiply(now.q, conjugate(then.q));
      travel += 2 * norm(Vec3d{turn[1], turn[2], turn[3]}) * reach_at_build_;
    }
  }
  return travel;
}

bool Lists::are_stale() const {
  if (forces_.bonds().relist()) return true;
  double moved2 = 0;
  for (const Chunk& c : chunks_.all) moved2 = std::max(moved2, c.moved2);
  const double moved = std::sqrt(moved2);
  return 2 * moved > skin_ || moved + farthest_wall() > skin_;
}

double Lists::farthest_wall() const {
  double travel = 0;
  for (std::size_t w = 0; w < world_.now().walls.size(); ++w)
    if (world_.now().walls[w].present) travel = std::max(travel, wall_travel(w));
  return travel;
}

// The way that two surfaces can have come closer since the lists were made, per step, tells how far the next ones
// should reach.
void Lists::choose_skin() {
  const auto steps = static_cast<double>(world_.now().count.step - listed_at_);
  if (steps > 1) reach_for((moved_ + std::max(moved_, flowed_ + farthest_wall()) + closer_by(strained_)) / steps);
  listed_at_ = world_.now().count.step;
}

void Lists::reach_for(double closer) {
  const auto picking = static_cast<double>(best_horizon_);
  if (most_skin_ > least_skin_)
    skin_ = std::clamp((picking + std::max(kStepsPerList, 2 * picking)) * closer, least_skin_, most_skin_);
}

// Flow, limits and horizon for the next near pairs. Limits are the present steps and a little more, which is doubled
// when particles have gone beyond them and lowered slowly when they have not. The horizon T balances the cost of a
// picking, shared by T steps, with that of the pairs in a gap of T mean limits. All pairs that near ones may be picked
// from must be in the lists: two of the largest limits, T times, must fit into what is left of the skin.
bool Lists::choose_limits() {
  const std::size_t n = state_.size(), parts = (n + chunks_.chunk_size - 1) / chunks_.chunk_size;
  state_.limit.resize(n);
  struct Sum {
    Vec3d v, low, high;
    double limit = 0, most = 0;
  };
  std::vector<Sum> sum(parts);
  const auto for_each_part = [&](auto&& f) {
    chunks_.team.for_each_piece(
        static_cast<std::int64_t>(n), chunks_.chunk_size,
        [&](std::int64_t begin, std::int64_t end, int) { f(sum[begin / chunks_.chunk_size], begin, end); });
  };
  for_each_part([&](Sum& s, std::size_t begin, std::size_t end) {
    s.low = {kFar, kFar, kFar};
    s.high = -s.low;
    for (std::size_t i = begin; i < end; ++i) {
      if (state_.is_gone(i)) continue;
      s.v += state_.velocity(i).xyz();
      s.low = least(s.low, state_.position(i).xyz());
      s.high = most(s.high, state_.position(i).xyz());
    }
  });
  Vec3d v, low{kFar, kFar, kFar}, high = -low;
  for (const Sum& s : sum) {
    v += s.v;
    low = least(low, s.low);
    high = most(high, s.high);
  }
  if (!flow_given_) flow_ = n > 0 && !implicit_ ? (dt_ / static_cast<double>(n)) * v : Vec3d{};
  if (drifts_ > 0) least_limit_ *= hurried_ ? 2 : 0.9;
  least_limit_ = std::max(least_limit_, kLeastLimit * least_skin_);
  hurried_ = false;
  drifts_ = 0;
  places_.emplace(n, low, high, periodicity_);
  for_each_part([&](Sum& s, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      places_->set(i, state_.position(i));
      if (implicit_) continue;
      constexpr double kMostLimit = 1e38;  // as a float
      const auto limit =
          static_cast<float>(std::min(kMostLimit, least_limit_ + norm(dt_ * state_.velocity(i).xyz() - flow_)));
      state_.limit[i] = limit;
      s.limit += limit;
      s.most = std::max<double>(s.most, limit);
    }
  });
  if (n == 0 || implicit_) return true;
  double mean = 0, most = 0;
  for (const Sum& s : sum) {
    mean += s.limit / static_cast<double>(n);
    most = std::max(most, s.most);
  }
  const auto steps = [](double t) {  // none where it is not a number
    return t > 0 ? static_cast<std::int64_t>(std::min<double>(t, kMostStepsPerPicking)) : std::int64_t{0};
  };
  best_horizon_ = 1 + steps(std::sqrt(kPickingCost * least_skin_ / mean));
  const double strain = world_.cell().strain(), left = skin_ - 2 * moved_ - closer_by(strained_);
  horizon_ = std::min(best_horizon_, steps(left / (2 * most + closer_by(kMoreStrain * strain))));
  if (world_.cell().deforms()) {
    strain_left_ = kMoreStrain * strain * horizon() + kLeastStrain;
    strain_gap_ = closer_by(strain_left_);
  }
  return 4 * horizon_ > best_horizon_;
}

Lists::Due Lists::look() {
  double step2 = 0;
  for (Chunk& c : chunks_.all) {
    step2 = std::max(step2, c.moved2);
    hurried_ = hurried_ || c.hurried;
    c.moved2 = 0;
    c.hurried = false;
  }
  moved_ += std::sqrt(step2);
  flowed_ += norm(flow_);
  ++drifts_;
  strained_ += world_.cell().strain();
  strain_left_ -= world_.cell().strain();
  hurried_ = hurried_ || strain_left_ < 0;
  const bool stale = forces_.bonds().relist() || chunks_.chunk_size != chunk_size() ||
                     2 * moved_ + closer_by(strained_) > skin_ || moved_ + flowed_ + farthest_wall() > skin_ ||
                     by_chance();
  if (!stale && !hurried_ && drifts_ <= horizon_) return Due::nothing;
  return choose_limits() && !stale ? Due::near_pairs : Due::lists;
}

void Lists::renew(Due due) {
  if (due == Due::nothing) return;
  if (due == Due::near_pairs) return pick_pairs();
  choose_skin();
  rebuild();
}

bool Lists::by_chance() {
  return bookkeeping_.extra_lists > 0 && random_() % static_cast<std::uint64_t>(bookkeeping_.extra_lists) == 0;
}

void Lists::renew_at_random() {
  if (by_chance()) rebuild();
}

void Lists::renew_for_further() {
  bool fresh = !forces_.bonds().relist();
  for (std::size_t i = 0; fresh && i < state_.size(); ++i) fresh = state_.position(i).xyz() == state_.built_at[i];
  const std::vector<WallState>& walls = world_.now().walls;
  for (std::size_t w = 0; fresh && w < walls.size(); ++w)
    fresh = walls[w].pose.shift == walls_at_build_[w].pose.shift && walls[w].pose.q == walls_at_build_[w].pose.q;
  if (fresh) {
    skin_ *= 2;
    near_gap_ = skin_;
    double r_max = 0;
    for (const Twin& t : state_.moving) r_max = std::max(r_max, t.first.w);
    for (int a = 0; a < 3; ++a)
      if (periodicity_.on[a] && component(periodicity_.length, a) < 4 * r_max + 2 * skin_)
        throw StoppedError("an implicit step carries particles too far for the periodic box; take a smaller dt");
  }
  rebuild();
}

void Lists::rebuild() {
  Vec3d low{kFar, kFar, kFar};
  double r_mean = 0;
  const std::vector<Vec4> position = state_.places();
  for (std::size_t i = 0; i < position.size(); ++i) {
    if (!state_.is_gone(i)) low = least(low, position[i].xyz());
    r_mean += position[i].w;
  }
  r_mean /= static_cast<double>(std::max<std::size_t>(1, state_.size()));
  if (world_.cell().deforms()) {  // no pair may be listed across two faces
    double r_max = 0;
    for (const Vec4& p : position) r_max = std::max(r_max, p.w);
    for (int a = 0; a < 3; ++a)
      if (periodicity_.on[a]) skin_ = std::min(skin_, 0.5 * component(periodicity_.length, a) - 2 * r_max);
  }
  std::vector<std::uint32_t> order = spatial_order(position, low, 2 * r_mean + skin_);
  if (state_.gone > 0) std::erase_if(order, [&](std::uint32_t i) { return state_.is_gone(i); });
  if (bookkeeping_.shuffle != 0) std::shuffle(order.begin(), order.end(), random_);
  relist(order);
}

void Lists::list_shared(double skin, const Vec3d& flow) {
  flow_ = flow;
  flow_given_ = true;
  skin_ = skin;
  std::vector<std::uint32_t> order(state_.size());
  std::iota(order.begin(), order.end(), 0);
  relist(order);
}

void Lists::relist(const std::vector<std::uint32_t>& order) {
  Bonds& bonds = forces_.bonds();
  bonds.drop(order);
  state_.permute(order);
  for (std::size_t i = 0; i < state_.built_at.size(); ++i) state_.built_at[i] = state_.position(i).xyz();
  moved_ = flowed_ = strained_ = 0;
  walls_at_build_ = world_.now().walls;
  bonds.list_apart();
  for (const Chunk& c : chunks_.all)
    if (!c.of_copies) world_.now().ledger += c.sums;
  const OldLists old{order, std::move(chunks_.all), chunks_.chunk_size};
  make_chunks();
  bonds.renew();
  make_lists(old);
  ++made_;
}

// Pairs of an empty slot stay in the lists, and must never touch. Those listed are about two of the largest particles
// and the skin apart, so it goes so much further away, each to a place of its own, along an axis that does not repeat:
// there is one, since it has left the domain.
void Lists::give_up(std::size_t slot) {
  const double far = 4 * (2 * largest_ + 2 * skin_ + law_reach_) * (1 + static_cast<double>(state_.id[slot]));
  const bool* const repeats = periodicity_.on.data();
  state_.give_up(slot, !repeats[0] ? Vec3d{far, 0, 0} : !repeats[1] ? Vec3d{0, far, 0} : Vec3d{0, 0, far});
}

std::uint32_t Lists::chunk_size() const {
  if (bookkeeping_.chunk_size > 0) return bookkeeping_.chunk_size;
  const int threads = chunks_.team.settled();
  const std::size_t wanted = threads > 1 ? kChunksPerThread * threads : 1;
  std::uint32_t size = kMostInChunk;
  while (size > kLeastInChunk && size * wanted > state_.size()) size /= 2;
  return size;
}

void Lists::make_chunks() {
  const std::size_t n = state_.size();
  chunks_.chunk_size = chunk_size();
  const std::uint32_t size = chunks_.chunk_size, missing = (size - state_.own_begin() % size) % size;
  chunks_.missing = missing;  // a chunk begins with the first of the own bodies
  const std::size_t count = n == 0 ? 0 : (n + missing + size - 1) / size;
  chunks_.all.clear();
  chunks_.all.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Chunk& chunk = chunks_.all[k];
    chunk.begin = k == 0 ? 0 : static_cast<std::uint32_t>(k * size - missing);
    chunk.end = static_cast<std::uint32_t>(std::min(n, (k + 1) * size - missing));
    chunk.of_copies = chunk.begin < state_.own_begin();
    chunk.own_end = chunk.of_copies ? chunk.begin : std::clamp(state_.own_end(), chunk.begin, chunk.end);
    chunk.sums = LedgerSums(world_.now().ledger.wall_work.grid());
    chunk.lists.resize(laws_.kernels.size());
    for (std::size_t l = 0; l < laws_.kernels.size(); ++l) {
      chunk.lists[l].own.resize(laws_.kernel_of.size());
      chunk.lists[l].across.resize(laws_.kernel_of.size());
      chunk.lists[l].pool.reset(laws_.kernels[l]->history());
    }
  }
}

}  // namespace areia::cpu
