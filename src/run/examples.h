// The examples that come with the program: beside an installed one (share/areia/examples), or in the source tree it was
// built from.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace areia {

struct Example {
  std::string name;   // of its folder
  std::string title;  // first line of its README
  std::string text;   // first paragraph after it
  std::filesystem::path folder;
};

std::vector<Example> find_examples();  // those with a case.toml, by name; throws FileError where there are none

}  // namespace areia
