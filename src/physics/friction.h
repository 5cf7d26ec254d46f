// Coefficients of friction that a law takes from the case: one for rest and sliding, or one for each.
#pragma once
#include "physics/law_info.h"

namespace areia {

inline constexpr ParameterInfo kMu{"mu", "",         0, 100, kRequired, "coefficient of friction, static and dynamic",
                                   "",   "mu_static"};
inline constexpr ParameterInfo kMuStatic{"mu_static", "",  0, 100, kRequired, "static coefficient, in place of `mu`",
                                         "",          "mu"};
inline constexpr ParameterInfo kMuDynamic{"mu_dynamic",
                                          "",
                                          0,
                                          100,
                                          kRequired,
                                          "dynamic coefficient, at most the static one; default: the static one",
                                          "",
                                          "the static coefficient"};

struct Friction {
  double mu_s, mu_d;
};
inline Friction friction_of(const LawChoice& c) {
  const double mu_s = is_given(c, kMuStatic) ? number(c, kMuStatic) : number(c, kMu);
  return {mu_s, number_or(c, kMuDynamic, mu_s)};
}

}  // namespace areia
