#include "impact/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "impact/models.h"
#include "impact/motion.h"

namespace areia::impact {

const char* name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::impact:
      return "impact";
    case Event::Kind::chatter:
      return "chatter";
    case Event::Kind::rest:
      return "rest";
    case Event::Kind::detach:
      return "detach";
    case Event::Kind::stick:
      return "stick";
    case Event::Kind::slip:
      break;
  }
  return "slip";
}

namespace {

constexpr double kClosed = 1e-10;    // gap of simultaneous contacts, of the length
constexpr double kTouching = 1e-13;  // gap that counts as none

struct Enough {};  // Options::enough said so

// Coulomb's coefficient of a resting contact; Brach's is a ratio of impulses, not friction.
double resting_friction(const Model& m) { return m.law == Law::newton || m.law == Law::brach ? 0.0 : m.mu; }

class Simulation {
 public:
  Simulation(const System& system, const State& start, const Options& options)
      : system_(system),
        o_(options),
        contacts_(system.contacts().size()),
        length_(system.length()),
        scale_(time_scale(system, start)),
        mu_(resting_friction(options.model)),
        s_(start),
        t0_(start.t) {
    double fastest = 0;
    for (std::size_t k = 0; k < contacts_; ++k) {
      const Rows r = system.rows(k, s_.q);
      fastest = std::max({fastest, std::fabs(r.DN(s_.v)), std::fabs(r.DT(s_.v))});
    }
    const double g = system.gravity();
    speed_ = std::max(fastest, std::sqrt(g * length_));
    rest_speed_ = g > 0 ? 1e-7 * std::sqrt(g * length_) : 1e-9 * fastest;
    sample_step_ = o_.sample_step > 0 ? o_.sample_step : (o_.t_end - t0_) / 400;
    hits_.resize(contacts_);
  }

  Trajectory run() {
    sample(s_);
    try {
      begin();
      while (going() && s_.t < o_.t_end) {
        go_on();
        if (resting_.empty()) fly();
        else rest();
      }
    } catch (const Enough&) {
      out_.out_of_time = true;
      out_.reason = fmt::format("at t = {:.12g}: the time for the computation is over; shorten the run", s_.t);
    }
    return std::move(out_);
  }

 private:
  bool going() const { return out_.complete(); }
  void go_on() const {
    if (o_.enough && o_.enough()) throw Enough{};
  }
  double gap(std::size_t k) const { return system_.gap(k, s_.t, s_.q); }
  double DN(std::size_t k) const { return system_.rows(k, s_.q).DN(s_.v); }
  bool is_resting(std::size_t k) const {
    return std::any_of(resting_.begin(), resting_.end(), [&](const RestingContact& c) { return c.contact == k; });
  }
  std::vector<std::size_t> closed(double tolerance) const {
    std::vector<std::size_t> all;
    for (std::size_t k = 0; k < contacts_; ++k)
      if (gap(k) <= tolerance * length_) all.push_back(k);
    return all;
  }

  // All that are closed at an event that `hit` brought about.
  std::vector<std::size_t> closed_with(std::size_t hit) const {
    auto all = closed(kClosed);
    if (std::find(all.begin(), all.end(), hit) == all.end())
      all.insert(std::upper_bound(all.begin(), all.end(), hit), hit);
    return all;
  }

  // Contacts that are closed at the start: those that approach collide, those without relative speed may rest.
  void begin() {
    const auto touching = closed(kClosed);
    if (touching.empty()) return;
    if (std::any_of(touching.begin(), touching.end(), [&](std::size_t k) { return DN(k) < -1e-11 * speed_; }))
      collide(touching);
    else look_for_rest(touching, {}, Event::Kind::rest);
  }

  void sample(const State& s, int after_event = -1) { out_.samples.push_back({s, system_.energy(s), after_event}); }

  // Samples at the user's instants strictly within (from, to).
  template <class At>
  void sample_between(double from, double to, const At& at) {
    const double tiny = 1e-9 * sample_step_;
    for (double k = std::floor((from - t0_) / sample_step_ + 1e-6) + 1;; ++k) {
      const double t = t0_ + k * sample_step_;
      if (!(t < to - tiny)) break;
      go_on();
      if (t > from + tiny) sample(at(t - from));
    }
  }

  // The gap with which a contact begins a flight: none if it just acted.
  double start_gap(std::size_t k) const {
    const double f = gap(k);
    return f <= kTouching * length_ ? 0.0 : f;
  }

