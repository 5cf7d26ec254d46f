// STAND-IN, to be deleted when laws.cpp arrives: tables of the laws, so that case files can be read without physics.
#include "physics/law_info.h"

namespace areia {
namespace {

constexpr ParameterInfo kHertz[] = {
    {"xi", "", 0, 100, 0, "damping ratio; give this or `restitution`, not both", "", "restitution"},
    {"restitution", "", 1e-6, 1, kRequired, "coefficient of restitution of a binary impact; sets xi", "", "xi"},
    {"xi_from_e", "", 0, 0, 0, "how xi follows from `restitution`", "exact_clamp|exact_noclamp|source"},
    {"clamp", "", 0, 0, 0, "no tension: the normal force never pulls", "on|off"},
    {"wall", "", 0, 0, 0, "effective moduli at a rigid wall", "rigid|source93"},
};
constexpr ParameterInfo kLinear[] = {
    {"stiffness", "N/m", 0, kUnbounded, kRequired, "spring of the pair; default: the materials' stiffnesses in series",
     "", "materials"},
    {"beta", "", 0, 100, 0, "damping ratio; give this or `restitution`, not both", "", "restitution"},
    {"restitution", "", 1e-6, 1, kRequired, "coefficient of restitution of a binary impact; sets beta", "", "beta"},
    {"clamp", "", 0, 0, 0, "no tension: the normal force never pulls", "on|off"},
};
constexpr ParameterInfo kCoulomb[] = {
    {"mu", "", 0, 100, 0, "coefficient of friction, static and dynamic", "", "mu_static"},
    {"mu_static", "", 0, 100, kRequired, "static coefficient, where it differs from `mu`", "", "mu"},
    {"mu_dynamic", "", 0, 100, kRequired, "dynamic coefficient, at most the static one", "", "mu"},
    {"xi", "", 0, 100, 0, "damping ratio of the tangential spring"},
    {"shear_modulus", "", 0, 0, 0, "effective shear modulus: Mindlin's, or 000 (2.86)", "mindlin|source"},
};
constexpr ParameterInfo kRolling[] = {
    {"mu", "", 0, 100, kRequired, "coefficient of rolling resistance mu_R"},
};
constexpr LawInfo kLaws[] = {
    {"normal", "hertz", "Hertzian spring with damping of constant restitution.", "000 (2.55)", kHertz, "young"},
    {"normal", "linear", "Linear spring and dashpot.", "004 (2.5)", kLinear},
    {"tangential", "coulomb_history", "Tangential spring and dashpot with a Coulomb limit and memory.",
     "000 section 2.10", kCoulomb, "young"},
    {"rolling", "constant", "Constant torque against rolling.", "000 (4.6)", kRolling},
};

}  // namespace

std::span<const LawInfo> all_laws() { return kLaws; }

}  // namespace areia
