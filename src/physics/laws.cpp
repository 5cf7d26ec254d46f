#include "physics/laws.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "physics/interaction.h"

namespace areia {

namespace {

template <class... L>
void collect(LawList<L...>, std::vector<LawInfo>& out) {
  const auto add = [&](LawInfo info, std::size_t bytes) {
    info.pair_bytes = bytes;
    // several types of one name: the last has the options of all
    if (!out.empty() && std::string_view(out.back().name) == info.name) out.back() = info;
    else out.push_back(info);
  };
  (add(L::kInfo, sizeof(typename L::Pair)), ...);
}

// One law on one contact, through the same functions that the blocks run.
template <class Law, Slot slot>
class PartOf final : public LawPart {
 public:
  using State = SlotMemory<Law, slot, double>;

  PartOf(const LawChoice& c, const MaterialPair& m) : p_(Law::prepare(c, m)) {
    pair_bytes = sizeof p_;
    scalars = State::kScalars;
    vectors = 3 * State::kVectors;
  }
  const void* pair() const override { return &p_; }

  void apply(Contact<double>& c, double overlap_before, double* scalar, double* vector,
             Outcome<double>& out) const override {
    act<Law, slot, true>(p_, c, overlap_before, scalar, vector, out);
  }

  double energy(const Geometry<double>& g, double stiffness, const double* scalar,
                const double* vector) const override {
    (void)stiffness;
    if constexpr (slot == kNormal) return Law::energy(p_, g);
    else if constexpr (slot == kRolling) return Law::energy(p_, g, stiffness, recalled<Law, slot>(scalar, vector).own);
    else return Law::energy(p_, g, recalled<Law, slot>(scalar, vector).own);
  }

  double form_range(double r_star) const override {
    if constexpr (requires { Law::form_range(p_, r_star); }) return Law::form_range(p_, r_star);
    else return 0;
  }
  double hold_range(double r_star) const override {
    if constexpr (requires { Law::hold_range(p_, r_star); }) return Law::hold_range(p_, r_star);
    else return 0;
  }
  double elastic(const Geometry<double>& g) const override {
    if constexpr (slot == kNormal) {
      return Law::elastic(p_, g);
    } else if constexpr (slot == kAdhesion) {
      Contact<double> c{};
      static_cast<Geometry<double>&>(c) = g;
      c.m_star = 1;
      State memory{};
      return Law::force(p_, c, 0.0, memory.own).pull;
    } else {
      return 0;
    }
  }
  double stiffness(const Geometry<double>& g) const override {
    if constexpr (slot == kNormal) {
      Contact<double> c{};
      static_cast<Geometry<double>&>(c) = g;
      return Law::force(p_, c).stiffness;
    } else if constexpr (slot == kAdhesion) {
      return Law::stiffness(p_, g, g.overlap);
    } else if constexpr (requires { Law::stiffness(p_, g.contact_radius); }) {
      return Law::stiffness(p_, g.contact_radius);
    } else {
      return 0;
    }
  }
  double turning_stiffness(const Geometry<double>& g, double stiffness) const override {
    if constexpr (requires { Law::turning_stiffness(p_, g, stiffness); })
      return Law::turning_stiffness(p_, g, stiffness);
    else return 0;
  }
  double damper(const Geometry<double>& g, double m_star) const override {
    if constexpr (slot == kNormal) return Law::damper(p_, g, m_star);
    else return 0;
  }
  double power_before(const Contact<double>& contact, const double* scalar, const double* vector) const override {
    if constexpr (slot == kTangential) {
      Contact<double> c = contact;
      c.dt = 0;
      c.kicks = false;
      State memory = recalled<Law, slot>(scalar, vector);
      return Law::force(p_, c, 0.0, memory.own).power_before;
    } else {
      return 0;
    }
  }
  bool shares() const override {
    if constexpr (requires { Law::shares(p_); }) return Law::shares(p_);
    else return false;
  }
  double contact_time(const Geometry<double>& g, double m_star, double speed) const override {
    if constexpr (slot == kNormal) return Law::contact_time(p_, g, m_star, speed);
    else return kForever;
  }
  double largest_overlap(const Geometry<double>& g, double m_star, double speed) const override {
    if constexpr (slot == kNormal) return Law::largest_overlap(p_, g, m_star, speed);
    else return 0;
  }

