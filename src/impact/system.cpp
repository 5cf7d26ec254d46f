#include "impact/system.h"

namespace areia::impact {

std::vector<std::string> System::velocities() const {
  std::vector<std::string> names = coordinates();
  for (std::string& n : names) n = "d" + n;
  return names;
}

double System::gap_change(std::size_t contact, double t, const Vector& q, double dt, const Vector& dq) const {
  Vector moved = q;
  add(moved, 1, dq);
  return gap(contact, t + dt, moved) - gap(contact, t, q);
}

}  // namespace areia::impact
