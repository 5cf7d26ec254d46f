#include "physics/laws.h"

#include <vector>

namespace areia {

template <class... L>
static void collect(LawList<L...>, std::vector<LawInfo>& out) {
  auto one = [&]<class Law>() {
    if constexpr (law_has_name<Law>) out.push_back(Law::kInfo);
  };
  (one.template operator()<L>(), ...);
}

std::span<const LawInfo> all_laws() {
  static const std::vector<LawInfo> laws = [] {
    std::vector<LawInfo> out;
    collect(NormalLaws{}, out);
    collect(TangentialLaws{}, out);
    collect(RollingLaws{}, out);
    return out;
  }();
  return laws;
}

}  // namespace areia
