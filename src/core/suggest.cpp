#include "core/suggest.h"

#include <fmt/format.h>

#include <algorithm>

namespace areia {

int edit_distance(std::string_view a, std::string_view b) {
  // Row by row of the table D(i, j) = distance of the first i letters of a from the first j of b; a swap of
  // neighbours needs the row before the last.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestWord = 64;  // nobody mistypes more; keeps hostile input cheap
  if (word.size() > kLongestWord) return "";
  const std::string* best = nullptr;
  int nearest = 0;
  for (const std::string& k : known) {
    const int distance = edit_distance(word, k);
    const int allowed = std::max<int>(1, static_cast<int>(std::max(word.size(), k.size())) / 3);
    if (distance <= allowed && (!best || distance < nearest)) {
      best = &k;
      nearest = distance;
    }
  }
  // An abbreviation such as `temp` for `temperature` is far in edits but near in meaning.
  if (!best && word.size() >= 3)
    for (const std::string& k : known)
      if (k.starts_with(word) || (k.size() >= 3 && word.starts_with(k))) best = best ? best : &k;
  return best ? fmt::format(" (did you mean `{}`?)", *best) : "";
}

}  // namespace areia
