// How fast a run goes.
#pragma once
#include <utility>

namespace areia {

// Simulated time per wall time over the last ten seconds or so, for the time that is left.
class PresentRate {
 public:
  double of(double wall, double time) {
    if (wall - later_.wall > kWindow) earlier_ = std::exchange(later_, {wall, time});
    return wall > earlier_.wall ? (time - earlier_.time) / (wall - earlier_.wall) : 0;
  }
  void start(double wall, double time) { earlier_ = later_ = {wall, time}; }

 private:
  static constexpr double kWindow = 10;
  struct Instant {
    double wall = 0, time = 0;
  } earlier_, later_;
};

}  // namespace areia
