// Steps of random contacts under all laws of a pair, whoever holds them: numbers in, numbers out. A contact begins,
// lasts a few steps with bodies that move and turn at random, some of them states that are given (dt = 0), and could
// open after each of them.
#pragma once
#include <vector>

#include "law_rows.h"
#include "motion/schemes.h"
#include "physics/plain_laws.h"

namespace areia::test {

struct ContactStep {
  bool first = false;         // the contact begins
  double overlap_before = 0;  // if so
  Touch<double> touch;
  Body<double> i, j;
  double dt = 0;
  Kick kick;
  double overlap_after = 0;  // if it opens now
};

struct StepRow {
  static constexpr int kNumbers = 34;
  double of[kNumbers] = {};
  int size = 0;

  AREIA_PORTABLE void put(double a) { of[size++] = a; }
  AREIA_PORTABLE void put(const Vec3d& a) {
    put(a.x);
    put(a.y);
    put(a.z);
  }
  AREIA_PORTABLE void put(const Booking<double>& b) {
    put(b.elastic);
    put(b.damping);
    put(b.tangential);
    put(b.tangential_damper);
    put(b.rolling);
    put(b.adhesion);
  }
};

// Laws with the functions of Interaction: itself, or these.
template <class Set, bool kLedger>
struct HeldPlain {
  using Run = RunLaws<Set, kLedger>;
  PlainLaws p;
  AREIA_PORTABLE void begin(const Geometry<double>& g, double overlap, double* history) const {
    Run::begin(p, g, overlap, history);
  }
  AREIA_PORTABLE Outcome<double> evaluate(const Touch<double>& touch, const Body<double>& i, const Body<double>& j,
                                          double dt, const Kick& kick, double* history) const {
    return Run::evaluate(p, touch, i, j, dt, kick, history);
  }
  AREIA_PORTABLE Booking<double> open(const Geometry<double>& g, double overlap, const double* history) const {
    return Run::open(p, g, overlap, history);
  }
  AREIA_PORTABLE double form_range(double r_star) const { return Run::form_range(p, r_star); }
  AREIA_PORTABLE double hold_range(double r_star) const { return Run::hold_range(p, r_star); }
};
template <class Set, bool kLedger>
AREIA_PORTABLE bool acts_across(const HeldPlain<Set, kLedger>& l, double distance2, double ri, double rj, bool exists) {
  return RunLaws<Set, kLedger>::acts_across(l.p, distance2, ri, rj, exists);
}
template <class Set, bool kLedger>
AREIA_PORTABLE bool acts_on_wall(const HeldPlain<Set, kLedger>& l, double overlap, double radius, bool exists) {
  return RunLaws<Set, kLedger>::acts_on_wall(l.p, overlap, radius, exists);
}

// One step. Bookings of the evaluation come last, so that laws without a ledger compare in all that is before them.
inline constexpr int kBookingsOfStep = 6;
#ifdef __CUDACC__
#pragma nv_exec_check_disable  // with Interaction on the host alone
#endif
template <class Laws>
AREIA_PORTABLE void take_step(const Laws& laws, const ContactStep& s, double* history, StepRow& row) {
  const Geometry<double> g = bodies(s.i.radius, s.j.radius);
  if (s.first) laws.begin(g, s.overlap_before, history);
  row.put(history[0]);
  row.put(history[1]);
  const Outcome<double> out = laws.evaluate(s.touch, s.i, s.j, s.dt, s.kick, history);
  row.put(out.force);
  row.put(out.torque_i);
  row.put(out.torque_j);
  row.put(out.normal);
  row.put(out.pressing);
  row.put(out.tangential);
  row.put(laws.open(g, s.overlap_after, history));
  row.put(laws.form_range(g.r_star));
  row.put(laws.hold_range(g.r_star));
  for (const bool exists : {false, true}) {
    const double distance = s.i.radius + s.j.radius - s.overlap_after;
    row.put(acts_on_wall(laws, s.overlap_after, s.i.radius, exists));
    row.put(s.j.radius > 0 && acts_across(laws, distance * distance, s.i.radius, s.j.radius, exists));
  }
  row.put(out.booking);
}

inline constexpr int kStepsOfContact = 6;

// All steps of one contact.
inline std::vector<ContactStep> some_steps(Random& random) {
  const auto one_in = [&](int n) { return random.uniform() * n < 1; };
  const auto vector = [&](double size) { return random.uniform(Vec3d{-size, -size, -size}, Vec3d{size, size, size}); };
  const auto whole = [&](double most) { return std::floor(random.uniform(1, most)); };
  LawInput<double> in = some_input(random);
  const bool wall = in.j.radius == 0, shortened = one_in(3);
  Vec3d n = in.c.n;
  double overlap = in.c.overlap;
  std::vector<ContactStep> steps(kStepsOfContact);
  for (ContactStep& s : steps) {
    s.first = &s == steps.data();
    s.overlap_before = one_in(4) ? overlap : overlap - random.uniform(0, 1e-4);
    s.touch =
        wall ? touch_of_wall(n, overlap, in.i.radius, in.i.inv_m)
             : touch_of((in.i.radius + in.j.radius - overlap) * n, in.i.radius, in.j.radius, in.i.inv_m, in.j.inv_m);
    if (shortened) shorten_levers(s.touch, wall ? 1 : 0.3, wall ? 0 : 0.7);
    s.i = in.i;
    s.j = in.j;
    s.i.contacts = whole(12);
    s.j.contacts = wall ? 0 : whole(12);
    s.dt = one_in(5) ? 0 : 1e-5;
    constexpr Scheme schemes[] = {Scheme::drift_kick, Scheme::velocity_verlet, Scheme::trapezoid};
    s.kick = kick_of(schemes[static_cast<int>(3 * random.uniform())], s.dt);
    s.overlap_after = overlap - random.uniform(0, 2e-4);
    n = unit(n + vector(0.01));
    overlap += random.uniform(-2e-4, 2e-4);
    const double slow = one_in(2) ? 1e-3 : 1;
    in.i.v = slow * vector(1);
    in.i.w = slow * vector(20);
    in.j.v = slow * vector(1);
    in.j.w = slow * vector(20);
  }
  return steps;
}

}  // namespace areia::test
