// Every law over blocks of contacts: the bits of the scalar code, at every width of the vectors.
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "core/random.h"
#include "engine/cpu/block_fused.h"
#include "some_law.h"

using namespace areia;
using namespace areia::cpu;
using areia::test::of_type;
using areia::test::other;
using areia::test::some;

namespace {

constexpr double kStep = 5e-5;  // at these speeds one contact in ten has just begun
constexpr Kick kKick{kStep, 0.5 * kStep};

// Dashpots that would overshoot.
LawChoice strong(const LawInfo& law) {
  LawChoice c = some(law);
  for (const char* name : {"xi", "beta", "eta"})
    if (c.numbers.contains(name)) c.numbers[name] = 20;
  return c;
}

const Material kGrain{.name = "m", .density = 2500, .young = 1e7, .poisson = 0.3};

struct Motions {
  Touch<double> touch;
  Body<double> i, j;
  double history[kMostHistory];
};

Motions random_contact(Random& random, const Interaction& laws) {
  auto vector = [&](double size) { return random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size}); };
  Motions m;
  m.touch.n = unit(vector(1));
  m.touch.overlap = random.uniform(laws.reaches() ? -2e-4 : 1e-7, 5e-4);
  m.touch.r_star = 0.005;
  m.touch.lever_i = m.touch.lever_j = 0.01;
  auto contacts = [&] { return static_cast<double>(static_cast<int>(random.uniform(0, 8))); };
  m.i = {vector(1), vector(20), 0.01, random.uniform(10, 100), random.uniform(0, 1e6), contacts()};
  m.j = {vector(1), vector(20), 0.01, random.uniform() < 0.1 ? 0.0 : random.uniform(10, 100), random.uniform(0, 1e6),
         contacts()};
  m.touch.m_star = 1 / (m.i.inv_m + m.j.inv_m);
  for (int h = 0; h < laws.history(); ++h) m.history[h] = random.uniform(-1e-5, 1e-4);
  return m;
}

void fill(ContactBlock& block, int k, const Motions& m, int stride) {
  using B = ContactBlock;
  block.set(k, B::kDv, m.i.v - m.j.v);
  block.set(k, B::kWi, m.i.w);
  block.set(k, B::kWj, m.j.w);
  for (auto [c, v] : {std::pair(B::kRi, m.i.radius),
                      {B::kRj, m.j.radius},
                      {B::kMi, m.i.inv_m},
                      {B::kMj, m.j.inv_m},
                      {B::kJi, m.i.inv_j},
                      {B::kJj, m.j.inv_j},
                      {B::kCi, m.i.contacts},
                      {B::kCj, m.j.contacts},
                      {B::kOverlap, m.touch.overlap},
                      {B::kRstar, m.touch.r_star},
                      {B::kMstar, m.touch.m_star},
                      {B::kLeverI, m.touch.lever_i},
                      {B::kLeverJ, m.touch.lever_j}})
    block.of[c][k] = v;
  block.set(k, B::kN, m.touch.n);
  for (int h = 0; h < stride; ++h) block.history[h][k] = m.history[h];
}

template <Slot slot>
void run(const Interaction& laws, const LawChoice& choice, bool wide, ContactBlock& block) {
  if (!laws.part(slot)) return;
  stage_of<slot>(type_name(choice), true, wide)(
      {laws.part(slot)->pair(), kStep, 0, kBlock, laws.scalar_at(slot), laws.vector_at(slot), kKick, laws.shares()},
      block);
}

