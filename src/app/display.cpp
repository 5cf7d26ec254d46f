#include "app/display.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
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

namespace {

constexpr int kUsualWidth = 80;

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

// Columns on a terminal: bytes that begin a character.
int columns(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string bar_line(const Progress& p, double done, int width) {
  constexpr int kLeastBar = 10, kWidestBar = 24;
  std::string line = fmt::format("{:3.0f} %", 100 * done);
  // what is wanted most comes first; what does not fit is left out
  const int room = width - 1 - kLeastBar - 3;  // the bar in its brackets and a blank
  for (const std::string& part :
       {fmt::format("left {}", clock_time(p.seconds_left)), fmt::format("t {:.4g} s", p.time),
        plain_text(p.stage, false), fmt::format("{} particle-steps", rate(p.particle_steps_per_s)),
        fmt::format("{} steps", rate(p.steps_per_s)), fmt::format("Ek {:.3g} J", p.kinetic)})
    if (columns(line) + 2 + columns(part) <= room) line += "  " + part;
  const int bar = std::clamp(width - 1 - 3 - columns(line), 0, kWidestBar);
  if (bar < kLeastBar) return columns(line) < width ? line : "";
  const int full = static_cast<int>(done * bar);
  return fmt::format("[{:=<{}}{: <{}}] {}", "", full, "", bar - full, line);
}

Display::Display(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

void Display::line(const std::string& text) {
  if (quiet_) return;
  end_bar();
  std::string plain = plain_text(text + "\n");
  write_error(text.starts_with("warning:") ? coloured(Colour::warning, std::move(plain)) : plain);
}

void Display::progress(const Progress& p) {
  if (quiet_) return;
  const double done = p.planned_time > 0 ? std::min(1.0, p.time / p.planned_time) : 0;
  if (terminal_) {
    write_error("\r" + bar_line(p, done, terminal_width()) + "\033[K");
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
