// Sets of laws in common use. An engine compiles one loop (or one device kernel) for each of them, in which all laws of
// a contact act one after the other and what lies between them stays in registers; any other combination runs law by
// law. A set costs compile time and program size alone, so a line may be added for a combination that is used much.
#pragma once
#include <string_view>

#include "physics/laws.h"

namespace areia {

// In a slot without a law.
struct NoLaw {
  static constexpr LawInfo kInfo{"", "none", "", "", {}};
  struct Pair {};
};
template <class Law>
inline constexpr bool kIsLaw = !std::is_same_v<Law, NoLaw>;

template <class N, class A, class T, class R, class W>
struct LawSet {
  using Normal = N;
  using Adhesion = A;
  using Tangential = T;
  using Rolling = R;
  using Twisting = W;
};
template <class... Sets>
struct LawSets {};

// clang-format off
using OneCoefficientSets = LawSets<
  //     normal  adhesion           tangential      rolling          twisting
  LawSet<Hertz,  NoLaw,             NoLaw,          NoLaw,           NoLaw>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, RollingConstant, NoLaw>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, RollingConstant, TwistingConstant>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, RollingViscous,  NoLaw>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, RollingEpsd,     NoLaw>,
  LawSet<Hertz,  NoLaw,             CoulombHistory, RollingEpsd,     TwistingSpring>,
  LawSet<Hertz,  AdhesionDmt,       CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Hertz,  AdhesionDmt,       CoulombHistory, RollingEpsd,     NoLaw>,
  LawSet<Hertz,  AdhesionCapillary, CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Hertz,  AdhesionCapillary, CoulombHistory, RollingEpsd,     NoLaw>,
  LawSet<Jkr,    NoLaw,             CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Jkr,    NoLaw,             CoulombHistory, RollingEpsd,     NoLaw>,
  LawSet<Jkr,    NoLaw,             CoulombHistory, RollingEpsd,     TwistingSpring>,
  LawSet<Linear, NoLaw,             CoulombHistory, NoLaw,           NoLaw>,
  LawSet<Linear, NoLaw,             CoulombHistory, RollingConstant, NoLaw>,
  LawSet<Linear, NoLaw,             CoulombHistory, RollingEpsd,     NoLaw>,
  LawSet<Linear, NoLaw,             CoulombTime,    NoLaw,           NoLaw>>;
// clang-format on

// And each of those with `coulomb_history` for two coefficients of friction.
template <class... A, class... B>
constexpr LawSets<A..., B...> operator+(LawSets<A...>, LawSets<B...>) {
  return {};
}
template <class Set>
constexpr auto with_two_coefficients(Set) {
  return LawSets<Set>{};
}
template <class N, class A, class R, class W>
constexpr auto with_two_coefficients(LawSet<N, A, CoulombHistory, R, W>) {
  return LawSets<LawSet<N, A, CoulombHistory, R, W>, LawSet<N, A, CoulombStickSlip, R, W>>{};
}
template <class... Sets>
constexpr auto with_two_coefficients(LawSets<Sets...>) {
  return (with_two_coefficients(Sets{}) + ...);
}
using FusedSets = decltype(with_two_coefficients(OneCoefficientSets{}));

// Whether a contact pair has just these laws.
template <class Set>
bool is_set_of(const ContactPair& pair) {
  return type_name(pair.normal) == type_name<typename Set::Normal>() &&
         type_name(pair.adhesion) == type_name<typename Set::Adhesion>() &&
         type_name(pair.tangential) == type_name<typename Set::Tangential>() &&
         type_name(pair.rolling) == type_name<typename Set::Rolling>() &&
         type_name(pair.twisting) == type_name<typename Set::Twisting>();
}

// Calls f with each set in turn.
template <class F, class... Sets>
void for_each_set(LawSets<Sets...>, F&& f) {
  (f(Sets{}), ...);
}

}  // namespace areia