  void fly() {
    const double u_end = o_.t_end - s_.t;
    if (const auto a = system_.constant_acceleration()) {
      const ClosedFlight flight{s_, *a};
      double first = u_end;
      std::optional<std::size_t> hit;
      for (std::size_t k = 0; k < contacts_; ++k)
        if (const auto u = first_contact(system_, flight, k, start_gap(k), first, scale_)) {
          first = *u;
          hit = k;
        }
      const double t = s_.t;
      sample_between(t, t + first, [&](double u) { return flight.at(u); });
      arrive(flight.at(first), hit);
      return;
    }
    IntegratedMotion motion(
        s_,
        [this](double t, const Vector& q, const Vector& v) {
          go_on();
          return MassMatrix(system_.mass(q)).solve(system_.force(t, q, v));
        },
        scale_);
    std::vector<Watch> watches;
    for (std::size_t k = 0; k < contacts_; ++k) watches.push_back(watch_gap(k));
    const auto found = motion.advance(u_end, watches);
    const double u = found ? found->u : u_end, t = s_.t;
    sample_between(t, t + u, [&](double x) { return motion.at(x); });
    arrive(motion.at(u), found ? std::optional(found->watch) : std::nullopt);
  }

  // The flight is over: at its end time, or where contacts closed.
  void arrive(State s, std::optional<std::size_t> hit) {
    s_ = std::move(s);
    if (!hit) {
      s_.t = o_.t_end;
      sample(s_);
      return;
    }
    collide(closed_with(*hit));
  }

  Watch watch_gap(std::size_t k) const {
    const State from = s_;
    double f0 = start_gap(k);
    // A contact that merely touches, without pressure, may stay so.
    if (f0 == 0 && DN(k) <= 1e-12 * speed_) f0 = kTouching * length_;
    Watch w;
    w.value = [this, k, from, f0](const Instant& i) { return f0 + system_.gap_change(k, from.t, from.q, i.u, i.dq); };
    w.slope = [this, k, from](const Instant& i) {
      Vector q = from.q;
      add(q, 1, i.dq);
      return system_.rows(k, q).DN(i.v);
    };
    return w;
  }

  // Motion with closed contacts. Events: pressure lost, slip over, friction exhausted, another contact closes.
  void rest() {
    const double u_end = o_.t_end - s_.t;
    const std::vector<RestingContact> resting = resting_;
    const auto solve_at = [this, resting](double t, const Vector& q, const Vector& v) {
      go_on();
      auto r = reactions(system_, t, q, v, resting, mu_);
      if (!r) throw StoppedError(fmt::format("the reactions at t = {:.9g} are not determined", t));
      return *r;
    };
    IntegratedMotion motion(
        s_, [&](double t, const Vector& q, const Vector& v) { return solve_at(t, q, v).acceleration; }, scale_);
    const State from = s_;
    const auto at_instant = [&](const Instant& i) {
      Vector q = from.q;
      add(q, 1, i.dq);
      return solve_at(from.t + i.u, q, i.v);
    };
    const Reactions now = solve_at(s_.t, s_.q, s_.v);
    double R_scale = 1e-300;
    for (const double R : now.N) R_scale = std::max(R_scale, std::fabs(R));

    std::vector<Watch> watches;
    enum class Meaning { gap, pressure, friction, slip };
    std::vector<std::pair<Meaning, std::size_t>> meaning;  // index in `resting`, or the contact of a gap
    for (std::size_t k = 0; k < contacts_; ++k) {
      if (is_resting(k)) continue;
      watches.push_back(watch_gap(k));
      meaning.emplace_back(Meaning::gap, k);
    }
    for (std::size_t i = 0; i < resting.size(); ++i) {
      watches.push_back({[&, i](const Instant& x) { return at_instant(x).N[i] + 1e-11 * R_scale; }, {}});
      meaning.emplace_back(Meaning::pressure, i);
      const Touch touch = resting[i].touch;
      if (touch == Touch::stick) {
        watches.push_back({[&, i](const Instant& x) {
                             const Reactions r = at_instant(x);
                             return mu_ * r.N[i] - std::fabs(r.T[i]) + 1e-11 * R_scale;
                           },
                           {}});
        meaning.emplace_back(Meaning::friction, i);
      } else if (touch != Touch::smooth) {
        const double sign = touch == Touch::slip_plus ? 1 : -1;
        const std::size_t contact = resting[i].contact;
        watches.push_back({[&, sign, contact](const Instant& x) {
                             Vector q = from.q;
                             add(q, 1, x.dq);
                             return sign * system_.rows(contact, q).DT(x.v);
                           },
                           {}});
        meaning.emplace_back(Meaning::slip, i);
      }
    }
    const auto found = motion.advance(u_end, watches);
    const double u = found ? found->u : u_end;
    sample_between(from.t, from.t + u, [&](double x) {
      State s = motion.at(x);
      note_friction(solve_at(s.t, s.q, s.v));
      return s;
    });
    s_ = motion.at(u);
    settle(system_, s_, resting);
    note_friction(solve_at(s_.t, s_.q, s_.v));
    if (!found) {
      s_.t = o_.t_end;
      sample(s_);
      return;
    }
    const auto [what, index] = meaning[found->watch];
    if (what == Meaning::gap) return collide(closed_with(index));
    std::vector<std::size_t> touching;
    for (std::size_t i = 0; i < resting.size(); ++i)
      if (what != Meaning::pressure || i != index) touching.push_back(resting[i].contact);
    if (what == Meaning::pressure) return look_for_rest(touching, {}, Event::Kind::detach);
    if (what == Meaning::slip) {
      std::vector<RestingContact> stuck = resting;
      stuck[index].touch = Touch::stick;
      settle(system_, s_, stuck);
      return look_for_rest(touching, {}, Event::Kind::stick);
    }
    // Friction opposes the slip that begins: R_T = -s mu R_N.
    const double RT = solve_at(s_.t, s_.q, s_.v).T[index];
    look_for_rest(touching, {{resting[index].contact, RT > 0 ? Touch::slip_minus : Touch::slip_plus}},
                  Event::Kind::slip);
  }

