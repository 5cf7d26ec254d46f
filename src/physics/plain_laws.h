// The laws of one contact pair as plain data, and how they act on a contact: what Interaction is to an engine that has
// pointers and virtual functions, this is to one whose loops run on a device. The bits are the same, history included.
//
//   const PlainLaws p = plain_laws(interaction, pair);                   // once, on the host
//   using Laws = RunLaws<LawSet<Hertz, ...>, kLedger>;                   // where is_set_of<LawSet<Hertz, ...>>(p)
//   using Laws = RunLaws<AnyLaws, kLedger>;                              // for any pair
//   Laws::evaluate(p, touch, i, j, dt, kick, history)
//
// With a LawSet every place in the history is known to the compiler, so that a history and all that lies between the
// laws stays in registers. AnyLaws asks each slot for its law as the contact is evaluated, and finds the history by
// places that are data.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>

#include "physics/fused_sets.h"
#include "physics/one_contact.h"
#include "physics/touch.h"

namespace areia {

// Where the constants of a slot begin, each large enough for any of its laws; of kSlots, where they end.
constexpr std::size_t constants_at(int slot) {
  constexpr std::size_t bytes[kSlots] = {LawsOf<kNormal>::List::kPairBytes, LawsOf<kAdhesion>::List::kPairBytes,
                                         LawsOf<kTangential>::List::kPairBytes, LawsOf<kRolling>::List::kPairBytes,
                                         LawsOf<kTwisting>::List::kPairBytes};
  std::size_t at = 0;
  for (int s = 0; s < slot; ++s) at += bytes[s];
  return at;
}

inline constexpr int kNoLaw = -1;

struct PlainLaws {
  bool present = false;  // false: these materials do not act on each other, and nothing else here counts
  bool reaches = false, shares = false;                                    // as Interaction says
  int history = 0;                                                         // numbers
  std::array<int, kSlots> law = {kNoLaw, kNoLaw, kNoLaw, kNoLaw, kNoLaw};  // its number in LawsOf<slot>::List
  std::array<int, kSlots> scalar_at{}, vector_at{};
  alignas(double) std::byte constants[constants_at(kSlots)] = {};

  template <class Law, Slot slot>
  AREIA_PORTABLE typename Law::Pair pair() const {
    static_assert(alignof(typename Law::Pair) <= alignof(double) && constants_at(slot) % alignof(double) == 0);
    constexpr std::size_t at = constants_at(slot);
    return *reinterpret_cast<const typename Law::Pair*>(constants + at);
  }
};
static_assert(std::is_trivially_copyable_v<PlainLaws>);

// `pair` is what `laws` were made of.
PlainLaws plain_laws(const Interaction& laws, const ContactPair& pair);

template <class Law, class... L>
constexpr int number_in(LawList<L...>) {
  int number = 0;
  const bool found = ((std::is_same_v<Law, L> || (++number, false)) || ...);
  return found ? number : kNoLaw;
}
template <class Law, Slot slot>
inline constexpr int kNumberOf = number_in<Law>(typename LawsOf<slot>::List{});

// ---- which laws there are, and where they remember ----

// Numbers of scalars, and of components of vectors, that a law keeps of a contact.
template <class Law, Slot slot>
constexpr SlotExtras kept_by() {
  if constexpr (kIsLaw<Law>)
    return {SlotMemory<Law, slot, double>::kScalars, 3 * SlotMemory<Law, slot, double>::kVectors};
  else return {0, 0};
}
template <class Law>
inline constexpr bool kReaches = requires(const typename Law::Pair& p) {
  Law::hold_range(p, 1.0);
};

template <Slot slot, class... L>
constexpr int most_kept(LawList<L...>) {
  return std::max({kept_by<L, slot>().scalars + kept_by<L, slot>().vectors...});
}

// In place of a LawSet: the laws that the data name.
struct AnyLaws {};

// For a set: its laws, and places that are constants.
template <class Set>
struct LawsIn {
  template <Slot slot>
  using Law =
      std::tuple_element_t<slot, std::tuple<typename Set::Normal, typename Set::Adhesion, typename Set::Tangential,
                                            typename Set::Rolling, typename Set::Twisting>>;
  static constexpr SlotExtras kKept[kSlots] = {
      kept_by<Law<kNormal>, kNormal>(), kept_by<Law<kAdhesion>, kAdhesion>(), kept_by<Law<kTangential>, kTangential>(),
      kept_by<Law<kRolling>, kRolling>(), kept_by<Law<kTwisting>, kTwisting>()};
  static constexpr int place_of_scalars(int slot) {
    int at = 0;
    for (int s = 0; s < slot; ++s) at += kKept[s].scalars;
    return at;
  }
  static constexpr int place_of_vectors(int slot) {
    int at = place_of_scalars(kSlots);
    for (int s = 0; s < slot; ++s) at += kKept[s].vectors;
    return at;
  }
  static constexpr int kHistory = place_of_vectors(kSlots);
  static constexpr bool kMayReach = kReaches<typename Set::Normal> || kReaches<typename Set::Adhesion>;

