// What is made of a case of another program.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"

namespace areia {

// A line of the other program that no part of the case stands for.
struct LeftOutLine {
  std::string file;
  int line = 0;
  std::string text, reason;
};

struct ImportedCase {
  Case settings;
  std::vector<std::string> warnings;  // what has no effect, or is told in another way here
  std::vector<std::string> notes;     // how what means something else here was translated
  std::vector<LeftOutLine> left_out;  // in the order of the lines
};

// The case file: notes and lines left out as comments at its head, then the case, without what has its default.
std::string imported_toml(const ImportedCase& imported, const std::string& file);

}  // namespace areia
