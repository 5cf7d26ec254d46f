// A bag of named arrays: what a checkpoint holds. The engine fills and reads it, io/ puts it on disk.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace areia {

struct Archive {
  std::map<std::string, std::vector<double>> real;
  std::map<std::string, std::vector<std::int64_t>> integer;
  std::map<std::string, std::string> text;
};

}  // namespace areia
