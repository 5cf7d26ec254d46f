// Holds the engines against each other: frame by frame, with odd books, and from each other's checkpoints.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/bookkeeping.h"
#include "support.h"

namespace areia::test {

inline constexpr const char* kSchemes[] = {"drift_kick", "kick_drift", "velocity_verlet", "forward_euler", "trapezoid"};

inline std::string scheme(const std::string& name) { return fmt::format("numerics.scheme=\"{}\"", name); }

// Two grains that meet off centre, turning.
inline const std::string kPair = R"(
[materials.grain]
density = 2500
young = 5e6
poisson = 0.25
[contacts.default]
normal = { law = "hertz", restitution = 0.5 }
tangential = { law = "coulomb_history", mu = 0.4, xi = 0.1 }
rolling = { law = "constant", mu = 0.1 }
[particles.grains]
material = "grain"
radius = 0.01
list = [{ x = [0, 0, 0], v = [1, 0.1, 0.2], w = [5, 0, 3] }, { x = [0.022, 0.004, 0.003], v = [-0.7, 0, 0], radius = 0.008 }]
[numerics]
dt = 2e-5
[[stages]]
name = "a"
duration = 0.02
)";

struct Seen {
  std::size_t contacts = 0;  // of all frames
  bool on_device = false;    // the cuda engine took part
  Frame end;
};

using Make = std::function<Simulation(Engine, const Bookkeeping&)>;

// Few particles per chunk, in a random order in memory, with lists made anew every few steps.
inline const Bookkeeping kOdd{.chunk_size = 8, .shuffle = 20, .extra_lists = 5};

// The kernels of the cuda engine, on the host.
inline const Bookkeeping kOnHost{.device_on_host = true};

// Both engines, frame by frame, to the end, a third run that keeps odd books, and, where it does all of the case, the
// cuda engine with its kernels on the host. The first two go on from each other's checkpoints now and then; the others
// never stop.
inline Seen expect_one_result(const Make& make, const std::string& what, std::int64_t every = 7) {
  const auto fresh = [&](Engine engine, const Bookkeeping& books = {}) {
    return std::make_unique<Simulation>(make(engine, books));
  };
  auto fast = fresh(Engine::cpu), slow = fresh(Engine::reference), odd = fresh(Engine::cpu, kOdd);
  Seen seen;
  std::unique_ptr<Simulation> device;
  try {
    device = fresh(Engine::cuda, kOnHost);
    seen.on_device = true;
  } catch (const InputError&) {  // it says what it does not do
  }
  for (int frames = 1; !slow->finished(); ++frames) {
    for (Simulation* s : {fast.get(), slow.get(), odd.get()}) s->advance(every);
    const Frame a = fast->frame(), b = slow->frame(), c = odd->frame();
    seen.contacts += b.contacts.size();
    seen.end = b;
    EXPECT_EQ(a.contacts.size(), b.contacts.size()) << what << " at " << b.time;
    EXPECT_EQ(state_hash(a), state_hash(b)) << what << " at " << b.time << " s, step " << b.step;
    EXPECT_EQ(state_hash(c), state_hash(b)) << what << " with odd books at " << b.time << " s, step " << b.step;
    if (device) {
      device->advance(every);
      const Frame d = device->frame();
      EXPECT_EQ(state_hash(d), state_hash(b)) << what << " on the device at " << b.time << " s, step " << b.step;
      EXPECT_EQ(d.energy.residual, b.energy.residual) << what << " on the device at " << b.time << " s";
    }
    EXPECT_EQ(a.energy.residual, b.energy.residual) << what << " at " << b.time << " s, step " << b.step;
    if (testing::Test::HasFailure()) break;  // it does not get better
    if (frames != 3 && frames != 20 && frames != 21) continue;
    const Archive of_fast = fast->save(), of_slow = slow->save();
    fast = fresh(Engine::cpu, frames == 20 ? kOdd : Bookkeeping{});
    slow = fresh(Engine::reference);
    fast->load(of_slow);
    slow->load(of_fast);
  }
  EXPECT_EQ(fast->finished(), slow->finished()) << what;
  return seen;
}

inline Seen expect_one_result(const std::string& toml, const std::vector<std::string>& set = {},
                              std::int64_t every = 7) {
  std::string what;
  for (const std::string& s : set) what += s + " ";
  return expect_one_result(
      [&](Engine engine, const Bookkeeping& books) { return Simulation(parse_case(toml, "test", set), engine, books); },
      what, every);
}

}  // namespace areia::test
