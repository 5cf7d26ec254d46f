// Progress on the terminal, for commands that take their time.
#pragma once
#include <chrono>
#include <string>

#include "engine/prepare.h"
#include "run/run.h"

namespace areia::app {

std::string clock_time(double seconds);  // 03:25, 1:02:03
std::string rate(double per_second);     // 1.25 M/s

// The bar and its numbers in less than so many columns.
std::string bar_line(const Progress& p, double done, int width);

// A bar that redraws itself on a terminal, a plain line now and then elsewhere. To stderr.
class Display {
 public:
  explicit Display(bool quiet);
  ~Display() { end_bar(); }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  void line(const std::string& text);
  void progress(const Progress& p);
  void packing(const PackingProgress& p);
  void end_bar();

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_, terminal_, bar_ = false;
  double last_ = 0;
  Clock::time_point packing_shown_ = Clock::now();
};

}  // namespace areia::app
