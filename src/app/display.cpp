#include "app/display.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "app/print.h"

namespace areia::app {

std::string clock_time(double seconds) {
  if (!(seconds < 360000)) return "--:--";
  const auto s = static_cast<long>(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{:02}:{:02}", s / 60, s % 60);
}

std::string rate(double a) {
  return a >= 1e6   ? fmt::format("{:.2f} M/s", a / 1e6)
         : a >= 1e3 ? fmt::format("{:.1f} k/s", a / 1e3)
                    : fmt::format("{:.1f} /s", a);
}

Display::Display(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void Display::line(const std::string& text) {
  if (quiet_) return;
  end_bar();
  tell("{}\n", text);
}

void Display::progress(const Progress& p) {
  if (quiet_) return;
  const double done = p.planned_time > 0 ? std::min(1.0, p.time / p.planned_time) : 0;
  if (terminal_) {
    const int width = 24, full = static_cast<int>(done * width);
    write_error(fmt::format(
        "\r[{:=<{}}{: <{}}] {:3.0f} %  t {:.4g} s  {}  left {}  {} steps  {} particle-steps  Ek {:.3g} J \033[K", "",
        full, "", width - full, 100 * done, p.time, plain_text(p.stage, false), clock_time(p.seconds_left),
        rate(p.steps_per_s), rate(p.particle_steps_per_s), p.kinetic));
    bar_ = true;
  } else if (p.wall - last_ >= 10 || done >= 1) {
    last_ = p.wall;
    tell("{:3.0f} %  t {:.6g} s  stage {}  step {}  left {}  {} steps  {} particle-steps  Ek {:.4g} J\n", 100 * done,
         p.time, p.stage, p.step, clock_time(p.seconds_left), rate(p.steps_per_s), rate(p.particle_steps_per_s),
         p.kinetic);
  }
}

void Display::packing(const PackingProgress& p) {
  const auto now = Clock::now();
  if (quiet_ || now - packing_shown_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10))) return;
  packing_shown_ = now;
  write_error(fmt::format("{}packing of particles.{}: {:3.0f} %, {} particles{}", terminal_ ? "\r" : "",
                          plain_text(p.set, false), 100 * p.done, p.particles, terminal_ ? "\033[K" : "\n"));
  bar_ = terminal_;
}

void Display::end_bar() {
  if (bar_) tell("\n");
  bar_ = false;
}

}  // namespace areia::app