  void note_friction(const Reactions& r) {
    for (std::size_t i = 0; i < r.N.size(); ++i)
      if (r.N[i] > 0) out_.largest_friction_ratio = std::max(out_.largest_friction_ratio, std::fabs(r.T[i]) / r.N[i]);
  }

  // Which of the touching contacts stay closed; an event if `kind` says what brought the question up.
  void look_for_rest(const std::vector<std::size_t>& touching, const std::vector<RestingContact>& forced,
                     std::optional<Event::Kind> kind) {
    State before = s_;
    const RestChoice choice = choose_rest(system_, s_, touching, forced, mu_, speed_);
    if (choice.status != Status::ok) return stop(choice.status, choice.reason);
    resting_ = choice.resting;
    settle(system_, s_, resting_);
    if (!kind) return;
    if (*kind == Event::Kind::rest && resting_.empty()) return;
    Event e;
    e.kind = *kind;
    record(std::move(e), std::move(before));
  }

  void record(Event e, State before) {
    e.t = e.kind == Event::Kind::chatter ? e.t : s_.t;
    e.energy_before = system_.energy(before);
    e.energy_after = system_.energy(s_);
    e.resting = resting_;
    const bool jump = e.kind == Event::Kind::impact || e.kind == Event::Kind::chatter;
    if (jump) sample(before);
    e.before = std::move(before);
    e.after = s_;
    out_.events.push_back(std::move(e));
    if (jump) sample(s_, static_cast<int>(out_.events.size()) - 1);
  }

  void stop(Status status, const std::string& reason) {
    out_.status = status;
    out_.reason = fmt::format("at t = {:.12g}: {}", s_.t, reason);
    sample(s_);
  }

