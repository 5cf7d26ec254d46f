#include "io/case/imported_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/plain_text.h"
#include "io/case/short_toml.h"

namespace areia {
namespace {

// As comments: each line behind a #, and nothing in it that TOML or a terminal takes for more than text.
void comment(std::string& out, const std::string& text) {
  std::string line = plain_text(text, false);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  out += (line.empty() ? "#" : "# " + line) + "\n";
}

}  // namespace

std::string imported_toml(const ImportedCase& imported, const std::string& file) {
  std::string out;
  comment(out, fmt::format("Imported from {} by areia import.", file.substr(file.find_last_of('/') + 1)));
  for (const std::string& w : imported.warnings) comment(out, w);
  if (!imported.notes.empty()) comment(out, "");
  for (const std::string& n : imported.notes) comment(out, "* " + n);
  if (!imported.left_out.empty()) {
    comment(out, "");
    comment(out, "Not taken over:");
  }
  for (const LeftOutLine& l : imported.left_out) {
    comment(out, fmt::format("{}:{}: {}", l.file.substr(l.file.find_last_of('/') + 1), l.line, l.text));
    comment(out, "    " + l.reason);
  }
  return out + "\n" + to_short_toml(imported.settings);
}

}  // namespace areia
