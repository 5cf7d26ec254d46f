#include "io/series/series_table.h"

#include <fmt/format.h>

#include <limits>
#include <string_view>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/line_pieces.h"

namespace areia {

namespace {

// Names may stand in quotes (io::csv_field), with commas within; values never do.
std::vector<std::string> names_of(std::string_view line) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"') names.back() += line[k++];
    else if (line[k] == '"') quoted = !quoted;
    else if (line[k] == ',' && !quoted) names.emplace_back();
    else names.back() += line[k];
  }
  return names;
}

}  // namespace

SeriesTable read_series(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  SeriesTable table;
  std::vector<std::string_view> fields;
  std::size_t at = 0;
  for (std::size_t line = 1, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1, ++line) {
    const std::string_view words = std::string_view(text).substr(at, end - at);
    if (line == 1) {
      table.names = names_of(words);
      table.columns.resize(table.names.size());
      continue;
    }
    io::split_at_commas(words, fields);
    if (fields.size() != table.names.size())
      throw FileError(
          fmt::format("{}:{}: has {} fields, not {}", path.string(), line, fields.size(), table.names.size()));
    for (std::size_t k = 0; k < fields.size(); ++k) {
      double& value = table.columns[k].emplace_back();
      if (!io::read_number(fields[k], value)) value = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return table;
}

}  // namespace areia
