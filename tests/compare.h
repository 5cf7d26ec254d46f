// Comparing frames and runs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support.h"

namespace areia::test {

// Largest difference of positions and velocities, over the largest value.
inline double difference(const Frame& a, const Frame& b) {
  double dx = 0, dv = 0, dw = 0, x = 0, v = 0, w = 0;
  EXPECT_EQ(a.particles.id, b.particles.id);
  for (std::size_t i = 0; i < a.particles.x.size(); ++i) {
    dx = std::max(dx, norm(a.particles.x[i] - b.particles.x[i]));
    dv = std::max(dv, norm(a.particles.v[i] - b.particles.v[i]));
    dw = std::max(dw, norm(a.particles.w[i] - b.particles.w[i]));
    x = std::max(x, norm(a.particles.x[i]));
    v = std::max(v, norm(a.particles.v[i]));
    w = std::max(w, norm(a.particles.w[i]));
  }
  return std::max({dx / x, dv / std::max(v, 1e-9), dw / std::max(w, 1e-9)});
}

// Of the last frame of a case.
inline std::string hash_of(const std::string& toml, const std::vector<std::string>& set) {
  return state_hash(last_frame(simulate(toml, set)));
}

}  // namespace areia::test
