// Errors that the library throws. Nothing below app/ prints or exits; each type has its own exit code there.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace areia {

// One broken rule of an input: where it stands, what was written, which rule it breaks.
struct Problem {
  std::string file;   // "" when the input did not come from a file
  int line = 0;       // 1-based; 0 when unknown
  std::string key;    // full path, "materials.grain.young"
  std::string value;  // as written
  std::string rule;   // the rule and, where possible, what would be right
};

// "case.toml:12: materials.grain.young = -3   must be positive"
std::string to_string(const Problem& p);

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Wrong input: all problems at once (exit code 2).
struct InputError : Error {
  explicit InputError(std::vector<Problem> p);
  InputError(std::string key, std::string value, std::string rule)
      : InputError(std::vector<Problem>{{"", 0, std::move(key), std::move(value), std::move(rule)}}) {}
  std::vector<Problem> problems;
};

// The simulation cannot go on: blow-up, or a particle left a domain that says stop (exit code 3).
struct StoppedError : Error {
  using Error::Error;
};

// A file could not be read or written (exit code 4).
struct FileError : Error {
  using Error::Error;
};

}  // namespace areia
