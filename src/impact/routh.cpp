// Routh's method (docs/impact.md; after Wang and Mason): the impulse grows along a path, Coulomb's law holds for its
// increments, and the path ends by Newton's, Poisson's or Stronge's energetic coefficient.
//
//   per unit I_N      dI_T      dD_N        dD_T
//   slip, sign s     -s mu    A + s mu B  -(B + s mu C)
//   stick             B/C      Delta/C       0           possible where mu C >= |B|
//
// D_N and D_T are linear along a segment, so every event is the root of a linear equation. For Delta > 0 there is
// exactly one path, for every mu.
#include "impact/coulomb.h"

namespace areia::impact {

namespace {

struct Segment {
  double dIT, dDN, dDT;
};

class Process {
 public:
  Process(const LocalMass& m, const Pre& a, const Model& c) : m_(m), c_(c), at_{0, 0, a.DNA, a.DTA} {
    stick_possible_ = c.mu * m.C >= std::fabs(m.B);
    if (c.mu == 0) {
      segment_ = slip(0);
    } else if (a.DTA != 0) {
      segment_ = slip(sign(a.DTA));
    } else {
      slip_ends();
    }
    path.add(at_);
  }

  // To D_N = 0. False: jam.
  bool compress() {
    for (;;) {
      const double xC = segment_.dDN > 0 ? -at_.DN / segment_.dDN : kInfinite, xT = to_sticking();
      if (std::isinf(xC) && std::isinf(xT)) return false;
      // Both at once up to rounding: compression ends, and the slip has ended too.
      const bool together = std::isfinite(xC + xT) && std::fabs(xC - xT) <= 1e-12 * std::max(xC, xT);
      if (xC <= xT || together) {
        Wn += move(xC);
        at_.DN = 0;
        if (together) at_.DT = 0;
        path.compression = path.size;
        path.add(at_);
        return true;
      }
      Wn += move(xT);
      at_.DT = 0;
      path.add(at_);
      slip_ends();
      changed = 'C';
    }
  }

  // By the distance in I_N that `rest(state, dD_N)` says is left. False: it never ends.
  template <class Rest>
  bool expand(Rest&& rest) {
    Wn = 0;
    if (rest(at_, segment_.dDN, Wn) <= 0) return true;
    if (at_.DT == 0 && !changed && !sticks_ && c_.mu > 0) slip_ended_at_compression();
    for (;;) {
      const double xE = std::max(0.0, rest(at_, segment_.dDN, Wn)), xT = to_sticking();
      if (std::isinf(xE) && std::isinf(xT)) return false;
      if (xE <= xT) {
        Wn += move(xE);
        if (xE > 0) path.add(at_);
        return true;
      }
      Wn += move(xT);
      at_.DT = 0;
      path.add(at_);
      slip_ends();
      changed = 'E';
    }
  }

  const char* mode() const {
    if (c_.mu == 0) return "frictionless";
    if (sticks_) return changed == 'E' ? "E-sticking" : "C-sticking";
    return changed == 'C' ? "C-reverse-sliding" : changed == 'E' ? "E-reverse-sliding" : "sliding";
  }
  const PathPoint& at() const { return at_; }

  Path path;
  double Wn = 0, Wt = 0;  // of the stage; of the whole path
  char changed = 0;       // in which stage the slip ended

 private:
  Segment slip(double s) const { return {-s * c_.mu, m_.A + s * c_.mu * m_.B, -(m_.B + s * c_.mu * m_.C)}; }
  // D_T = 0: friction can hold it, or the bodies slip on, towards the side to which B drives them.
  void slip_ends() {
    sticks_ = stick_possible_;
    segment_ = sticks_ ? Segment{m_.B / m_.C, m_.rank_one() ? 0.0 : m_.determinant() / m_.C, 0} : slip(-sign(m_.B));
  }
  void slip_ended_at_compression() {
    // Only if the forward slip would cross zero; a slip that grows from D_T = 0 is already on its way.
    if (at_.IN > 0 && path.points[0].DT != 0) {
      slip_ends();
      changed = 'E';
    }
  }
  double to_sticking() const { return c_.mu > 0 && at_.DT * segment_.dDT < 0 ? -at_.DT / segment_.dDT : kInfinite; }
  // Goes on by x of I_N; returns the work of the normal impulse.
  double move(double x) {
    const PathPoint from = at_;
    at_ = {from.IN + x, from.IT + segment_.dIT * x, from.DN + segment_.dDN * x, from.DT + segment_.dDT * x};
    Wt += (from.DT + at_.DT) / 2 * segment_.dIT * x;
    return (from.DN + at_.DN) / 2 * x;
  }

  const LocalMass& m_;
  const Model& c_;
  PathPoint at_;
  Segment segment_{};
  bool stick_possible_ = false, sticks_ = false;
};

}  // namespace

void routh(const LocalMass& m, const Pre& a, const Model& c, Impact& r) {
  Process process(m, a, c);
  if (!process.compress())
    return refuse(r, Status::no_solution, "jam: the contact sticks and D_N never rises to zero (Delta = 0)",
                  "compression");
  const PathPoint C = process.at();
  const double WnC = process.Wn;
  const auto newton_rest = [&](const PathPoint& at, double k, double) {
    const double left = -c.e * a.DNA - at.DN;
    return left <= 0 ? 0.0 : k > 0 ? left / k : kInfinite;
  };
  const auto poisson_rest = [&](const PathPoint& at, double, double) { return c.e * C.IN - (at.IN - C.IN); };
  // The missing work R is done after x with D_N x + k x^2/2 = R; the root without cancellation.
  const auto energetic_rest = [&](const PathPoint& at, double k, double done) {
    const double R = -c.e * c.e * WnC - done;
    if (R <= 0) return 0.0;
    const double below = at.DN + std::sqrt(at.DN * at.DN + 2 * k * R);
    return below > 0 ? 2 * R / below : kInfinite;
  };
  const bool ends = c.law == Law::wm_newton    ? process.expand(newton_rest)
                    : c.law == Law::wm_poisson ? process.expand(poisson_rest)
                                               : process.expand(energetic_rest);
  if (!ends)
    return refuse(r, Status::no_solution, "jam: the contact sticks and D_N never reaches its final value (Delta = 0)",
                  "expansion");
  const PathPoint E = process.at();
  r.stages = r.works = true;
  r.IC = {C.IN, C.IT, 0};
  r.IE = {E.IN - C.IN, E.IT - C.IT, 0};
  r.I = {E.IN, E.IT, 0};
  r.C = {0, C.DT, a.DthA + m.change(r.IC).th};
  r.WnC = WnC;
  r.WnE = process.Wn;
  r.Wt = process.Wt;
  r.path = process.path;
  r.mode = process.mode();
}

}  // namespace areia::impact
