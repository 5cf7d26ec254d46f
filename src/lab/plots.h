// The source's pictures, from the results of a run.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "impact/diagram.h"

namespace areia::lab {

struct Results;

// The impulse plane (docs/impact.md, Impulse plane): I_T to the right, I_N upwards.
std::string diagram_svg(const impact::Diagram&, const std::string& title);

// File name and text of each picture that the results give: motion (the six panels of the source), impulses, strobe
// (positions at equal intervals), path of the centre, spin, and for a ball that turns back the cone of its velocities.
std::vector<std::pair<std::string, std::string>> lab_plots(const Results&);

// The laws of impact per stage as the source draws them: D_N over I_N, D_T over I_T with the bounds of friction,
// shifted by 2 I_TS = mu nu I_N sign(I_TC) + e e_t I_TC (docs/impact.md, Models). In units of I_NC = 1.
struct Characteristic {
  double e = 1, mu = 0.5, et = 0, nu = 0;
  double ITC = 0;  // tangential impulse of compression, |ITC| <= mu
};
std::string characteristic_svg(const Characteristic&, const std::string& title);

}  // namespace areia::lab
