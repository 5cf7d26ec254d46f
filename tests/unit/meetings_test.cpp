// The search for meetings of hard spheres has the same bits with and without vectors.
#include "engine/events/meetings.h"

#include <gtest/gtest.h>

#include <random>

namespace areia::events {
namespace {

TEST(Meetings, HaveTheScalarBitsWithVectors) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> place(0, 4), speed(-1, 1), size(0.1, 0.4), time(0, 0.2);
  std::vector<Flight> all(200);
  for (Flight& f : all)
    f = {{place(random), place(random), place(random)},
         {speed(random), speed(random), speed(random)},
         time(random),
         size(random)};
  const Periodicity images{{true, false, true}, {0, 0, 0}, {4, 4, 4}};
  std::size_t meetings = 0;
  for (const Vec3d g : {Vec3d{}, Vec3d{0.3, -9.81, 0.1}})
    for (const Periodicity* periodic : {static_cast<const Periodicity*>(nullptr), &images})
      for (std::size_t count = 0; count <= 150; ++count) {
        Meetings plain, fast;
        plain.make_room(count);
        fast.make_room(count);
        for (std::size_t k = 0; k < count; ++k) plain.id[k] = fast.id[k] = static_cast<std::uint32_t>((7 * k) % 200);
        const MeetingSearch search{all.data(), count, 14, g, periodic};  // itself is among the candidates
        find_meetings_plain(search, plain);
        fastest_find_meetings()(search, fast);
        for (std::size_t k = 0; k < count; ++k) {
          const bool meets = plain.meet[k / 64] >> (k % 64) & 1;
          ASSERT_EQ(meets, fast.meet[k / 64] >> (k % 64) & 1) << k << " of " << count;
          ASSERT_EQ(plain.b[k], fast.b[k]);
          ASSERT_EQ(plain.c[k], fast.c[k]);
          ASSERT_EQ(plain.d[k], fast.d[k]);
          ASSERT_FALSE(meets && plain.id[k] == search.self);
          meetings += meets;
        }
        // bits behind the last candidate are not set
        if (count % 64) { ASSERT_EQ(fast.meet[count / 64] >> (count % 64), 0u); }
      }
  EXPECT_GT(meetings, 1000u);
}

}  // namespace
}  // namespace areia::events
