// Resting contact: gap and D_N both zero, reactions R_N >= 0 and R_T by Coulomb's law (docs/impact-lab.md),
//
//   dD_N/dt = A R_N - B R_T + b_N,   dD_T/dt = -B R_N + C R_T + b_T,   b = W^t M^-1 F + dW/dt^t q'
#pragma once
#include <optional>

#include "impact/collision.h"
#include "impact/system.h"

namespace areia::impact {

enum class Touch { stick, slip_plus, slip_minus, smooth };  // smooth: no friction
const char* name(Touch touch);

struct RestingContact {
  std::size_t contact = 0;
  Touch touch = Touch::smooth;
};

struct Reactions {
  Vector acceleration;           // q''
  std::vector<double> N, T;      // per resting contact
  std::vector<double> dDN, dDT;  // rates of the relative velocities, per resting contact
};

// Nothing where the reactions are not determined (contradicting equations).
std::optional<Reactions> reactions(const System&, double t, const Vector& q, const Vector& v,
                                   const std::vector<RestingContact>&, double mu);

// What each of the touching contacts does from now on: those that stay closed with their mode; the others open.
// `forced` slips start in the direction given there, whatever sticking says.
struct RestChoice {
  Status status = Status::ok;  // painleve, no_solution: the motion cannot go on
  std::string reason;
  std::vector<RestingContact> resting;
};
RestChoice choose_rest(const System&, const State&, const std::vector<std::size_t>& touching,
                       const std::vector<RestingContact>& forced, double mu, double speed_scale);

// Removes D_N (and D_T where it sticks) of resting contacts by the impulses that this takes, and their gaps by a
// displacement along the same directions: clears what rounding and tolerance left.
void settle(const System&, State&, const std::vector<RestingContact>&);

}  // namespace areia::impact
