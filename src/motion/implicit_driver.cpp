#include "motion/implicit_driver.h"

#include <fmt/format.h>

#include <algorithm>

#include "areia/error.h"

namespace areia {

namespace {
constexpr double kSame = 1 - 1e-9;  // steps that differ by less than round-off makes are the same
}

ImplicitDriver::ImplicitDriver(const Implicit& settings, double dt)
    : settings_(settings), dt_max_(dt), dt_min_(settings.dt_min > 0 ? settings.dt_min : 1e-3 * dt) {
  counts_.on = true;
  counts_.dt = dt;
}

ImplicitDriver::Attempt ImplicitDriver::attempt(ImplicitSystem& system, double t_end, double h) const {
  Attempt a;
  const Sweep start = system.predict(t_end, h);
  a.wild = start.wild;
  a.lists = !start.wild && start.lists;
  const int most =
      settings_.adapt == Implicit::Adapt::zohdi ? settings_.desired_sweeps : std::max(1, settings_.max_sweeps);
  double least = 0;
  while (!a.accepted && !a.wild && !a.lists && a.sweeps < most) {
    const Sweep s = system.sweep(h);
    ++a.sweeps;
    a.last = errors_of(s);
    if (a.sweeps == 1) a.first = a.last;
    if (s.wild || diverged(a.last, settings_)) {
      a.wild = true;
      break;
    }
    a.lists = s.lists;
    const double worst = worst_ratio(a.last, settings_);
    if (a.best == 0 || worst < least) {
      a.best = a.sweeps;
      least = worst;
    }
    a.accepted = worst <= 1 && !s.lists;
  }
  return a;
}

double ImplicitDriver::factor(const Attempt& a) const {
  if (settings_.adapt == Implicit::Adapt::campello)
    return campello_factor(settings_.desired_sweeps, a.sweeps, a.accepted);
  if (a.wild) return kLeastShrink;
  return zohdi_factor(a.first, a.last, a.sweeps, settings_, a.accepted);
}

// Neither convergence nor a smaller step: the best iterate is taken after all, or the run ends.
void ImplicitDriver::stall(ImplicitSystem& system, const Attempt& a, double t_end, double h) {
  system.restore();
  if (settings_.on_stall == Implicit::OnStall::stop || a.best == 0)
    throw StoppedError(fmt::format(
        "implicit step of {:.4g} s to t = {:.9g} s {} after {} sweeps (errors: x {:.3g}, turn {:.3g}, v {:.3g}, w "
        "{:.3g}); try a smaller dt or dt_min, more sweeps, or a smaller phi",
        h, t_end, a.wild ? "diverged" : "did not converge", a.sweeps, a.last.x.value, a.last.a.value, a.last.v.value,
        a.last.w.value));
  system.predict(t_end, h);
  for (int k = 0; k < a.best; ++k) system.sweep(h);
  ++counts_.stalled;
}

void ImplicitDriver::advance(ImplicitSystem& system, double dt, double start, double end, bool record) {
  const bool adaptive = settings_.adapt != Implicit::Adapt::none;
  double offset = 0;
  for (bool there = false; !there;) {
    const double left = dt - offset;
    double h = adaptive ? counts_.dt : dt;
    const bool last = h >= kSame * left;
    if (last) h = left;
    const bool shortened = h < kSame * counts_.dt;
    const double t_end = last ? end : start + offset + h;
    system.keep(start + offset);
    const Attempt a = attempt(system, t_end, h);
    if (a.lists) {
      system.restore();
      system.renew_lists();
      continue;
    }
    counts_.all_sweeps += a.sweeps;
    if (!a.accepted) {
      if (adaptive && h > dt_min_ / kSame) {
        system.restore();
        counts_.dt = next_step(h, factor(a), dt_min_, dt_max_);
        ++counts_.rejected;
        continue;
      }
      stall(system, a, t_end, h);
    } else if (adaptive) {
      const double next = next_step(h, factor(a), dt_min_, dt_max_);
      // a step cut short by the end of the interval says nothing against the size it was cut from
      counts_.dt = shortened ? std::max(counts_.dt, next) : next;
    }
    ++counts_.sub_steps;
    counts_.sweeps += a.accepted ? a.sweeps : a.best;
    counts_.most_sweeps = std::max<std::int64_t>(counts_.most_sweeps, a.sweeps);
    counts_.error_x = a.last.x.value;
    counts_.error_turn = a.last.a.value;
    counts_.error_v = a.last.v.value;
    counts_.error_w = a.last.w.value;
    system.commit(t_end, h, record && last);
    offset += h;
    there = last;
  }
}

std::vector<double> ImplicitDriver::saved() const {
  const ImplicitStatistics& c = counts_;
  auto real = [](std::int64_t k) { return static_cast<double>(k); };
  return {c.dt,
          real(c.sub_steps),
          real(c.sweeps),
          real(c.all_sweeps),
          real(c.most_sweeps),
          real(c.rejected),
          real(c.stalled),
          c.error_x,
          c.error_turn,
          c.error_v,
          c.error_w};
}

bool ImplicitDriver::load(const std::vector<double>& kept) {
  if (kept.size() != saved().size() || !(kept[0] > 0) || kept[0] > dt_max_) return false;
  ImplicitStatistics& c = counts_;
  c.dt = kept[0];
  std::int64_t* const counts[] = {&c.sub_steps, &c.sweeps, &c.all_sweeps, &c.most_sweeps, &c.rejected, &c.stalled};
  for (int k = 0; k < 6; ++k) *counts[k] = static_cast<std::int64_t>(kept[k + 1]);
  c.error_x = kept[7];
  c.error_turn = kept[8];
  c.error_v = kept[9];
  c.error_w = kept[10];
  return true;
}

}  // namespace areia
