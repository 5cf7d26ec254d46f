// The step of many particles at once: the bits of the step of one, whatever the vectors, faces and turns.
#include "engine/cpu/block_step.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/random.h"

using namespace areia;
using namespace areia::cpu;

namespace {

State random_state(std::uint32_t count, const Vec3d& low, const Vec3d& high) {
  Random random(11);
  State s;
  s.moving.resize(count);
  s.spin.resize(count);
  s.orientation.resize(count);
  s.pushed.resize(count);
  s.contacts_before.resize(count);
  s.limit.assign(count, 1e-3f);
  const auto vector = [&](double size, double w) {
    const Vec3d a = random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size});
    return Vec4{a.x, a.y, a.z, w};
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const bool free = random.uniform() > 0.1;
    const Vec3d x = random.uniform(low, high);
    s.position(i) = {x.x, x.y, x.z, 0.01};
    s.velocity(i) = vector(50, free ? 1 / random.uniform(1e-3, 1e-2) : 0);
    s.spin[i] = vector(i % 16 == 3 ? 2000 : 20, free ? 1e6 : 0);  // some turn too much for the short series
    s.orientation[i] = {1, 0, 0, 0};
    s.force(i) = vector(10, 3);
    s.torque(i) = vector(1e-3, 0);
    s.id.push_back(count - i);
  }
  return s;
}

template <class Array>
bool same_bits(const Array& a, const Array& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

}  // namespace

TEST(BlockStep, VectorsGiveTheBitsOfOneParticle) {
  if (!has_wide_vectors()) GTEST_SKIP() << "no wide vectors on this machine";
  const Vec3d low{-0.1, 0.3, 0}, length{0.2, 0.1, 0.15};
  const ForceGrid grid{Grid(2), Grid(1e-3)};
  for (const VectorWidth width : {VectorWidth::avx2, VectorWidth::avx512})
    for (const auto on : {std::array{false, false, false}, {true, false, false}, {true, true, true}}) {
      if (width > widest_vectors()) continue;
      const Periodicity periodicity{on, low, length};
      State one = random_state(203, low, low + length), many = one;
      StepResult of_one, of_many;
      const double anywhere = std::numeric_limits<double>::infinity();
      const Bounds watched{{-anywhere, -anywhere, 0.02}, {0.05, anywhere, anywhere}};
      std::uint32_t outside_before = 0;
      LedgerSums sums_one(Grid(1e-6)), sums_many(Grid(1e-6));  // some changes of the potential are too large for it
      for (int step = 0; step < 20; ++step) {
        const bool in_quanta = step % 2 == 0 && step > 0;
        StepCall call{1e-4,      {0, 1, -9.81},    step > 0,     true, in_quanta ? &grid : nullptr,
                      true,      {0.1, 0.2, -0.3}, {1e-5, 0, 0}, 0,    203,
                      &sums_one, &periodicity,     &watched};
        if (!periodicity.any()) call.periodicity = nullptr;
        block_step(VectorWidth::plain)(call, one, of_one);
        call.sums = &sums_many;
        block_step(width)(call, many, of_many);
        ASSERT_TRUE(same_bits(one.moving, many.moving)) << step;
        ASSERT_TRUE(same_bits(one.spin, many.spin)) << step;
        ASSERT_TRUE(same_bits(one.orientation, many.orientation)) << step;
        EXPECT_EQ(of_one.moved2, of_many.moved2);
        EXPECT_EQ(of_one.hurried, of_many.hurried);
        EXPECT_EQ(of_one.failed, of_many.failed);
        EXPECT_EQ(of_one.outside, of_many.outside);
        std::uint32_t outside = 0;
        for (std::uint32_t i = 0; i < 203; ++i)
          outside += one.free(i) && (one.position(i).x > watched.high.x || one.position(i).z < watched.low.z);
        EXPECT_EQ(of_one.outside - outside_before, outside);
        outside_before = of_one.outside;
        EXPECT_EQ(sums_one.wall_work.parts(), sums_many.wall_work.parts());
        EXPECT_EQ(sums_one.field_work.parts(), sums_many.field_work.parts());
        ASSERT_EQ(one.contacts_before, many.contacts_before);
        EXPECT_EQ(same_bits(one.pushed, LineVector<Twin>(203)), in_quanta);
        EXPECT_TRUE(same_bits(many.pushed, one.pushed));
        for (std::uint32_t i = 0; i < 203; ++i) {
          one.pushed[i] = {{0.01 * i, -0.02 * i, 1, 0}, {1e-6 * i, 0, 0, 2}};
          if (step % 2 ==
              1) {  // the next one is in quanta; some sums do not fit their grid, and some have very many terms
            const std::int64_t n = std::int64_t{i} << (i % 7 == 0 ? 51 : 40);
            one.sums()[i] = {{n, -n, 1000000, 0}, {-5 * n, n / 3, 0, i % 50 == 8 ? 5000 : i % 11}};
          }
          many.pushed[i] = one.pushed[i];
        }
        for (std::uint32_t i = 0; i < 203; ++i) EXPECT_FALSE(periodicity.left_by(one.position(i).xyz()));
      }
      EXPECT_EQ(sums_one.wall_work != 0, periodicity.on[2]);
      EXPECT_NE(sums_one.field_work, 0);
    }
}
