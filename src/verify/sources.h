// The works whose values the examples are compared with, in full.
#pragma once
#include <string>
#include <vector>

namespace areia::verify {

struct Work {
  std::string key;       // as entries name it: "000", "Haff 1983", "theory manual"
  std::string name;      // as pages write it: "Campello (2016)"
  std::string citation;  // authors, title, where and when it appeared
  std::string doi;       // "" : none
};

// In the order of the list that the pages end with.
const std::vector<Work>& works();

// Those that an entry's source names, in the order of the list.
std::vector<const Work*> works_in(const std::string& source);

// The source of an entry with the names of the works in place of their keys.
std::string source_text(const std::string& source);

}  // namespace areia::verify
