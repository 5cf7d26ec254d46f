// Writes frames while the simulation goes on. One at a time: the next one waits for the last. What goes wrong is thrown
// by the next call.
#pragma once
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "core/give_back.h"
#include "io/frames/vtk_frames.h"

namespace areia {

class FramesBehind {
 public:
  explicit FramesBehind(FrameWriter& writer) : writer_(writer) {}
  ~FramesBehind() {
    if (pending_.valid()) pending_.wait();
  }
  FramesBehind(const FramesBehind&) = delete;
  FramesBehind& operator=(const FramesBehind&) = delete;

  void write(std::shared_ptr<const Frame> frame, bool last = false) {
    finish();
    const auto now = Clock::now();
    const bool soon_again = std::chrono::duration<double>(now - std::exchange(last_, now)).count() < kSoon;
    pending_ = std::async(std::launch::async, [this, soon_again, last, frame = std::move(frame)]() mutable {
      writer_.write(*frame, last);
      frame.reset();  // the future keeps what is left in here
      if (!soon_again) give_back_free_memory();
    });
  }
  void finish() {
    if (pending_.valid()) pending_.get();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kSoon = 5;  // s between frames for which it does not pay to give memory back
  FrameWriter& writer_;
  std::future<void> pending_;
  Clock::time_point last_{};
};

}  // namespace areia
