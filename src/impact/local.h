// The contact seen from the contact: inverse local mass matrix and relative velocities (docs/impact.md).
//
//   D_N = D_NA + A I_N - B I_T + D I_th
//   D_T = D_TA - B I_N + C I_T - E I_th        (L)
//   D_th = D_thA + D I_N - E I_T + F I_th
//
// N normal (the gap grows with D_N > 0, so approach is D_N < 0 and impulses push with I_N >= 0), T tangential, th
// relative rotation. The relative velocity is that of the body that receives +I.
#pragma once
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace areia::impact {

// What counts as zero beside one: 64 roundings (section 7).
inline constexpr double kZero = 64 * std::numeric_limits<double>::epsilon();

struct Velocity {
  double N = 0, T = 0, th = 0;
};
struct Impulse {
  double N = 0, T = 0, th = 0;
};
inline Impulse operator+(const Impulse& a, const Impulse& b) { return {a.N + b.N, a.T + b.T, a.th + b.th}; }
inline Velocity operator+(const Velocity& a, const Velocity& b) { return {a.N + b.N, a.T + b.T, a.th + b.th}; }
inline double dot(const Impulse& i, const Velocity& v) { return i.N * v.N + i.T * v.T + i.th * v.th; }

// W^T M^-1 W with the signs of (L). D = E = F = 0 where the relative rotation does not matter.
struct LocalMass {
  double A = 0, B = 0, C = 0, D = 0, E = 0, F = 0;

  double determinant() const { return A * C - B * B; }                         // Delta
  bool rank_one() const { return determinant() <= kZero * A * C; }             // Delta counts as zero
  bool no_tangent() const { return C <= kZero * A; }                           // friction cannot act on the motion
  double critical_friction() const { return C > 0 ? std::fabs(B) / C : 0.0; }  // mu_s
  bool rotates() const { return D != 0 || E != 0 || F != 0; }

  Velocity change(const Impulse& i) const {
    return {A * i.N - B * i.T + D * i.th, -B * i.N + C * i.T - E * i.th, D * i.N - E * i.T + F * i.th};
  }
};

// Just before the impact. w is the part of the relative velocity that comes from prescribed motions and is the same
// before and after (moving floor with velocity u: w_N = -u.n, w_T = -u.t); it enters only the energy in the inertial
// frame.
struct Pre {
  double DNA = 0, DTA = 0, DthA = 0;
  Velocity w;

  Velocity velocity() const { return {DNA, DTA, DthA}; }
};

// T_loc = D_A^T (inverse local mass matrix)^-1 D_A / 2: the kinetic energy that the contact can change. D_NA^2/(2A)
// where Delta counts as zero; with `rotation` all three directions, where the matrix has an inverse.
double local_energy(const LocalMass& m, const Pre& a, bool rotation = false);

// --- from the coordinates of a system
// ---------------------------------------------------------------------------------

// One contact: a row per direction, one number per coordinate. `th` is empty where relative rotation does not matter.
struct ContactRows {
  std::vector<double> N, T, th;
};

// M = L L^T. Throws InputError (key "M") unless M is square, finite, symmetric (to 1e-12 of its scale) and positive
// definite.
class MassMatrix {
 public:
  explicit MassMatrix(const std::vector<std::vector<double>>& M);
  std::size_t size() const { return n_; }
  std::vector<double> solve(std::span<const double> b) const;  // M^-1 b
  double energy(std::span<const double> qdot) const;           // qdot^T M qdot / 2

 private:
  std::size_t n_ = 0;
  std::vector<double> L_;  // row by row
};

LocalMass local_mass(const MassMatrix& M, const ContactRows& W);
Pre pre_impact(const ContactRows& W, std::span<const double> qdot, const Velocity& w = {});
// qdot_E = qdot_A + M^-1 W I
std::vector<double> velocities_after(const MassMatrix& M, const ContactRows& W, std::span<const double> qdot,
                                     const Impulse& I);

// Two free bodies (section 2.2): reciprocals of mass and central inertia, so that an immovable body is a zero; (x, y)
// the centre of mass seen from the contact point along t and n; body 1 lies on the +n side.
struct FreeBody {
  double inverse_mass = 0, inverse_inertia = 0;
  double x = 0, y = 0;
  double vx = 0, vy = 0, omega = 0;  // velocity of the centre along t and n, spin
};
LocalMass local_mass(const FreeBody& body1, const FreeBody& body2);
Pre pre_impact(const FreeBody& body1, const FreeBody& body2);
void apply(const Impulse& I, FreeBody& body1, FreeBody& body2);

}  // namespace areia::impact
