// Collision models side by side at one contact, over a sweep of one parameter.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "impact/collision.h"
#include "impact/models.h"

namespace areia::lab {

struct Sweep {
  std::string name;  // a coefficient (mu, e, et, ...) or "angle": of the bar, with the relative velocities kept
  std::vector<double> values;
};
// "mu=0:1:0.05" (from, to, step) or "mu=0.1,0.4,1". Throws InputError.
Sweep parse_sweep(const std::string& text);

struct Comparison {
  impact::LocalMass mass;
  impact::Pre pre;
  double bar_mass = 1,
         bar_length = 1;  // for a sweep of the angle: contact `bar_end` of a bar with this mass and length
  int bar_end = 0;        // 0 left, 1 right
  std::map<std::string, impact::Written> params;
  std::vector<std::string> models;
  Sweep sweep;
};

struct ComparedRow {
  double value = 0;
  std::vector<impact::Impact> impacts;  // one per model
};

// Coefficients that a model does not know are left out for it; values outside their range are InputErrors.
std::vector<ComparedRow> compare(const Comparison&);

// The inverse local mass matrix of a slender bar at an angle (10.1).
impact::LocalMass bar_local_mass(double mass, double length, double angle, int end);

// One number per model and value, "*" where energy is gained, a status where there is no solution.
std::string compare_table(const Comparison&, const std::vector<ComparedRow>&, const std::string& quantity);
std::string compare_csv(const Comparison&, const std::vector<ComparedRow>&);
std::string compare_svg(const Comparison&, const std::vector<ComparedRow>&, const std::string& title);
nlohmann::ordered_json compare_json(const Comparison&, const std::vector<ComparedRow>&);

// Names that compare_table takes.
std::vector<std::string> compared_quantities();

}  // namespace areia::lab
