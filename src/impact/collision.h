// One impact at one contact: a model, the local data, what comes out (docs/impact.md).
//
// Pure functions: the same data give the same bits, nothing is kept, nothing is thrown. A problem without solution is a
// status with a reason; no field of an Impact is ever a NaN.
#pragma once
#include <array>

#include "impact/local.h"

namespace areia::impact {

enum class Law { newton, kane, brach, gp1, gp2, wm_newton, wm_poisson, stronge, smith, cs, walton, fremond };
enum class MomentLaw { resisting, source, brach };
enum class Clamp { none, admissible };

inline constexpr double kNotGiven = -1;  // of mu0, KN, KT, which are never negative

// A model: a law with its coefficients. Each law reads its own, models.h says which; the others do not matter.
struct Model {
  Law law = Law::newton;
  double e = 1;                           // normal coefficient of the law: Newton, Poisson or energetic
  double mu = 0;                          // friction; Brach: the signed ratio of impulses
  double mu0 = kNotGiven;                 // static friction of Kane's model, mu where not given
  double et = 0, nu = 0;                  // tangential restitution, reversible part
  double em = -1, emC = -1, emE = -1;     // moment coefficients: Brach's, and of each stage of C-S
  double KN = kNotGiven, KT = kNotGiven;  // viscosities of Fremond's model, in place of e and et
  MomentLaw moment_law = MomentLaw::resisting;
  Clamp clamp = Clamp::none;
};

enum class Status { ok, separating, grazing, no_solution, singular, moment_infeasible, painleve, invalid_input };
const char* name(Status status);

// A vertex of the path in the impulse plane, with the relative velocity there.
struct PathPoint {
  double IN = 0, IT = 0, DN = 0, DT = 0;
};

// From the origin to the end point, at most one change of slip and the end of compression between.
struct Path {
  std::array<PathPoint, 4> points{};
  int size = 0;
  int compression = -1;  // which point has D_N = 0; -1: the law has no stages

  void add(const PathPoint& p) { points[size++] = p; }
  const PathPoint* begin() const { return points.data(); }
  const PathPoint* end() const { return points.data() + size; }
};

// Section 2.4.
struct Kind {
  bool direct = false;   // D_TA = 0; else oblique
  bool grazing = false;  // D_NA = 0
  bool central = false;  // B = 0: generalised central
};

struct Impact {
  Status status = Status::ok;
  const char* reason = "";  // why there is no solution, one sentence
  const char* phase = "";   // "compression" or "expansion", where that is the place of the trouble
  const char* mode = "";    // section 6: "sticking", "C-reverse-sliding", "sliding-1/sticking"

  bool stages = false;  // compression and expansion are known
  Impulse I, IC, IE;    // total, compression, expansion
  Velocity C, E;        // relative velocities at the end of compression and after

  double dT = 0;             // change of kinetic energy in the frame of the driven surface
  double dT_inertial = 0;    // dT - I.w
  double T_loc = 0;          // what the contact could change
  bool energy_gain = false;  // dT > 1e-12 T_loc
  double eb2 = 0;            // Beghin-Boulanger e_b^2 of a finished two-stage solution; not real when negative
  bool has_eb2 = false;

  bool works = false;  // Routh's path: works of the normal impulse by stage and of friction, dT is their sum
  double WnC = 0, WnE = 0, Wt = 0;
  Path path;

  double ITS2 = 0;            // gp1, gp2, cs: the shift 2 I_TS of the friction interval
  double ratio = 0;           // smith: weight g in [-1, 1], I_T = -mu g I_N
  double ratio_used = 0;      // brach
  double ratio_critical = 0;  // brach: the ratio that ends the slip exactly; may be infinite
  double reaction = 0;        // fremond: impulse of impenetrability
  bool extra_normal = false;  // cs: I_NE was raised until D_NE = 0
  Kind kind;

  bool ok() const { return status == Status::ok; }
};

Impact solve(const LocalMass& m, const Pre& a, const Model& model);

}  // namespace areia::impact
