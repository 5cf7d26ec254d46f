// The laws of one contact pair, prepared for two materials, composed at run time from the registry. The cpu engine runs
// each law over whole blocks of contacts (engine/cpu/block_stages.h); here they act on one contact, for the reference
// engine, and answer what does not hurry: first histories, energies, ranges, contact times. What a device can hold of
// them is in plain_laws.h.
#pragma once
#include <array>
#include <memory>

#include "physics/law_info.h"
#include "physics/material_pair.h"
#include "physics/one_contact.h"

namespace areia {

inline constexpr int kMostHistory = 24;

// One law with its parameters.
class LawPart {
 public:
  virtual ~LawPart() = default;
  int scalars = 0, vectors = 0;  // numbers of each in the history
  std::size_t pair_bytes = 0;

  virtual const void* pair() const = 0;  // the law's Pair: pair_bytes of plain data
  virtual void apply(Contact<double>& c, double overlap_before, double* scalar, double* vector,
                     Outcome<double>& out) const = 0;
  // Energy stored; `stiffness` is that of the normal spring.
  virtual double energy(const Geometry<double>& g, double stiffness, const double* scalar,
                        const double* vector) const = 0;
  virtual double form_range(double /*r_star*/) const { return 0; }  // largest gap at which a contact begins
  virtual double hold_range(double /*r_star*/) const { return 0; }  // and up to which it lasts
  // The force of the law at the overlap of g, without damping: N of a normal law's spring, the pull of an adhesion; of
  // other laws 0.
  virtual double elastic(const Geometry<double>&) const { return 0; }
  // By how much that force grows with the overlap, or the stiffness of a tangential spring at it; 0 without a spring.
  virtual double stiffness(const Geometry<double>&) const { return 0; }
  // Torque per angle of a rolling or twisting spring; `stiffness` is that of the normal spring.
  virtual double turning_stiffness(const Geometry<double>&, double /*stiffness*/) const { return 0; }
  // Of a normal law's dashpot at the overlap of g.
  virtual double damper(const Geometry<double>&, double /*m_star*/) const { return 0; }
  // TangentialForce::power_before of a tangential law.
  virtual double power_before(const Contact<double>&, const double* /*scalar*/, const double* /*vector*/) const {
    return 0;
  }
  // Whether a limit is shared by all contacts of a body: the law asks for their number.
  virtual bool shares() const { return false; }
  virtual double contact_time(const Geometry<double>&, double /*m_star*/, double /*speed*/) const { return kForever; }
  virtual double largest_overlap(const Geometry<double>&, double /*m_star*/, double /*speed*/) const { return 0; }
};

class Interaction {
 public:
  // The law names must be known (validate).
  Interaction(const ContactPair& c, const MaterialPair& m);

  int history() const { return size_; }
  int scalar_at(Slot s) const { return scalar_at_[s]; }
  int vector_at(Slot s) const { return vector_at_[s]; }
  const LawPart* part(Slot s) const { return parts_[s].get(); }  // null: no such law
  bool rolls() const { return parts_[kRolling] || parts_[kTwisting]; }
  // Some law of the normal, adhesive or tangential force shares a limit among the contacts of a body.
  bool shares() const { return shares_; }
  // The elongation of the tangential spring, zero without one.
  Vec3d elongation(const double* history) const {
    if (!parts_[kTangential] || parts_[kTangential]->vectors == 0) return {};
    const double* s = history + vector_at_[kTangential];
    return {s[0], s[1], s[2]};
  }

  double form_range(double r_star) const { return reaches_ ? range(&LawPart::form_range, r_star) : 0; }
  double hold_range(double r_star) const { return reaches_ ? range(&LawPart::hold_range, r_star) : 0; }
  bool reaches() const { return reaches_; }  // some law acts across a gap

  // The history of a contact that did not exist at the last evaluation. It comes from a gap, `overlap_before` < 0; a
  // state that is given with overlapping bodies passes the overlap itself, and its springs are taken as they stand.
  void begin(Geometry<double> g, double overlap_before, double* history) const;

  Outcome<double> evaluate(const Touch<double>& touch, const Body<double>& i, const Body<double>& j, double dt,
                           const Kick& kick, double* history) const;

  // The contact opened within this step: the forces of the last evaluation act over half of it (trapezoid).
  Booking<double> open(Geometry<double> g, double overlap, const double* history) const;

  // The forces of the last evaluation over half a step of dt at the present velocities. The next evaluation books that;
  // for a contact that ends before, because a body is taken away, nobody does. What its springs hold is not touched.
  Booking<double> second_half(const Touch<double>& touch, const Body<double>& i, const Body<double>& j, double dt,
                              const double* history) const;

  // Adds what is stored in the springs of a contact to `energy` (an Energy of frame.h).
  template <class Energy>
  void store(Geometry<double> g, const double* history, Energy& energy) const {
    at_last(g, history);
    const double k = parts_[kNormal]->stiffness(g);
    auto of = [&](Slot s) {
      return parts_[s] ? parts_[s]->energy(g, k, history + scalar_at_[s], history + vector_at_[s]) : 0.0;
    };
    energy.elastic_normal += of(kNormal);
    energy.elastic_tangential += of(kTangential);
    energy.elastic_rolling += of(kRolling) + of(kTwisting);
    energy.adhesive += of(kAdhesion);
  }

 private:
  double range(double (LawPart::*kind)(double) const, double r_star) const {
    double most = 0;
    for (Slot s : {kNormal, kAdhesion})
      if (parts_[s]) most = max_of(most, (parts_[s].get()->*kind)(r_star));
    return most;
  }
  // Where the last pull of the adhesion lies; null without one.
  const double* pull(const double* history) const {
    return parts_[kAdhesion] ? history + scalar_at_[kAdhesion] : nullptr;
  }

  std::array<std::shared_ptr<const LawPart>, kSlots> parts_;
  std::array<int, kSlots> scalar_at_{}, vector_at_{};
  int size_ = 0;
  bool reaches_ = false, shares_ = false;
};

}  // namespace areia
