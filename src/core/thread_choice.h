// How many of its threads a team should use, from what they were seen to do.
//
// More threads are not always faster: other programs may keep the cores busy, two threads may share one core, or memory
// may be all that a job waits for. What tells is how fast work gets done. So now and then half of the threads rest for
// a short time, or twice as many come, and whatever was faster stays; each trial that brings nothing doubles the time
// to the next. Where n threads used less processor time than n/2 of them could have, the others waited, and half are
// sent to rest without a trial. So two threads are never slower than one for long. The result of a run does not depend
// on it.
//
// Beside other programs a window of some hundredths of a second says little: the system hands out its time in slices of
// several milliseconds, and two threads that lose a seventh of the speed of one are the faster ones in every third
// window. So the two numbers take turns, until one is clearly the better one or enough was seen of both.
#pragma once
#include <algorithm>

namespace areia {

class ThreadChoice {
 public:
  static constexpr double kWindow = 0.02;                       // s, about
  static constexpr double kFirstWait = 0.2, kLongestWait = 25;  // s, to the next trial
  static constexpr double kWorthIt = 1.02;                      // by so much more threads must be faster
  static constexpr double kClear = 1.5;                         // a ratio of rates that needs no further windows
  static constexpr int kTurns = 8;                              // windows of each number at most

  explicit ThreadChoice(int most) : most_(std::max(1, most)), now_(most_), settled_(most_) {}
  int most() const { return most_; }
  int now() const { return now_; }
  bool tries() const { return trial_.turns > 0; }
  int settled() const { return settled_; }  // what the last trial without a change has confirmed

  // A time of `elapsed` in which the threads did so much work, in any unit that stays the same, on so much processor
  // time of all of them together. `at`: when it ended. All but the work in s.
  void judge(double work, double processor, double elapsed, double at) {
    if (tries()) {
      Sample& sample = now_ == trial_.fewer ? trial_.of_fewer : trial_.of_more;
      sample.work += work;
      sample.elapsed += elapsed;
      if (++trial_.windows % 2 != 0) return turn();
      return weigh(at);
    }
    if (2 * processor < now_ * elapsed) {
      now_ = std::max(1, now_ / 2);
      up_ = true;
      return wait(at);
    }
    if (most_ == 1 || at < next_) return;
    const int other = now_ == 1 || (up_ && now_ < most_) ? std::min(most_, 2 * now_) : now_ / 2;
    trial_ = {};
    trial_.before = now_;
    trial_.fewer = std::min(now_, other);
    trial_.more = std::max(now_, other);
    trial_.turns = trial_.windows = 1;
    (now_ == trial_.fewer ? trial_.of_fewer : trial_.of_more) = {work, elapsed};
    turn();
  }
  // The work is not comparable any more: a trial ends without a result.
  void give_up(double at) {
    if (!tries()) return;
    now_ = trial_.before;
    trial_ = {};
    wait(at);
  }

 private:
  struct Sample {
    double work = 0, elapsed = 0;
  };
  struct Trial {
    int before = 0, fewer = 0, more = 0;  // numbers of threads
    int turns = 0;                        // of each; 0: there is no trial
    int windows = 0;
    Sample of_fewer, of_more;
  };

  void turn() { now_ = now_ == trial_.fewer ? trial_.more : trial_.fewer; }
  // After both had the same number of windows. The next turn begins with the number that the last one ended with, so
  // that what changes steadily favours neither.
  void weigh(double at) {
    const double ratio =
        trial_.of_more.work * trial_.of_fewer.elapsed / (trial_.of_fewer.work * trial_.of_more.elapsed);
    if (trial_.turns < kTurns && ratio < kClear && kClear * ratio > 1) {
      ++trial_.turns;
      return;
    }
    now_ = ratio > kWorthIt ? trial_.more : trial_.fewer;
    if (now_ != trial_.before) wait_ = 0;
    else settled_ = now_;
    up_ = now_ == trial_.more;  // on in the direction that helped, or the other one next
    trial_ = {};
    wait(at);
  }
  void wait(double at) {
    wait_ = std::clamp(2 * wait_, kFirstWait, kLongestWait);
    next_ = at + wait_;
  }

  int most_, now_, settled_;
  Trial trial_;
  bool up_ = false;
  double wait_ = 0, next_ = kFirstWait;
};

}  // namespace areia