void expect_same_bits(const ContactPair& pair) {
  const Interaction laws(pair, {kGrain, kGrain});
  Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    Motions motions[kBlock];
    auto block = std::make_unique<ContactBlock>();
    for (int k = 0; k < kBlock; ++k) {
      motions[k] = random_contact(random, laws);
      fill(*block, k, motions[k], laws.history());
    }
    shared_kinematics()({nullptr, kStep, 0, kBlock, 0, 0}, *block);
    const auto start = std::make_unique<ContactBlock>(*block);
    for (bool wide : {false, true}) {
      if (wide && !has_wide_vectors()) continue;
      *block = *start;
      block->history = block->scratch;
      run<kNormal>(laws, pair.normal, wide, *block);
      run<kAdhesion>(laws, pair.adhesion, wide, *block);
      run<kTangential>(laws, pair.tangential, wide, *block);
      run<kRolling>(laws, pair.rolling, wide, *block);
      run<kTwisting>(laws, pair.twisting, wide, *block);
      for (int k = 0; k < kBlock; ++k) {
        Motions m = motions[k];
        const Outcome<double> out = laws.evaluate(m.touch, m.i, m.j, kStep, kKick, m.history);
        auto same = [](const Vec3d& a, const Vec3d& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
        ASSERT_TRUE(same(out.force, block->vector(k, ContactBlock::kForce)));
        ASSERT_TRUE(same(out.torque_i, block->vector(k, ContactBlock::kTorqueI)));
        ASSERT_TRUE(same(out.torque_j, block->vector(k, ContactBlock::kTorqueJ)));
        double booking[kBookings];
        std::memcpy(booking, &out.booking, sizeof booking);
        for (int b = 0; b < kBookings; ++b)
          ASSERT_EQ(std::memcmp(&booking[b], &block->of[ContactBlock::kBooking + b][k], sizeof(double)), 0) << b;
        for (int h = 0; h < laws.history(); ++h) ASSERT_EQ(m.history[h], block->history[h][k]) << h;
        ASSERT_TRUE(std::isfinite(norm(out.force) + norm(out.torque_i)));
      }
    }
  }
}

// All laws in one loop, from the distance vectors on, or at a wall.
void expect_same_bits_fused(const ContactPair& pair, VectorWidth width, bool wall) {
  using B = ContactBlock;
  const FusedStage stage = fused_stage(pair, true, width);
  ASSERT_NE(stage, nullptr);
  const Interaction laws(pair, {kGrain, kGrain});
  const auto next = std::make_unique<ContactBlock>();
  FusedCall call{{}, {}, {}, kStep, 0.25, 0.5, kKick, laws.shares(), kBlock, &next->scratch[0][0], wall};
  for (Slot slot : {kNormal, kAdhesion, kTangential, kRolling, kTwisting})
    if (laws.part(slot)) {
      call.pair[slot] = laws.part(slot)->pair();
      call.scalar[slot] = laws.scalar_at(slot);
      call.vector[slot] = laws.vector_at(slot);
    }
  Random random(6);
  for (int trial = 0; trial < 200; ++trial) {
    Motions motions[kBlock];
    auto block = std::make_unique<ContactBlock>();
    bool empty = false;  // this vector
    call.felt = 0;
    for (int k = 0; k < kBlock; ++k) {
      if (k % kLanes == 0) empty = random.uniform() < 0.3;
      Motions& m = motions[k] = random_contact(random, laws);
      if (wall) {
        m.j = {m.j.v, m.j.w, 0, 0, 0, 0};
        m.touch = {m.touch.n, m.touch.overlap, 0.01, 1 / m.i.inv_m, 0.01 - 0.25 * m.touch.overlap, 0};
      }
      fill(*block, k, m, laws.history());
      const bool touches = !empty && random.uniform() < 0.8;
      block->of[B::kTouch][k] = touches;
      call.felt |= static_cast<std::uint32_t>(touches) << k;
      if (wall) continue;
      const Vec3d d = (0.02 - m.touch.overlap) * m.touch.n;
      block->set(k, B::kD, d);
      m.touch = touch_of(d, 0.01, 0.01, m.i.inv_m, m.j.inv_m);
      shorten_levers(m.touch, 0.25, 0.75);
    }
    // a grid that takes all bookings, some of them, none
    const GridSum none(Grid(std::array{1e3, 1e-9, 0.0}[trial % 3]));
    Booking<GridSum> booked{none, none, none, none, none, none}, expected = booked;
    block->open_sums(booked);
    stage(call, *block);
    block->close_sums();
    const int lanes = width == VectorWidth::avx512 ? 8 : 4;
    for (int k = 0; k < kBlock; ++k) {
      Motions m = motions[k];
      if ((call.felt >> k / lanes * lanes & ((1u << lanes) - 1)) == 0) {
        for (int h = 0; h < laws.history(); ++h) ASSERT_EQ(m.history[h], block->history[h][k]) << h;
        continue;
      }
      const Outcome<double> out = laws.evaluate(m.touch, m.i, m.j, kStep, kKick, m.history);
      auto same = [](const Vec3d& a, const Vec3d& b) { return a == b; };  // zeros may differ in sign
      ASSERT_TRUE(same(out.force, block->vector(k, B::kForce)));
      ASSERT_TRUE(same(out.torque_i, block->vector(k, B::kTorqueI)));
      ASSERT_TRUE(same(out.torque_j, block->vector(k, B::kTorqueJ)));
      if (block->of[B::kTouch][k] != 0) expected += out.booking;
      for (int h = 0; h < laws.history(); ++h) ASSERT_EQ(m.history[h], block->history[h][k]) << h;
    }
    ASSERT_EQ(expected.elastic.parts(), booked.elastic.parts());
    ASSERT_EQ(expected.damping.parts(), booked.damping.parts());
    ASSERT_EQ(expected.tangential.parts(), booked.tangential.parts());
    ASSERT_EQ(expected.tangential_damper.parts(), booked.tangential_damper.parts());
    ASSERT_EQ(expected.rolling.parts(), booked.rolling.parts());
  }
}

}  // namespace

