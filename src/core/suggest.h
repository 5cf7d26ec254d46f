// "Did you mean ...?": the nearest of a set of words.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace areia {

// Smallest number of insertions, deletions, replacements and swaps of neighbours that turn a into b.
int edit_distance(std::string_view a, std::string_view b);

// " (did you mean `young`?)" for the nearest word within a third of its length, or "".
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace areia
