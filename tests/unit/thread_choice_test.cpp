// The choice of the number of threads as a function of measured rates; nothing here runs on threads.
#include "core/thread_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/random.h"

using namespace areia;

namespace {

struct Machine {
  std::function<double(int)> rate;   // of work, with so many threads
  std::function<double(int)> cores;  // processor time per time
};

struct Course {
  int threads = 0;            // at the end
  double mean_rate = 0;       // of the work
  double most_elsewhere = 0;  // share of the time with other numbers of threads than at the end
};

Course follow(ThreadChoice& choice, const Machine& machine, double from, double to) {
  Course course;
  std::vector<double> with(choice.most() + 1, 0);
  double work = 0;
  for (double t = from; t < to; t += ThreadChoice::kWindow) {
    const int n = choice.now();
    with[n] += ThreadChoice::kWindow;
    work += machine.rate(n) * ThreadChoice::kWindow;
    choice.judge(machine.rate(n) * ThreadChoice::kWindow, machine.cores(n) * ThreadChoice::kWindow,
                 ThreadChoice::kWindow, t + ThreadChoice::kWindow);
  }
  course.mean_rate = work / (to - from);
  course.threads = choice.now();
  if (choice.tries()) choice.give_up(to);
  course.threads = choice.now();
  course.most_elsewhere = 1 - with[course.threads] / (to - from);
  return course;
}

double all(int n) { return n; }

}  // namespace

TEST(ThreadChoice, AllThreadsWhereTheyHelp) {
  for (const int most : {1, 2, 3, 8, 64}) {
    ThreadChoice choice(most);
    const Course c = follow(choice, {[](int n) { return 0.9 * n; }, all}, 0, 60);
    EXPECT_EQ(c.threads, most);
    EXPECT_LT(c.most_elsewhere, 0.01) << most;
    EXPECT_GT(c.mean_rate, 0.99 * 0.9 * most) << most;
  }
}

// Two threads at a three-hundredth of the rate of one, as on a machine with other work: found at once where they wait
// for each other, and by a trial where they seem to be at work.
TEST(ThreadChoice, OneWhereTwoAreSlower) {
  for (const double cores : {0.2, 2.0})
    for (const double two : {0.003, 0.5, 0.9}) {
      ThreadChoice choice(2);
      const Course c = follow(
          choice, {[&](int n) { return n == 1 ? 1.0 : two; }, [&](int n) { return n == 1 ? 1.0 : cores; }}, 0, 60);
      EXPECT_EQ(c.threads, 1);
      EXPECT_GT(c.mean_rate, 0.98) << cores << ", " << two;
    }
}

// Beside another program on two cores: what two threads do in a window is anything from a fifth to one and a half of
// what one does, and 0.85 on average.
TEST(ThreadChoice, OneWhereTwoAreSlowerNowAndThen) {
  Random random(7);
  double work = 0;
  constexpr int kRuns = 20;
  for (int run = 0; run < kRuns; ++run) {
    ThreadChoice choice(2);
    const Machine machine{[&](int n) { return n == 1 ? 0.95 + 0.1 * random.uniform() : 0.2 + 1.3 * random.uniform(); },
                          [](int n) { return n == 1 ? 1.0 : 1.3; }};
    work += follow(choice, machine, 0, 10).mean_rate;
  }
  EXPECT_GT(work / kRuns, 0.97);
}

TEST(ThreadChoice, StopsWhereMemoryIsAllThatJobsWaitFor) {
  ThreadChoice choice(32);
  const Course c = follow(choice, {[](int n) { return std::min(n, 8); }, all}, 0, 200);
  EXPECT_EQ(c.threads, 8);
  EXPECT_GT(c.mean_rate, 0.98 * 8);
}

// The machine is busy for a while; afterwards all come back.
TEST(ThreadChoice, FollowsTheMachine) {
  ThreadChoice choice(8);
  const Machine idle{[](int n) { return n; }, all};
  const Machine busy{[](int n) { return n <= 2 ? n : 2.0 / n; }, [](int n) { return std::min(n, 2); }};
  EXPECT_EQ(follow(choice, idle, 0, 10).threads, 8);
  EXPECT_EQ(follow(choice, busy, 10, 70).threads, 2);
  EXPECT_EQ(follow(choice, idle, 70, 170).threads, 8);
}
