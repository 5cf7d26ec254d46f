// Every law over packs: lane by lane the bits of the scalar code, also where neighbouring lanes are in other regimes.
#include <gtest/gtest.h>

#include "core/pack.h"
#include "law_rows.h"
#include "some_law.h"

using namespace areia;
using namespace areia::test;

namespace {

const Material kGrain{.name = "m", .density = 2500, .young = 1e7, .poisson = 0.3};
const Material kRigid{.name = "r", .rigid = true};

// An input or output is a row of numbers; here W of them, number by number.
template <int W, class Law, Slot slot>
void expect_scalar_bits(const typename Law::Pair& pair) {
  using T = Pack<W>;
  constexpr std::size_t kNumbers = sizeof(LawInput<double>) / sizeof(double);
  static_assert(sizeof(LawInput<T>) == kNumbers * sizeof(T));
  Random random(7);
  for (int trial = 0; trial < 500; ++trial) {
    alignas(64) double in[kNumbers][W];
    LawOutput<double> expected[W];
    for (int k = 0; k < W; ++k) {
      const LawInput<double> one = some_input(random);
      evaluate<Law, slot>(pair, one, expected[k]);
      double numbers[kNumbers];
      std::memcpy(numbers, &one, sizeof one);
      for (std::size_t n = 0; n < kNumbers; ++n) in[n][k] = numbers[n];
    }
    LawInput<T> lanes;
    std::memcpy(static_cast<void*>(&lanes), in, sizeof in);
    LawOutput<T> out;
    evaluate<Law, slot>(pair, lanes, out);
    ASSERT_EQ(out.size, expected[0].size);
    for (int n = 0; n < out.size; ++n) {
      alignas(64) double number[W];
      out.of[n].store(number);
      for (int k = 0; k < W; ++k) {
        ASSERT_TRUE(std::isfinite(number[k])) << n;
        ASSERT_EQ(std::memcmp(&number[k], &expected[k].of[n], sizeof(double)), 0)
            << "number " << n << ": " << number[k] << " " << expected[k].of[n];
      }
    }
  }
}

template <Slot slot, class... L>
void expect_scalar_bits(LawList<L...>) {
  const auto one = [&]<class Law>() {
    SCOPED_TRACE(std::string(Law::kInfo.slot) + " " + Law::kInfo.name);
    for (const LawChoice& c : {of_type<Law>(some), of_type<Law>(other)}) {
      const auto pair = Law::prepare(c, {kGrain, kGrain});
      expect_scalar_bits<2, Law, slot>(pair);
      expect_scalar_bits<4, Law, slot>(pair);
      expect_scalar_bits<8, Law, slot>(pair);
    }
  };
  (one.template operator()<L>(), ...);
}

// A law's constants with every default left out and with every default written out.
template <class... L>
void expect_defaults_of_the_table(LawList<L...>) {
  const auto one = [&]<class Law>() {
    SCOPED_TRACE(std::string(Law::kInfo.slot) + " " + Law::kInfo.name);
    LawChoice least{Law::kInfo.name, {}, {}}, full = least;
    for (const ParameterInfo& p : Law::kParameters) {
      const std::string words = p.words;
      if (!words.empty()) full.words[p.name] = words.substr(0, words.find('|'));
      else if (!std::isnan(p.preset)) full.numbers[p.name] = p.preset;
      else if (*p.instead == 0 || std::string(p.name) == "mu" || std::string(p.name) == "stiffness")
        least.numbers[p.name] = full.numbers[p.name] = 0.5;
    }
    for (const Material& partner : {kGrain, kRigid}) {
      const auto a = Law::prepare(least, {kGrain, partner}), b = Law::prepare(full, {kGrain, partner});
      EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
    }
    // and each of them is read: another number or word gives other constants
    for (const ParameterInfo& p : Law::kParameters) {
      LawChoice changed = of_type<Law>(other), as_default = changed;
      if (*p.words) as_default.words[p.name] = std::string(p.words).substr(0, std::string(p.words).find('|'));
      else changed.numbers[p.name] = 0.77;
      if (std::string(p.name) == "xi_from_e") changed.numbers["restitution"] = as_default.numbers["restitution"] = 0.5;
      const auto a = Law::prepare(changed, {kGrain, kRigid}), b = Law::prepare(as_default, {kGrain, kRigid});
      EXPECT_NE(std::memcmp(&a, &b, sizeof a), 0) << p.name;
    }
  };
  (one.template operator()<L>(), ...);
}

}  // namespace

TEST(LawLanes, NormalHasTheScalarBits) { expect_scalar_bits<kNormal>(LawsOf<kNormal>::List{}); }
TEST(LawLanes, AdhesionHasTheScalarBits) { expect_scalar_bits<kAdhesion>(LawsOf<kAdhesion>::List{}); }
TEST(LawLanes, TangentialHasTheScalarBits) { expect_scalar_bits<kTangential>(LawsOf<kTangential>::List{}); }
TEST(LawLanes, RollingHasTheScalarBits) { expect_scalar_bits<kRolling>(LawsOf<kRolling>::List{}); }
TEST(LawLanes, TwistingHasTheScalarBits) { expect_scalar_bits<kTwisting>(LawsOf<kTwisting>::List{}); }

TEST(LawTables, PrepareTakesDefaultsFromThem) {
  expect_defaults_of_the_table(LawsOf<kNormal>::List{});
  expect_defaults_of_the_table(LawsOf<kAdhesion>::List{});
  expect_defaults_of_the_table(LawsOf<kTangential>::List{});
  expect_defaults_of_the_table(LawsOf<kRolling>::List{});
  expect_defaults_of_the_table(LawsOf<kTwisting>::List{});
}

TEST(LawTables, ARequiredNumberThatIsMissingIsAnError) {
  EXPECT_THROW(RollingConstant::prepare({"constant", {}, {}}, {kGrain, kGrain}), std::logic_error);
  EXPECT_THROW(CoulombHistory::prepare({"coulomb_history", {}, {}}, {kGrain, kGrain}), std::logic_error);
  EXPECT_NO_THROW(CoulombHistory::prepare({"coulomb_history", {{"mu_static", 0.4}}, {}}, {kGrain, kGrain}));
}

TEST(LawTables, ConstantsOfAPairHaveASize) {
  for (const LawInfo& law : all_laws()) {
    EXPECT_GT(law.pair_bytes, 0u) << law.name;
    EXPECT_EQ(law.pair_bytes % sizeof(double), 0u) << law.name;
  }
  EXPECT_EQ(LawsOf<kTangential>::List::kPairBytes, sizeof(CoulombVariants::Pair));
}