  // Impulses at all closed contacts together, by the model with its e or by a plastic impact.
  struct Solved {
    Status status = Status::ok;
    std::string reason;
    std::vector<Hit> hits;
    Vector v;
    bool substituted = false, moment_suppressed = false;
  };
  Solved solve_impact(const std::vector<std::size_t>& at, Model model) const {
    const MassMatrix M(system_.mass(s_.q));
    Solved out;
    std::vector<Rows> W;
    for (const std::size_t k : at) {
      W.push_back(system_.rows(k, s_.q));
      out.hits.push_back({k, local_mass(M, W.back()), pre_impact(W.back(), s_.v, W.back().w), {}, ""});
    }
    if (at.size() == 1) {
      Hit& h = out.hits[0];
      h.impact = solve(h.mass, h.pre, model);
      if (h.impact.status == Status::moment_infeasible) {
        model.em = model.emC = model.emE = -1;
        h.impact = solve(h.mass, h.pre, model);
        out.moment_suppressed = true;
      }
      out.status = h.impact.status;
      out.reason = h.impact.reason;
      h.mode = h.impact.mode;
      if (out.status == Status::ok) out.v = velocities_after(M, W[0], s_.v, h.impact.I);
      return out;
    }
    std::vector<ContactRows> rows(W.begin(), W.end());
    std::vector<Velocity> w;
    for (const Rows& r : W) w.push_back(r.w);
    const ManyImpact many = solve_many(M, rows, s_.v, w, model);
    out.status = many.status;
    out.reason = many.reason;
    out.substituted = many.substituted;
    if (!many.ok()) return out;
    for (std::size_t i = 0; i < at.size(); ++i) {
      Impact& m = out.hits[i].impact;
      m.stages = true;
      m.I = many.I[i];
      m.IC = many.IC[i];
      m.IE = many.IE[i];
      m.C = many.C[i];
      m.E = many.E[i];
      // The change of the whole event; contacts share it.
      m.dT = many.dT;
      m.dT_inertial = many.dT_inertial;
      m.energy_gain = many.energy_gain;
      out.hits[i].mode = many.modes[i];
    }
    out.v = many.qdotE;
    return out;
  }

  void collide(const std::vector<std::size_t>& at) {
    if (impacts_ == o_.most_impacts) {
      out_.limit_reached = true;
      out_.reason = fmt::format(
          "at t = {:.12g}: {} impacts and no rest in sight (the last two {:.3g} s apart); raise the limit or shorten "
          "the run",
          s_.t, impacts_, history_.size() > 1 ? s_.t - history_.back() : 0.0);
      sample(s_);
      return;
    }
    ++impacts_;
    double approach = 0, fastest = 0;
    for (const std::size_t k : at) {
      const Rows r = system_.rows(k, s_.q);
      approach = std::max(approach, -r.DN(s_.v));
      fastest = std::max({fastest, -r.DN(s_.v), std::fabs(r.DT(s_.v))});
    }
    if (const auto ratio = chatter(at, approach)) return end_chatter(at, *ratio);
    State before = s_;
    Solved solved = solve_impact(at, o_.model);
    if (solved.status == Status::grazing || solved.status == Status::separating) {
      // It touches without approach: nothing to stop, but it may rest from here on.
      resting_.clear();
      return look_for_rest(at, {}, std::nullopt);
    }
    if (solved.status != Status::ok) {
      std::string names;
      for (const std::size_t k : at) names += (names.empty() ? "" : ", ") + system_.contacts()[k];
      return stop(solved.status, fmt::format("contact {}: {} ({})", names, solved.reason, name(solved.status)));
    }
    if (std::any_of(solved.v.begin(), solved.v.end(), [](double x) { return !(std::fabs(x) < 1e100); }))
      return stop(Status::no_solution, "the velocities grow without bound; the model makes energy");
    s_.v = solved.v;
    for (const std::size_t k : at) hits_[k].push_back(s_.t);
    history_.push_back(s_.t);
    for (const std::size_t k : at) clear_gap(k);
    Event e;
    e.hits = std::move(solved.hits);
    e.substituted = solved.substituted;
    e.moment_suppressed = solved.moment_suppressed;
    resting_.clear();
    // Contacts that the impact left without relative speed may rest.
    std::vector<std::size_t> touching;
    for (const std::size_t k : at)
      if (std::fabs(DN(k)) <= 1e-11 * std::max(fastest, 1e-3 * rest_speed_)) touching.push_back(k);
    record(std::move(e), std::move(before));
    if (!touching.empty()) look_for_rest(touching, {}, std::nullopt);
    if (!out_.events.empty()) out_.events.back().resting = resting_;
  }

  // Puts the point back on the surface where roundings of many impacts added up.
  void clear_gap(std::size_t k) {
    const double f = gap(k);
    if (std::fabs(f) <= 1e-15 * length_ || std::fabs(f) > kTouching * length_) return;
    const Rows W = system_.rows(k, s_.q);
    const Vector response = MassMatrix(system_.mass(s_.q)).solve(W.N);
    add(s_.q, -f / dot(W.N, response), response);
  }

