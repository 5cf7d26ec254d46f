// Packings that have to be computed: layers that settle, particles that grow, packings that relax. Theory manual,
// section 15.
//
// Each such set is made by a simulation of its own, of a case derived from the user's: the other sets stand still,
// walls are where they start. The set is then replaced by the list of its particles, at rest; everything after that
// sees a list. The same case gives the same list, whatever the number of threads.
#pragma once
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "areia/case.h"

namespace areia {

struct PackingProgress {
  std::string set;
  double done = 0;             // share of the work, as far as can be told
  std::int64_t particles = 0;  // in place so far
};

struct Packing {
  std::vector<ListedParticle> particles;
  std::vector<std::string> notes;  // what was reached
};

// Packings that were made before, by everything that they depend on, as a text. What is recalled must be what was kept,
// bit by bit, and only what this very program kept.
struct PackingMemory {
  std::function<std::optional<Packing>(const std::string& depends_on)> recall = {};
  std::function<void(const std::string& depends_on, const Packing& packing)> keep = {};
};

struct PrepareOptions {
  std::function<void(const std::string&)> note = {};  // what was reached
  const std::atomic<int>* interrupt = nullptr;        // non-zero: give up, with a StoppedError
  std::function<void(const PackingProgress&)> progress = {};
  PackingMemory memory = {};
};

bool needs_preparation(const ParticleSet& set);
bool needs_preparation(const Case& c);

// A packing that carries its own weight may overlap more than what is placed by hand may.
void allow_packed_overlaps(Case& c);

// The case with lists in place of packings. Throws InputError where a packing cannot be made.
Case prepared(const Case& c, const PrepareOptions& options);

// The case without its packings: their sets wait for particles that never come, so that the time step knows their
// sizes.
Case without_packings(Case c);

}  // namespace areia
