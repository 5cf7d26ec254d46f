// Comparing frames and runs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
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

// Two engines, one result: the states are the same bits, and so is all that frames and the ledger tell of them.
inline void expect_one_result(const Frame& a, const Frame& b, const std::string& what = "") {
  EXPECT_EQ(a.step, b.step) << what;
  EXPECT_EQ(a.contacts.size(), b.contacts.size()) << what;
  EXPECT_EQ(a.breaks.size(), b.breaks.size()) << what;
  EXPECT_EQ(state_hash(a), state_hash(b)) << what;
  EXPECT_EQ(a.particles.force, b.particles.force) << what;
  EXPECT_EQ(a.particles.torque, b.particles.torque) << what;
  EXPECT_EQ(a.lost, b.lost) << what;
  EXPECT_EQ(a.removed, b.removed) << what;
  EXPECT_EQ(a.inserted, b.inserted) << what;
  for (std::size_t k = 0; k < a.contacts.size() && k < b.contacts.size(); ++k)
    EXPECT_EQ(a.contacts[k].force, b.contacts[k].force) << what << ", contact " << k;
  for (std::size_t k = 0; k < a.bonds.size() && k < b.bonds.size(); ++k)
    EXPECT_EQ(a.bonds[k].force, b.bonds[k].force) << what << ", bond " << k;
  for (std::size_t k = 0; k < a.walls.size(); ++k) {
    EXPECT_EQ(a.walls[k].force, b.walls[k].force) << what << ", wall " << k;
    EXPECT_EQ(a.walls[k].torque, b.walls[k].torque) << what << ", wall " << k;
  }
  const std::pair<const char*, double Energy::*> entries[] = {
      {"kinetic", &Energy::kinetic},
      {"rotational", &Energy::rotational},
      {"potential", &Energy::potential},
      {"elastic_normal", &Energy::elastic_normal},
      {"elastic_tangential", &Energy::elastic_tangential},
      {"elastic_rolling", &Energy::elastic_rolling},
      {"adhesive", &Energy::adhesive},
      {"distant", &Energy::distant},
      {"bonds", &Energy::bonds},
      {"damping", &Energy::damping},
      {"sliding", &Energy::sliding},
      {"rolling", &Energy::rolling},
      {"adhesion", &Energy::adhesion},
      {"bond_damping", &Energy::bond_damping},
      {"broken", &Energy::broken},
      {"drag", &Energy::drag},
      {"wall_work", &Energy::wall_work},
      {"field_work", &Energy::field_work},
      {"removed", &Energy::removed},
      {"numerical", &Energy::numerical},
      {"turned_over", &Energy::turned_over},
      {"residual", &Energy::residual},
  };
  for (const auto& [name, entry] : entries) EXPECT_EQ(a.energy.*entry, b.energy.*entry) << what << ", " << name;
}

// Of the last frame of a case.
inline std::string hash_of(const std::string& toml, const std::vector<std::string>& set) {
  return state_hash(last_frame(simulate(toml, set)));
}

}  // namespace areia::test
