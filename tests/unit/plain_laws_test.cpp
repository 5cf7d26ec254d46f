// Laws as plain data against Interaction: the same bits in forces, torques, bookings, histories and ranges.
#include "physics/plain_laws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "contact_steps.h"
#include "some_law.h"

using namespace areia;
using namespace areia::test;

namespace {

const Material kGrain{.name = "m", .density = 2500, .young = 1e7, .poisson = 0.3};

// A choice of just this type of law, with random numbers and words.
template <class Law>
LawChoice some_choice(Random& random) {
  if constexpr (!kIsLaw<Law>) {
    return {};
  } else {
    for (int attempt = 0; attempt < 1000; ++attempt) {
      LawChoice c = of_type<Law>(random.uniform() < 0.5 ? some : other);
      for (const ParameterInfo& p : Law::kInfo.parameters) {
        const std::string words = p.words;
        if (words.empty() || random.uniform() < 0.5) continue;
        const auto count = std::count(words.begin(), words.end(), '|') + 1;
        std::size_t from = 0;
        for (auto k = static_cast<long>(random.uniform() * static_cast<double>(count)); k > 0; --k)
          from = words.find('|', from) + 1;
        c.words[p.name] = words.substr(from, words.find('|', from) - from);
      }
      const double scale = random.uniform(0.3, 1.5);
      for (auto& [name, value] : c.numbers)
        if (name != "restitution" && name != "poisson")
          value *= name.starts_with("mu") ? scale : random.uniform(0.3, 1.5);
      if (type_name(c) == type_name<Law>()) return c;
    }
    ADD_FAILURE() << "no choice of " << type_name<Law>();
    return {};
  }
}

// One of the laws of a slot, or none.
template <class... L>
LawChoice any_choice(LawList<L...>, bool may_lack, Random& random) {
  const int number = static_cast<int>(random.uniform() * (sizeof...(L) + may_lack));
  LawChoice c;
  int k = 0;
  ((number == k++ ? void(c = some_choice<L>(random)) : void()), ...);
  return c;
}

ContactPair nothing() {
  ContactPair pair;
  pair.a = pair.b = kGrain.name;
  return pair;
}

ContactPair any_pair(Random& random) {
  ContactPair pair = nothing();
  pair.normal = any_choice(LawsOf<kNormal>::List{}, false, random);
  pair.adhesion = any_choice(LawsOf<kAdhesion>::List{}, true, random);
  pair.tangential = any_choice(LawsOf<kTangential>::List{}, true, random);
  pair.rolling = any_choice(LawsOf<kRolling>::List{}, true, random);
  pair.twisting = any_choice(LawsOf<kTwisting>::List{}, true, random);
  return pair;
}

struct Seen {
  int numbers = 0, nothing = 0, gaps = 0, given = 0, walls = 0;
};

template <class Set, bool kLedger>
void expect_same_bits(const Interaction& laws, const ContactPair& pair, Random& random, Seen& seen) {
  const HeldPlain<Set, kLedger> plain{plain_laws(laws, pair)};
  ASSERT_TRUE(is_set_of<Set>(plain.p));
  ASSERT_LE(laws.history(), (RunLaws<Set, kLedger>::kHistory));
  for (int contact = 0; contact < 20; ++contact) {
    double kept[kMostHistory], mine[kMostHistory];
    std::fill(kept, kept + kMostHistory, 7.0);
    std::fill(mine, mine + kMostHistory, 7.0);
    for (const ContactStep& step : some_steps(random)) {
      StepRow expected, row;
      take_step(laws, step, kept, expected);
      take_step(plain, step, mine, row);
      ASSERT_EQ(row.size, StepRow::kNumbers);
      const int compared = row.size - (kLedger ? 0 : kBookingsOfStep);
      for (int n = 0; n < compared; ++n) {
        ASSERT_TRUE(std::isfinite(expected.of[n])) << n;
        ASSERT_EQ(std::memcmp(&row.of[n], &expected.of[n], sizeof(double)), 0)
            << "number " << n << ": " << row.of[n] << " " << expected.of[n];
      }
      for (int h = 0; h < kMostHistory; ++h)
        ASSERT_EQ(std::memcmp(&mine[h], &kept[h], sizeof(double)), 0) << "history " << h;
      ++seen.numbers;
      seen.nothing += norm2(Vec3d{row.of[2], row.of[3], row.of[4]}) == 0;
      seen.gaps += step.touch.overlap < 0;
      seen.given += step.dt == 0;
      seen.walls += step.j.radius == 0;
    }
  }
}

// Each regime has its share.
void expect_all_regimes(const Seen& seen) {
  EXPECT_LT(seen.nothing, seen.numbers / 2);
  for (const int some : {seen.gaps, seen.given, seen.walls}) EXPECT_GT(some, seen.numbers / 20);
}

template <Slot slot, class... L>
void expect_of_every_law(LawChoice ContactPair::*choice, LawList<L...>) {
  Random random(11 + slot);
  Seen seen;
  const auto one = [&]<class Law>() {
    SCOPED_TRACE(type_name<Law>());
    for (int trial = 0; trial < 60; ++trial) {
      ContactPair pair = any_pair(random);
      pair.*choice = some_choice<Law>(random);
      const Interaction laws(pair, {kGrain, kGrain});
      EXPECT_EQ(plain_laws(laws, pair).law[slot], (kNumberOf<Law, slot>));
      expect_same_bits<AnyLaws, true>(laws, pair, random, seen);
      expect_same_bits<AnyLaws, false>(laws, pair, random, seen);
    }
  };
  (one.template operator()<L>(), ...);
  expect_all_regimes(seen);
}

template <class Set>
ContactPair pair_of(Random& random) {
  ContactPair pair = nothing();
  pair.normal = some_choice<typename Set::Normal>(random);
  pair.adhesion = some_choice<typename Set::Adhesion>(random);
  pair.tangential = some_choice<typename Set::Tangential>(random);
  pair.rolling = some_choice<typename Set::Rolling>(random);
  pair.twisting = some_choice<typename Set::Twisting>(random);
  return pair;
}

}  // namespace

