// Helpers of the physics tests: cases as TOML text, reference values from tests/data/dem.json.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "areia/areia.h"

namespace areia::test {

// Inputs, expected values and tolerance of a reference case; the file names the source of each.
inline nlohmann::json reference_case(const std::string& name) {
  static const nlohmann::json all = [] {
    std::ifstream file(AREIA_SOURCE_DIR "/tests/data/dem.json");
    return nlohmann::json::parse(file);
  }();
  for (const auto& c : all["cases"])
    if (c["case"] == name) return c;
  throw std::runtime_error("no reference case " + name);
}

inline Simulation simulate(const std::string& toml, const std::vector<std::string>& set = {},
                           Engine engine = Engine::cpu) {
  return Simulation(parse_case(toml, "test", set), engine);
}

// Takes steps one by one and looks at the particles after each.
inline void watch(Simulation& s, const std::function<void(const Frame&)>& look) {
  while (!s.finished()) {
    s.advance(1);
    look(s.frame());
  }
}

// Runs to the end and returns the last frame.
inline Frame last_frame(Simulation s) {
  while (!s.finished()) s.advance(1 << 20);
  return s.frame();
}

// The automatic step is the longest that is allowed, less than 1 % shorter to fit round times.
inline void expect_step(double dt, double longest) {
  EXPECT_LE(dt, (1 + 1e-5) * longest);
  EXPECT_GT(dt, 0.99 * longest);
}

}  // namespace areia::test