TEST(ContactBlock, LawsInOneLoopHaveTheScalarBitsAtEveryVectorWidth) {
  for_each_set(FusedSets{}, []<class Set>(Set) {
    const auto law = []<class Law>(Law, auto choice) { return kIsLaw<Law> ? of_type<Law>(choice) : LawChoice{}; };
    for (const auto choice : {some, other, strong}) {
      ContactPair pair;
      pair.normal = law(typename Set::Normal{}, choice);
      pair.adhesion = law(typename Set::Adhesion{}, choice);
      pair.tangential = law(typename Set::Tangential{}, choice);
      pair.rolling = law(typename Set::Rolling{}, choice);
      pair.twisting = law(typename Set::Twisting{}, choice);
      SCOPED_TRACE(pair.normal.law + " " + pair.adhesion.law + " " + pair.tangential.law + " " + pair.rolling.law +
                   " " + pair.twisting.law);
      ASSERT_TRUE(is_set_of<Set>(pair));
      for (const VectorWidth width : {VectorWidth::avx2, VectorWidth::avx512})
        for (const bool wall : {false, true})
          if (width <= widest_vectors()) expect_same_bits_fused(pair, width, wall);
    }
  });
}

TEST(ContactBlock, EverySetStandsOnce) {
  std::set<std::string> seen;
  for_each_set(FusedSets{}, [&]<class Set>(Set) {
    std::string names;
    for (const std::string_view name :
         {type_name<typename Set::Normal>(), type_name<typename Set::Adhesion>(), type_name<typename Set::Tangential>(),
          type_name<typename Set::Rolling>(), type_name<typename Set::Twisting>()})
      names += std::string(name) + " ";
    EXPECT_TRUE(seen.insert(names).second) << names;
  });
  ContactPair pair;  // and a combination that is none of them has no loop
  pair.normal.law = "penalty";
  EXPECT_EQ(fused_stage(pair, true, widest_vectors()), nullptr);
}

TEST(ContactBlock, EveryLawHasTheScalarBitsAtEveryVectorWidth) {
  for (const LawInfo& law : all_laws()) {
    SCOPED_TRACE(std::string(law.slot) + " " + law.name);
    ContactPair pair;
    pair.normal = {"hertz", {{"xi", 0.2}}, {}};
    const std::string slot = law.slot;
    LawChoice& choice = slot == "normal"       ? pair.normal
                        : slot == "tangential" ? pair.tangential
                        : slot == "rolling"    ? pair.rolling
                        : slot == "twisting"   ? pair.twisting
                                               : pair.adhesion;
    choice = other(law);
    expect_same_bits(pair);
    choice = some(law);
    expect_same_bits(pair);
    if (slot == "normal") continue;
    // and beside all the others
    pair.tangential = slot == "tangential" ? pair.tangential : LawChoice{"coulomb_history", {{"mu", 0.4}}, {}};
    pair.rolling = slot == "rolling" ? pair.rolling : LawChoice{"epsd", {{"mu", 0.1}}, {}};
    expect_same_bits(pair);
  }
}