  static bool serves(const PlainLaws& p) {
    return p.law[kNormal] == kNumberOf<Law<kNormal>, kNormal> &&
           p.law[kAdhesion] == kNumberOf<Law<kAdhesion>, kAdhesion> &&
           p.law[kTangential] == kNumberOf<Law<kTangential>, kTangential> &&
           p.law[kRolling] == kNumberOf<Law<kRolling>, kRolling> &&
           p.law[kTwisting] == kNumberOf<Law<kTwisting>, kTwisting>;
  }
  AREIA_PORTABLE static constexpr int history(const PlainLaws&) { return kHistory; }
  template <Slot slot>
  AREIA_PORTABLE static constexpr bool has(const PlainLaws&) {
    return kIsLaw<Law<slot>>;
  }
  template <Slot slot>
  AREIA_PORTABLE static constexpr int scalar_at(const PlainLaws&) {
    constexpr int at = place_of_scalars(slot);
    return at;
  }
  template <Slot slot>
  AREIA_PORTABLE static constexpr int vector_at(const PlainLaws&) {
    constexpr int at = place_of_vectors(slot);
    return at;
  }
  // Calls f.operator()<Law>() of the law in this slot, if there is one.
  template <Slot slot, class F>
  [[gnu::always_inline]] AREIA_PORTABLE static void with(const PlainLaws&, F&& f) {
    if constexpr (kIsLaw<Law<slot>>) f.template operator()<Law<slot>>();
  }
};

template <>
struct LawsIn<AnyLaws> {
  // Room for those of any laws.
  static constexpr int kHistory =
      most_kept<kNormal>(LawsOf<kNormal>::List{}) + most_kept<kAdhesion>(LawsOf<kAdhesion>::List{}) +
      most_kept<kTangential>(LawsOf<kTangential>::List{}) + most_kept<kRolling>(LawsOf<kRolling>::List{}) +
      most_kept<kTwisting>(LawsOf<kTwisting>::List{});
  static_assert(kHistory <= kMostHistory);
  static constexpr bool kMayReach = true;

  static bool serves(const PlainLaws&) { return true; }
  AREIA_PORTABLE static int history(const PlainLaws& p) { return p.history; }
  template <Slot slot>
  AREIA_PORTABLE static bool has(const PlainLaws& p) {
    return p.law[slot] != kNoLaw;
  }
  template <Slot slot>
  AREIA_PORTABLE static int scalar_at(const PlainLaws& p) {
    return p.scalar_at[slot];
  }
  template <Slot slot>
  AREIA_PORTABLE static int vector_at(const PlainLaws& p) {
    return p.vector_at[slot];
  }
  template <Slot slot, class F>
  [[gnu::always_inline]] AREIA_PORTABLE static void with(const PlainLaws& p, F&& f) {
    with(typename LawsOf<slot>::List{}, p.law[slot], f);
  }

 private:
  template <class F, class... L>
  [[gnu::always_inline]] AREIA_PORTABLE static void with(LawList<L...>, int law, F& f) {
    int number = 0;  // the compiler makes a switch of it
    ((law == number++ ? f.template operator()<L>() : void()), ...);
  }
};

// Whether the laws are those of a set. Any are AnyLaws.
template <class Set>
bool is_set_of(const PlainLaws& p) {
  return LawsIn<Set>::serves(p);
}

// ---- what they do: each function as that of Interaction ----

// Without the ledger nothing is booked; forces and histories have the same bits.
template <class Set, bool kLedger>
struct RunLaws {
  using In = LawsIn<Set>;
  static constexpr int kHistory = In::kHistory;  // numbers, or room for them

