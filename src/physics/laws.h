// The registry: every law of each slot, once. A new law adds its header and its name to one of these lists.
#pragma once
#include "physics/coulomb_history.h"
#include "physics/hertz.h"
#include "physics/interaction.h"
#include "physics/linear.h"
#include "physics/rolling_constant.h"

namespace areia {

template <class... L>
struct LawList {};

using NormalLaws = LawList<Hertz, Linear>;
using TangentialLaws = LawList<NoFriction, CoulombHistory>;
using RollingLaws = LawList<NoRolling, RollingConstant>;

template <class L>
constexpr bool law_has_name = requires {
  L::kInfo;
};

// The law of a list that carries this name; "" and "none" find the law without a name. False: no such law.
template <class... L, class F>
bool with_law(LawList<L...>, std::string_view name, F&& f) {
  bool found = false;
  auto offer = [&]<class Law>() {
    bool match = false;
    if constexpr (law_has_name<Law>) match = name == Law::kInfo.name;
    else match = name.empty() || name == "none";
    if (match && !found) {
      found = true;
      f(Law{});
    }
  };
  (offer.template operator()<L>(), ...);
  return found;
}

// Calls f with the Interaction type that a contact pair asks for. False: some name is unknown.
template <class F>
bool with_interaction(const ContactPair& c, F&& f) {
  bool ok = false;
  with_law(NormalLaws{}, c.normal.law, [&](auto normal) {
    with_law(TangentialLaws{}, c.tangential.law, [&](auto tangential) {
      with_law(RollingLaws{}, c.rolling.law, [&](auto rolling) {
        ok = true;
        f(Interaction<decltype(normal), decltype(tangential), decltype(rolling)>{});
      });
    });
  });
  return ok;
}

}  // namespace areia
