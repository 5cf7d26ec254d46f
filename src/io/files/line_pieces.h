// Pieces of lines, as the readers of text files need them.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace areia::io {

// Without blanks at both ends.
inline std::string_view trimmed(std::string_view s) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t begin = s.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? "" : s.substr(begin, s.find_last_not_of(kSpace) - begin + 1);
}

// What stands between commas.
inline void split_at_commas(std::string_view line, std::vector<std::string_view>& pieces) {
  pieces.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    pieces.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

// A field of comma separated values: in quotes where it must be, and in one line.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + '"';
}

// The words of a line, whatever blanks stand between them.
inline void split_at_blanks(std::string_view line, std::vector<std::string_view>& words) {
  constexpr std::string_view kSpace = " \t\r";
  words.clear();
  for (std::size_t at = 0; (at = line.find_first_not_of(kSpace, at)) != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(kSpace, at);
    words.push_back(line.substr(at, end == std::string_view::npos ? end : end - at));
    at = end == std::string_view::npos ? line.size() : end;
  }
}

// A number, with or without a sign, and nothing else.
template <class T>
bool read_number(std::string_view word, T& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

// A number as the id that it means: whole, and below 2^53, from where a double no longer names one.
inline std::optional<std::int64_t> as_id(double v) {
  if (!(std::fabs(v) <= 0x1p53) || v != std::floor(v)) return std::nullopt;
  return static_cast<std::int64_t>(v);
}

}  // namespace areia::io
