// Which case a checkpoint belongs to: all of a case that its motion follows from, as a text of a few kilobytes. What no
// bit of a result depends on is not in it: title, [output], threads, skin, the limits of overlaps. Neither are stages
// that have not begun, so that a run may be given other ones, or more of them, before it goes on.
#pragma once
#include <cstddef>
#include <string>

#include "areia/case.h"

namespace areia {

class CaseIdentity {
 public:
  CaseIdentity() = default;
  explicit CaseIdentity(const Case& c);

  // With the first `stages` stages of the case.
  std::string text(std::size_t stages) const;

 private:
  Case head_;            // without particles and triangles, of which there may be many,
  std::string digests_;  // but with one line for each list of them
};

// The first line in which the case of a checkpoint differs from the present one, in words.
std::string first_difference(const std::string& of_checkpoint, const std::string& of_case);

}  // namespace areia
