// The registry: every law of each slot, once. A new law adds its header and its name to one of these lists.
#pragma once
#include <algorithm>
#include <string_view>
#include <type_traits>

#include "physics/adhesion_bond_area.h"
#include "physics/adhesion_capillary.h"
#include "physics/adhesion_dmt.h"
#include "physics/adhesion_strain.h"
#include "physics/coulomb_history.h"
#include "physics/coulomb_stick_slip.h"
#include "physics/coulomb_time.h"
#include "physics/coulomb_variants.h"
#include "physics/hard_impact.h"
#include "physics/hertz.h"
#include "physics/jkr.h"
#include "physics/linear.h"
#include "physics/penalty.h"
#include "physics/rate.h"
#include "physics/rolling_constant.h"
#include "physics/rolling_epsd.h"
#include "physics/rolling_viscous.h"
#include "physics/slots.h"
#include "physics/twisting_constant.h"
#include "physics/twisting_spring.h"

namespace areia {

// The constants of a pair are plain data, so that an engine may copy them to wherever its loops run.
template <class... L>
struct LawList {
  static_assert((std::is_trivially_copyable_v<typename L::Pair> && ...));
  static constexpr std::size_t kPairBytes = std::max({sizeof(typename L::Pair)...});  // of the largest
};

template <Slot slot>
struct LawsOf;
template <>
struct LawsOf<kNormal> {
  using List = LawList<Hertz, Linear, Penalty, Jkr>;
};
template <>
struct LawsOf<kAdhesion> {
  using List = LawList<AdhesionStrain, AdhesionBondArea, AdhesionDmt, AdhesionCapillary>;
};
template <>
struct LawsOf<kTangential> {
  using List = LawList<CoulombHistory, CoulombStickSlip, CoulombVariants, CoulombTime, Rate>;
};
template <>
struct LawsOf<kRolling> {
  using List = LawList<RollingConstant, RollingViscous, RollingEpsd>;
};
template <>
struct LawsOf<kTwisting> {
  using List = LawList<TwistingConstant, TwistingSpring>;
};

// A law may have options that lie in a type of its own, under the same name in case files, so that loops without them
// stay as they are. Engines choose types: by this name.
template <class Law>
constexpr std::string_view type_name() {
  if constexpr (requires { Law::kTypeName; }) return Law::kTypeName;
  else return Law::kInfo.name;
}
std::string_view type_name(const LawChoice& c);

// Calls f with the law of a slot whose type carries this name. False: no such law ("none" is no law).
template <class F, class... L>
bool with_law(LawList<L...>, std::string_view name, F&& f) {
  bool found = false;
  auto offer = [&]<class Law>() {
    if (found || name != type_name<Law>()) return;
    found = true;
    f(Law{});
  };
  (offer.template operator()<L>(), ...);
  return found;
}

}  // namespace areia
