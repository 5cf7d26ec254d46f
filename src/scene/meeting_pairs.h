// Which materials can meet: two of particles, or one of particles and one of walls.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"

namespace areia {

struct MeetingPair {
  std::string a, b;        // a is of particles
  bool with_wall = false;  // b is of walls alone
  bool can_meet = true;    // false: two particles, and there is one at most
};

// Every pair of a material of particles with another or with that of a wall, in the order of the case. A pair that can
// meet needs a contact table; one that cannot may have one. The materials of walls that particles have as well come
// with those of the particles. Names that are no material of the case are left out.
std::vector<MeetingPair> meeting_pairs(const Case& c);

// The contact table that a pair uses and why, in words: "[contacts.default], since it has none of its own". Empty for a
// pair without laws.
std::string table_in_words(const Case& c, const MeetingPair& pair);

// Whether [contacts.default] serves a wall that would go with the grain's own table if there were no default.
bool default_takes_over(const Case& c, const MeetingPair& pair);

// Whether anything of the case can touch anything else.
bool anything_can_meet(const Case& c);

}  // namespace areia
