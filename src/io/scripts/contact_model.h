// Contacts as LAMMPS describes them, in SI units, and what becomes of them.
#pragma once
#include <optional>

#include "areia/case.h"

namespace areia::io {

struct ContactModel {
  enum class Elastic { hertz, linear, jkr, dmt };
  enum class Damping { velocity, mass_velocity, viscoelastic, tsuji, restitution };
  enum class Tangential { none, linear, mindlin };
  Elastic elastic = Elastic::linear;
  double e_star = 0;  // hertz, jkr, dmt: of the pair, Pa
  double poisson = 0.25;
  double stiffness = 0;       // linear: N/m
  double surface_energy = 0;  // jkr, dmt: of one of the two surfaces, J/m^2
  Damping damping = Damping::viscoelastic;
  double eta = 0;     // as the damping has it
  bool pulls = true;  // no limit_damping
  Tangential tangential = Tangential::none;
  std::optional<double> kt;      // linear: N/m; mindlin: k_t/a in Pa, else 8 G*
  double tangential_damper = 0;  // over that of the normal force
  double mu = 0;
  bool keeps_force = false, rescales = false;
  bool rolls = false;
  double roll_stiffness = 0, roll_damper = 0, roll_mu = 0;  // N/m, N s/m
};

// The two bodies of a contact: what a law may depend on and ours does not.
struct MeetingBodies {
  double m_star = 0, r_star = 0, speed = 0;
};

// The restitution of a head-on impact of these bodies. Their law may make it depend on mass and speed.
double restitution_of(const ContactModel& m, const MeetingBodies& b);

// The damping ratio on the stiffness 2 E* a, or on the linear spring; nothing where it changes with the overlap.
std::optional<double> damping_ratio(const ContactModel& m, const MeetingBodies& b);

// Parameters that are missing for two types are geometric means of those of each.
ContactModel mixed(const ContactModel& a, const ContactModel& b);

}  // namespace areia::io