 private:
  typename Law::Pair p_;
};

template <Slot slot>
std::shared_ptr<const LawPart> make_part(const LawChoice& c, const MaterialPair& m) {
  std::shared_ptr<const LawPart> part;
  with_law(typename LawsOf<slot>::List{}, type_name(c),
           [&]<class Law>(Law) { part = std::make_shared<PartOf<Law, slot>>(c, m); });
  return part;
}

}  // namespace

std::string_view type_name(const LawChoice& c) {
  if (c.law.empty()) return "none";
  if (CoulombVariants::serves(c)) return CoulombVariants::kTypeName;
  if (CoulombStickSlip::serves(c)) return CoulombStickSlip::kTypeName;
  return c.law;
}

std::span<const LawInfo> all_laws() {
  static const std::vector<LawInfo> laws = [] {
    std::vector<LawInfo> out;
    collect(LawsOf<kNormal>::List{}, out);
    collect(LawsOf<kTangential>::List{}, out);
    collect(LawsOf<kRolling>::List{}, out);
    collect(LawsOf<kTwisting>::List{}, out);
    collect(LawsOf<kAdhesion>::List{}, out);
    collect(LawList<Walton>{}, out);  // of the slot `impact`, for engine = events
    return out;
  }();
  return laws;
}

Interaction::Interaction(const ContactPair& c, const MaterialPair& m)
    : parts_{make_part<kNormal>(c.normal, m), make_part<kAdhesion>(c.adhesion, m),
             make_part<kTangential>(c.tangential, m), make_part<kRolling>(c.rolling, m),
             make_part<kTwisting>(c.twisting, m)} {
  if (!parts_[kNormal]) throw std::logic_error("a contact pair without a normal law: " + c.a + "-" + c.b);
  for (int s = 0; s < kSlots; ++s) {
    scalar_at_[s] = size_;
    if (parts_[s]) size_ += parts_[s]->scalars;
  }
  for (int s = 0; s < kSlots; ++s) {
    vector_at_[s] = size_;
    if (parts_[s]) size_ += parts_[s]->vectors;
  }
  if (size_ > kMostHistory) throw std::logic_error("more history than a block of contacts holds");
  for (const auto& part : parts_) shares_ = shares_ || (part && part->shares());
  reaches_ = true;
  reaches_ = range(&LawPart::hold_range, 1) > 0;
}

namespace {

struct NormalPart {
  const LawPart& law;
  double elastic(const Geometry<double>& g) const { return law.elastic(g); }
  double energy(const Geometry<double>& g) const { return law.energy(g, 0, nullptr, nullptr); }  // without memory
  double form_range(double r_star) const { return law.form_range(r_star); }
};

}  // namespace

void Interaction::begin(Geometry<double> g, double overlap_before, double* history) const {
  begin_history(NormalPart{*parts_[kNormal]}, size_, g, overlap_before, history);
}

Outcome<double> Interaction::evaluate(const Touch<double>& touch, const Body<double>& i, const Body<double>& j,
                                      double dt, const Kick& kick, double* history) const {
  const double overlap_before = history[0];
  Contact<double> c = contact_of(touch, i, j, dt, kick, shares_, overlap_before);
  Outcome<double> out{};
  for (int s = 0; s < kSlots; ++s)
    if (parts_[s]) parts_[s]->apply(c, overlap_before, history + scalar_at_[s], history + vector_at_[s], out);
  return out;
}

Booking<double> Interaction::open(Geometry<double> g, double overlap, const double* history) const {
  return booking_of_opening(NormalPart{*parts_[kNormal]}, reaches_, g, overlap, history, pull(history));
}

Booking<double> Interaction::second_half(const Touch<double>& touch, const Body<double>& i, const Body<double>& j,
                                         double dt, const double* history) const {
  Contact<double> c = contact_of(touch, i, j, dt, {}, shares_, history[0]);
  at_last(c, history);
  Booking<double> b = normal_half(NormalPart{*parts_[kNormal]}, c, c.overlap_rate * dt, history, pull(history));
  const auto numbers = [&](Slot s) { return history + vector_at_[s]; };
  if (parts_[kTangential])
    b.tangential =
        -0.5 * dt * parts_[kTangential]->power_before(c, history + scalar_at_[kTangential], numbers(kTangential));
  if (parts_[kRolling]) {
    const double* const m = numbers(kRolling);
    b.rolling -= 0.5 * dt * dot(Vec3d{m[0], m[1], m[2]}, c.w_r + c.w_n * c.n);
  }
  if (parts_[kTwisting]) b.rolling -= 0.5 * dt * history[scalar_at_[kTwisting]] * c.w_n;
  return b;
}

}  // namespace areia