  // Ends a sequence of impacts? Returns the last ratio of intervals at the same contact (0: not shrinking).
  std::optional<double> chatter(const std::vector<std::size_t>& at, double approach) const {
    const std::vector<double>& own = hits_[at.front()];
    if (own.size() < 2) return std::nullopt;
    const double now = s_.t - own.back(), last = own.back() - own[own.size() - 2];
    const double ratio = last > 0 && now < last ? now / last : 0;
    if (approach < rest_speed_ && (ratio > 0 || now < 1e-3 * scale_)) return ratio;
    // Three successive intervals of the merged sequence.
    const std::size_t n = history_.size();
    if (n < 3) return std::nullopt;
    const double d0 = s_.t - history_[n - 1], d1 = history_[n - 1] - history_[n - 2],
                 d2 = history_[n - 2] - history_[n - 3];
    if (d0 < d1 && d1 < d2 && d0 < 1e-9 * scale_) return ratio;
    return std::nullopt;
  }

  // t* = t_n + dt_n r/(1 - r): the sum of the intervals that were left out.
  void end_chatter(const std::vector<std::size_t>& at, double ratio) {
    const double interval = s_.t - hits_[at.front()].back();
    Event e;
    e.kind = Event::Kind::chatter;
    e.ratio = ratio;
    e.t = s_.t + (ratio > 0 && ratio < 1 ? interval * ratio / (1 - ratio) : 0.0);
    Model plastic = o_.model;
    plastic.e = 0;
    plastic.KN = kNotGiven;
    // A clattering bar: all contacts that took part lie within the last bounce.
    std::vector<std::size_t> together = at;
    for (std::size_t k = 0; k < contacts_; ++k)
      if (std::find(at.begin(), at.end(), k) == at.end() && !hits_[k].empty() && gap(k) <= 1e-9 * length_)
        together.push_back(k);
    std::sort(together.begin(), together.end());
    State before = s_;
    Solved solved = solve_impact(together, plastic);
    // A law with a plastic impact that it cannot solve: stop the approach without friction.
    if (solved.status != Status::ok) {
      plastic = Model{};
      plastic.law = Law::newton;
      plastic.e = 0;
      solved = solve_impact(together, plastic);
    }
    if (solved.status == Status::ok) {
      s_.v = solved.v;
      e.hits = std::move(solved.hits);
      e.substituted = solved.substituted;
    }
    for (auto& h : hits_) h.clear();
    history_.clear();
    resting_.clear();
    record(std::move(e), std::move(before));
    look_for_rest(together, {}, std::nullopt);
    out_.events.back().resting = resting_;
    out_.events.back().after = s_;
  }

  const System& system_;
  const Options& o_;
  std::size_t contacts_;
  double length_, scale_, mu_;
  double speed_ = 0, rest_speed_ = 0, sample_step_ = 0;
  State s_;
  double t0_;
  std::vector<RestingContact> resting_;
  std::vector<std::vector<double>> hits_;  // times of the impacts at each contact
  std::vector<double> history_;            // times of all of them
  std::size_t impacts_ = 0;
  Trajectory out_;
};

void check(const System& system, const State& start, const Options& o) {
  std::vector<Problem> problems;
  const auto wrong = [&](std::string key, std::string value, std::string rule) {
    problems.push_back({"", 0, std::move(key), std::move(value), std::move(rule)});
  };
  const std::size_t n = system.coordinates().size();
  const auto numbers = [&](const Vector& x, const char* key) {
    if (x.size() != n) return wrong(key, "", fmt::format("must have {} numbers", n));
    for (std::size_t i = 0; i < n; ++i)
      if (!std::isfinite(x[i])) wrong(fmt::format("{}[{}]", key, i), fmt::format("{}", x[i]), "must be finite");
  };
  numbers(start.q, "start.q");
  numbers(start.v, "start.v");
  if (!(o.t_end > start.t)) wrong("run.t_end", fmt::format("{}", o.t_end), "must lie after the start time");
  if (!(o.sample_step >= 0)) wrong("run.sample_step", fmt::format("{}", o.sample_step), "must not be negative");
  if (problems.empty())
    for (std::size_t k = 0; k < system.contacts().size(); ++k) {
      const double gap = system.gap(k, start.t, start.q);
      if (gap < -kClosed * system.length())
        wrong("start", fmt::format("gap of contact {} = {:.6g}", system.contacts()[k], gap),
              "the bodies must not overlap at the start");
    }
  if (!problems.empty()) throw InputError(std::move(problems));
}

}  // namespace

Trajectory simulate(const System& system, const State& start, const Options& options) {
  check(system, start, options);
  return Simulation(system, start, options).run();
}

}  // namespace areia::impact