TEST(PlainLaws, EveryNormalLawHasTheBits) {
  expect_of_every_law<kNormal>(&ContactPair::normal, LawsOf<kNormal>::List{});
}
TEST(PlainLaws, EveryAdhesionHasTheBits) {
  expect_of_every_law<kAdhesion>(&ContactPair::adhesion, LawsOf<kAdhesion>::List{});
}
TEST(PlainLaws, EveryTangentialLawHasTheBits) {
  expect_of_every_law<kTangential>(&ContactPair::tangential, LawsOf<kTangential>::List{});
}
TEST(PlainLaws, EveryRollingLawHasTheBits) {
  expect_of_every_law<kRolling>(&ContactPair::rolling, LawsOf<kRolling>::List{});
}
TEST(PlainLaws, EveryTwistingLawHasTheBits) {
  expect_of_every_law<kTwisting>(&ContactPair::twisting, LawsOf<kTwisting>::List{});
}

TEST(PlainLaws, EverySetHasTheBits) {
  Random random(5);
  Seen seen;
  int sets = 0, sharing = 0, reaching = 0;
  for_each_set(FusedSets{}, [&]<class Set>(Set) {
    SCOPED_TRACE(sets++);
    for (int trial = 0; trial < 20; ++trial) {
      const ContactPair pair = pair_of<Set>(random);
      ASSERT_TRUE(is_set_of<Set>(pair));
      const Interaction laws(pair, {kGrain, kGrain});
      sharing += laws.shares();
      reaching += laws.reaches();
      ASSERT_EQ(laws.history(), (RunLaws<Set, true>::kHistory));
      expect_same_bits<Set, true>(laws, pair, random, seen);
      expect_same_bits<Set, false>(laws, pair, random, seen);
    }
  });
  EXPECT_GT(sharing, sets);
  EXPECT_GT(reaching, sets);
  expect_all_regimes(seen);
}

TEST(PlainLaws, BelongToOneSetAtMost) {
  Random random(6);
  int in_sets = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const ContactPair pair = any_pair(random);
    const PlainLaws p = plain_laws(Interaction(pair, {kGrain, kGrain}), pair);
    EXPECT_TRUE(is_set_of<AnyLaws>(p));
    int sets = 0;
    for_each_set(FusedSets{}, [&]<class Set>(Set) {
      EXPECT_EQ(is_set_of<Set>(p), is_set_of<Set>(pair));
      sets += is_set_of<Set>(p);
    });
    EXPECT_LE(sets, 1);
    in_sets += sets;
  }
  EXPECT_GT(in_sets, 20);
}

TEST(PlainLaws, AreAbsentUntilMade) {
  EXPECT_FALSE(PlainLaws{}.present);
  ContactPair pair = nothing();
  pair.normal = some(Hertz::kInfo);
  const Interaction laws(pair, {kGrain, kGrain});
  EXPECT_TRUE(plain_laws(laws, pair).present);
  pair.normal = some(Jkr::kInfo);
  EXPECT_THROW(plain_laws(laws, pair), std::logic_error);
}
