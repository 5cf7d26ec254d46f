// Packings that have to be computed: layers that settle, particles that grow, packings that relax. Theory manual,
// section 15.
//
// Each such set is made by a simulation of its own, of a case derived from the user's: the other sets stand still,
// walls are where they start. The set is then replaced by the list of its particles, at rest; everything after that
// sees a list. The same case gives the same list, whatever the number of threads.
#pragma once
#include <atomic>
#include <functional>
#include <string>

#include "areia/case.h"

namespace areia {

struct PrepareOptions {
  std::function<void(const std::string&)> note = {};  // what was reached
  const std::atomic<int>* interrupt = nullptr;        // non-zero: give up, with a StoppedError
};

bool needs_preparation(const ParticleSet& set);
bool needs_preparation(const Case& c);

// A packing that carries its own weight may overlap more than what is placed by hand may.
void allow_packed_overlaps(Case& c);

// The case with lists in place of packings. Throws InputError where a packing cannot be made.
Case prepared(const Case& c, const PrepareOptions& options);

}  // namespace areia
