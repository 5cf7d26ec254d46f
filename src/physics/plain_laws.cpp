#include "physics/plain_laws.h"

#include <cstring>
#include <stdexcept>
#include <string>

namespace areia {

PlainLaws plain_laws(const Interaction& laws, const ContactPair& pair) {
  PlainLaws p;
  p.present = true;
  p.reaches = laws.reaches();
  p.shares = laws.shares();
  p.history = laws.history();
  const auto take = [&](Slot slot, auto list, const LawChoice& choice) {
    p.scalar_at[slot] = laws.scalar_at(slot);
    p.vector_at[slot] = laws.vector_at(slot);
    const LawPart* part = laws.part(slot);
    if (!part) return;
    with_law(list, type_name(choice), [&]<class Law>(Law) {
      if (part->pair_bytes == sizeof(typename Law::Pair)) p.law[slot] = number_in<Law>(list);
    });
    if (p.law[slot] == kNoLaw) throw std::logic_error("constants of another law than " + choice.law);
    std::memcpy(p.constants + constants_at(slot), part->pair(), part->pair_bytes);
  };
  take(kNormal, LawsOf<kNormal>::List{}, pair.normal);
  take(kAdhesion, LawsOf<kAdhesion>::List{}, pair.adhesion);
  take(kTangential, LawsOf<kTangential>::List{}, pair.tangential);
  take(kRolling, LawsOf<kRolling>::List{}, pair.rolling);
  take(kTwisting, LawsOf<kTwisting>::List{}, pair.twisting);
  return p;
}

}  // namespace areia
