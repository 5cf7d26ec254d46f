#include "io/case/motion_csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "io/files/line_pieces.h"

namespace areia::io {

namespace {

constexpr std::string_view kNames[] = {"t", "x", "y", "z", "ax", "ay", "az"};

double& part(MotionRow& row, std::size_t name) {
  double* const parts[] = {&row.time, &row.shift.x, &row.shift.y, &row.shift.z, &row.turn.x, &row.turn.y, &row.turn.z};
  return *parts[name];
}

}  // namespace

void parse_motion_csv(std::string_view text, const std::string& file, std::vector<MotionRow>& rows,
                      std::vector<Problem>& problems) {
  std::vector<std::size_t> columns;
  const std::size_t before = problems.size();
  int line = 0;
  const auto wrong = [&](std::string_view key, std::string_view value, std::string rule) {
    problems.push_back({file, line, std::string(key), std::string(value), std::move(rule)});
  };
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && problems.size() < 20) {
    ++line;
    const std::size_t end = text.find('\n');
    std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    content = trimmed(content.substr(0, content.find('#')));
    if (content.empty()) continue;
    std::vector<std::string_view> pieces;
    split_at_commas(content, pieces);
    if (columns.empty()) {
      bool timed = false;
      for (const std::string_view name : pieces) {
        std::size_t k = 0;
        while (k < std::size(kNames) && kNames[k] != name) ++k;
        if (k == std::size(kNames)) wrong("header", name, "unknown column; known are t, x, y, z, ax, ay, az");
        columns.push_back(k);
        timed = timed || k == 0;
      }
      if (!timed) wrong("header", "", "column `t` is missing");
      continue;
    }
    if (pieces.size() != columns.size()) {
      wrong("line", fmt::format("{} fields", pieces.size()),
            fmt::format("must have {} fields, as the header", columns.size()));
      continue;
    }
    MotionRow row;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      if (columns[k] == std::size(kNames)) continue;
      double value = 0;
      const std::string_view f = pieces[k].starts_with('+') ? pieces[k].substr(1) : pieces[k];
      const auto [stop, code] = std::from_chars(f.data(), f.data() + f.size(), value);
      if (code != std::errc() || stop != f.data() + f.size() || !std::isfinite(value))
        wrong(kNames[columns[k]], pieces[k], "must be a finite number, in SI units, without unit");
      part(row, columns[k]) = value;
    }
    if (!rows.empty() && !(row.time > rows.back().time)) wrong("t", fmt::format("{}", row.time), "times must ascend");
    rows.push_back(row);
  }
  if (!columns.empty() && rows.size() < 2 && problems.size() == before)
    wrong("line", fmt::format("{}", rows.size()), "at least two lines are needed");
  if (columns.empty()) wrong("header", "", "is missing: the first line names the columns, as in t,x,y,z");
}

}  // namespace areia::io
