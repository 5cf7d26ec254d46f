// Helpers of the impact tests: reference values of tests/data/impact.json, random collisions.
#pragma once
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "impact/collision.h"
#include "impact/models.h"

namespace areia::impact::test {

inline const nlohmann::json& references() {
  static const nlohmann::json all = nlohmann::json::parse(std::ifstream(AREIA_SOURCE_DIR "/tests/data/impact.json"));
  return all;
}

inline const nlohmann::json& reference(const std::string& id) {
  for (const auto& c : references()["cases"])
    if (c["id"] == id) return c;
  throw std::runtime_error("no reference case " + id);
}

// Relative 1e-9, as the file asks; what should be zero is compared with the rounding of numbers of order one.
inline double allowed(double expected) { return std::max(1e-9 * std::fabs(expected), 1e-14); }

inline Model model_of(const nlohmann::json& run) {
  std::map<std::string, Written> params;
  for (const auto& [key, value] : run["params"].items())
    params[key] =
        value.is_string() ? Written{0, value.get<std::string>(), true} : Written{value.get<double>(), "", false};
  std::vector<Problem> problems;
  Model m = make_model(run["model"].get<std::string>(), params, "", problems);
  if (!problems.empty()) throw InputError(problems);
  return m;
}

inline LocalMass local_of(const nlohmann::json& j) {
  return {j.at("A"), j.at("B"), j.at("C"), j.value("D", 0.0), j.value("E", 0.0), j.value("F", 0.0)};
}
inline Pre pre_of(const nlohmann::json& j) { return {j.at("DNA"), j.at("DTA"), j.value("DthA", 0.0), {}}; }

// The numbers of an Impact by their names in the files.
inline const std::map<std::string, double (*)(const Impact&)>& fields() {
  using R = const Impact&;
  static const std::map<std::string, double (*)(R)> all = {{"IN", [](R r) { return r.I.N; }},
                                                           {"IT", [](R r) { return r.I.T; }},
                                                           {"Ith", [](R r) { return r.I.th; }},
                                                           {"INC", [](R r) { return r.IC.N; }},
                                                           {"ITC", [](R r) { return r.IC.T; }},
                                                           {"IthC", [](R r) { return r.IC.th; }},
                                                           {"INE", [](R r) { return r.IE.N; }},
                                                           {"ITE", [](R r) { return r.IE.T; }},
                                                           {"IthE", [](R r) { return r.IE.th; }},
                                                           {"DTC", [](R r) { return r.C.T; }},
                                                           {"DthC", [](R r) { return r.C.th; }},
                                                           {"DNE", [](R r) { return r.E.N; }},
                                                           {"DTE", [](R r) { return r.E.T; }},
                                                           {"DthE", [](R r) { return r.E.th; }},
                                                           {"dT", [](R r) { return r.dT; }},
                                                           {"dT_inertial", [](R r) { return r.dT_inertial; }},
                                                           {"WnC", [](R r) { return r.WnC; }},
                                                           {"WnE", [](R r) { return r.WnE; }},
                                                           {"Wt", [](R r) { return r.Wt; }},
                                                           {"ITS2", [](R r) { return r.ITS2; }},
                                                           {"ratio", [](R r) { return r.ratio; }},
                                                           {"ratio_used", [](R r) { return r.ratio_used; }},
                                                           {"ratio_critical", [](R r) { return r.ratio_critical; }},
                                                           {"reaction", [](R r) { return r.reaction; }}};
  return all;
}
inline double field(const Impact& r, const std::string& name) { return fields().at(name)(r); }

// Random collisions of two free bodies: Delta > 0, all signs of B and of the slip.
struct RandomCollisions {
  std::mt19937_64 random{20261115};

  double uniform(double lo, double hi) { return lo + (hi - lo) * std::ldexp(static_cast<double>(random() >> 11), -53); }
  FreeBody body() {
    return {uniform(0.1, 3), uniform(0.1, 6), uniform(-1, 1), uniform(-1, 1),
            uniform(-2, 2),  uniform(-2, 2),  uniform(-2, 2)};
  }
  struct Case {
    FreeBody body1, body2;
    LocalMass m;
    Pre a;
  };
  Case next() {
    for (;;) {
      Case c{body(), body(), {}, {}};
      c.m = local_mass(c.body1, c.body2);
      c.a = pre_impact(c.body1, c.body2);
      if (c.a.DNA < -1e-3) return c;
    }
  }
  Model model(Law law) {
    Model m{.law = law};
    m.e = uniform(0, 1);
    m.mu = law == Law::brach ? uniform(-1.5, 1.5) : uniform(0, 1.5);
    m.et = law == Law::walton || law == Law::fremond ? uniform(-1, 1) : uniform(0, 1);
    m.nu = uniform(0, 1);
    m.em = uniform(-1, 1);
    m.emC = uniform(-1, 1);
    m.emE = uniform(-1, 1);
    return m;
  }
};

}  // namespace areia::impact::test
