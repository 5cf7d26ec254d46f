// A series as columns: what SeriesWriter wrote, also while a run writes it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace areia {

struct SeriesTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  // all of one length; NaN for "does not exist" and for words
};

// A last line without its end is being written, or was torn, and is left out. Throws FileError where a line has more or
// fewer fields than there are names.
SeriesTable read_series(const std::filesystem::path& path);

}  // namespace areia
