// The laws behind `solve`, one file each. Each takes data that passed the common checks (finite, coefficients in range,
// A > 0, C > 0 and D_NA < 0) and fills impulses, stages, mode, or a status with its reason; what follows from the
// impulses (velocities after, energy) is added by solve.
#pragma once
#include "impact/collision.h"

namespace areia::impact {

void newton(const LocalMass& m, const Pre& a, const Model& c, Impact& r);            // 6.1
void kane(const LocalMass& m, const Pre& a, const Model& c, Impact& r);              // 6.2
void brach(const LocalMass& m, const Pre& a, const Model& c, Impact& r);             // 6.3
void glocker_pfeiffer(const LocalMass& m, const Pre& a, const Model& c, Impact& r);  // 6.4, 6.5
void routh(const LocalMass& m, const Pre& a, const Model& c, Impact& r);             // 6.6, all three terminations
void smith(const LocalMass& m, const Pre& a, const Model& c, Impact& r);             // 6.7
void cataldo_sampaio(const LocalMass& m, const Pre& a, const Model& c, Impact& r);   // 6.8
void walton(const LocalMass& m, const Pre& a, const Model& c, Impact& r);            // 6.9
void fremond(const LocalMass& m, const Pre& a, const Model& c, Impact& r);           // 6.10

inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

inline void refuse(Impact& r, Status status, const char* reason, const char* phase = "") {
  r.status = status;
  r.reason = reason;
  r.phase = phase;
}

}  // namespace areia::impact
