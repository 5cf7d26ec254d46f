// How many of its threads a team should use, from what they were seen to do.
//
// More threads are not always faster: other programs may keep the cores busy, two threads may share one core, or memory
// may be all that a job waits for. What tells is how fast work gets done. So now and then half of the threads rest for
// a short time, or twice as many come, and whatever was faster stays; each trial that brings nothing doubles the time
// to the next. Where n threads used less processor time than n/2 of them could have, the others waited, and half are
// sent to rest without a trial. So two threads are never slower than one for long. The result of a run does not depend
// on it.
#pragma once
#include <algorithm>

namespace areia {

class ThreadChoice {
 public:
  static constexpr double kWindow = 0.02;                       // s, about; what is seen in less says little
  static constexpr double kFirstWait = 0.2, kLongestWait = 25;  // s, to the next trial
  static constexpr double kWorthIt = 1.02;                      // by so much more threads must be faster

  // `fixed`: the number was asked for, and there are no trials.
  explicit ThreadChoice(int most, bool fixed = false) : most_(std::max(1, most)), now_(most_), fixed_(fixed) {}
  int most() const { return most_; }
  int now() const { return now_; }
  bool tries() const { return from_ > 0; }

  // A time of `elapsed` in which the threads did so much work, in any unit that stays the same, on so much processor
  // time of all of them together. `at`: when it ended. All but the work in s.
  void judge(double work, double processor, double elapsed, double at) {
    const double rate = work / elapsed;
    if (tries()) return end_trial(rate, at);
    if (2 * processor < now_ * elapsed) {
      now_ = std::max(1, now_ / 2);
      up_ = true;
      return wait(at);
    }
    if (most_ == 1 || at < next_) return;
    if (fixed_) {  // whoever rests comes back
      now_ = std::min(most_, 2 * now_);
      if (now_ == most_) wait_ = 0;
      return;
    }
    from_ = now_;
    rate_ = rate;
    now_ = now_ == 1 || (up_ && now_ < most_) ? std::min(most_, 2 * now_) : now_ / 2;
  }
  // The work is not comparable any more: a trial ends without a result.
  void give_up(double at) {
    if (!tries()) return;
    now_ = from_;
    from_ = 0;
    wait(at);
  }

 private:
  void end_trial(double rate, double at) {
    const bool more = now_ > from_, better = more ? rate > kWorthIt * rate_ : kWorthIt * rate > rate_;
    if (better) wait_ = 0;
    else now_ = from_;
    up_ = better == more;  // on in the direction that helped, or the other one next
    from_ = 0;
    wait(at);
  }
  void wait(double at) {
    wait_ = std::clamp(2 * wait_, kFirstWait, kLongestWait);
    next_ = at + wait_;
  }

  int most_, now_;
  bool fixed_;
  int from_ = 0;  // of a trial; 0: there is none
  bool up_ = false;
  double rate_ = 0;  // before the trial
  double wait_ = 0, next_ = kFirstWait;
};

}  // namespace areia