  [[gnu::always_inline]] AREIA_PORTABLE static void begin(const PlainLaws& p, const Geometry<double>& g,
                                                          double overlap_before, double* history) {
    begin_history(Normal{p}, In::history(p), g, overlap_before, history);
  }

  [[gnu::always_inline]] AREIA_PORTABLE static Outcome<double> evaluate(const PlainLaws& p, const Touch<double>& touch,
                                                                        const Body<double>& i, const Body<double>& j,
                                                                        double dt, const Kick& kick, double* history) {
    const double overlap_before = history[0];
    Contact<double> c = contact_of(touch, i, j, dt, kick, p.shares, overlap_before);
    Outcome<double> out{};
    run<kNormal>(p, c, overlap_before, history, out);
    run<kAdhesion>(p, c, overlap_before, history, out);
    run<kTangential>(p, c, overlap_before, history, out);
    run<kRolling>(p, c, overlap_before, history, out);
    run<kTwisting>(p, c, overlap_before, history, out);
    return out;
  }

  [[gnu::always_inline]] AREIA_PORTABLE static Booking<double> open(const PlainLaws& p, const Geometry<double>& g,
                                                                    double overlap, const double* history) {
    const double* pull = In::template has<kAdhesion>(p) ? history + In::template scalar_at<kAdhesion>(p) : nullptr;
    return booking_of_opening(Normal{p}, In::kMayReach && p.reaches, g, overlap, history, pull);
  }

  AREIA_PORTABLE static double form_range(const PlainLaws& p, double r_star) {
    if (!In::kMayReach || !p.reaches) return 0;
    return max_of(form_range_of<kNormal>(p, r_star), form_range_of<kAdhesion>(p, r_star));
  }
  AREIA_PORTABLE static double hold_range(const PlainLaws& p, double r_star) {
    if (!In::kMayReach || !p.reaches) return 0;
    return max_of(hold_range_of<kNormal>(p, r_star), hold_range_of<kAdhesion>(p, r_star));
  }

  // As of touch.h.
  AREIA_PORTABLE static bool acts_across(const PlainLaws& p, double distance2, double radius_i, double radius_j,
                                         bool exists) {
    const double r_star = radius_i * radius_j / (radius_i + radius_j);
    return touches_across(exists ? hold_range(p, r_star) : form_range(p, r_star), distance2, radius_i, radius_j);
  }
  AREIA_PORTABLE static bool acts_on_wall(const PlainLaws& p, double overlap, double radius, bool exists) {
    return overlap > 0 || overlap > -(exists ? hold_range(p, radius) : form_range(p, radius));
  }

 private:
  template <Slot slot>
  [[gnu::always_inline]] AREIA_PORTABLE static void run(const PlainLaws& p, Contact<double>& c, double overlap_before,
                                                        double* history, Outcome<double>& out) {
    In::template with<slot>(p, [&]<class Law>() {
      act<Law, slot, kLedger>(p.template pair<Law, slot>(), c, overlap_before,
                              history + In::template scalar_at<slot>(p), history + In::template vector_at<slot>(p),
                              out);
    });
  }
  template <Slot slot>
  AREIA_PORTABLE static double form_range_of(const PlainLaws& p, double r_star) {
    double range = 0;
    In::template with<slot>(p, [&]<class Law>() {
      if constexpr (kReaches<Law>) range = Law::form_range(p.template pair<Law, slot>(), r_star);
    });
    return range;
  }
  template <Slot slot>
  AREIA_PORTABLE static double hold_range_of(const PlainLaws& p, double r_star) {
    double range = 0;
    In::template with<slot>(p, [&]<class Law>() {
      if constexpr (kReaches<Law>) range = Law::hold_range(p.template pair<Law, slot>(), r_star);
    });
    return range;
  }

  // The normal law, for begin_history and booking_of_opening.
  struct Normal {
    const PlainLaws& p;
    AREIA_PORTABLE double elastic(const Geometry<double>& g) const {
      double of = 0;
      In::template with<kNormal>(p, [&]<class Law>() { of = Law::elastic(p.template pair<Law, kNormal>(), g); });
      return of;
    }
    AREIA_PORTABLE double energy(const Geometry<double>& g) const {
      double of = 0;
      In::template with<kNormal>(p, [&]<class Law>() { of = Law::energy(p.template pair<Law, kNormal>(), g); });
      return of;
    }
    AREIA_PORTABLE double form_range(double r_star) const { return form_range_of<kNormal>(p, r_star); }
  };
};

}  // namespace areia
