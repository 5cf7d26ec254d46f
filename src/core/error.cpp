#include "areia/error.h"

#include <fmt/format.h>

namespace areia {

std::string to_string(const Problem& p) {
  std::string where = p.file;
  if (p.line > 0) where += fmt::format(":{}", p.line);
  if (!where.empty()) where += ": ";
  if (p.key.empty()) return fmt::format("{}{}{}{}", where, p.value, p.value.empty() ? "" : ": ", p.rule);
  return p.value.empty() ? fmt::format("{}{}: {}", where, p.key, p.rule)
                         : fmt::format("{}{} = {}: {}", where, p.key, p.value, p.rule);
}

static std::string joined(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& p : problems) text.append(text.empty() ? "" : "\n").append(to_string(p));
  return text;
}

InputError::InputError(std::vector<Problem> p) : Error(joined(p)), problems(std::move(p)) {}

}  // namespace areia
