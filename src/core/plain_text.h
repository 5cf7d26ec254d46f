// Texts of users for terminals and logs: what would act on a terminal is shown instead.
#pragma once
#include <string>
#include <string_view>

namespace areia {

// Control characters, also those of two bytes in UTF-8 (U+0080 to U+009F), become \x1b and the like. New lines and tabs
// stay where `layout` says so.
inline std::string plain_text(std::string_view text, bool layout = true) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  const auto show = [&](unsigned char c) { out.append("\\x").append(1, kDigits[c >> 4]).append(1, kDigits[c & 15]); };
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto c = static_cast<unsigned char>(text[k]);
    const auto next = static_cast<unsigned char>(k + 1 < text.size() ? text[k + 1] : 0);
    const bool stays = layout && (c == '\n' || c == '\t');
    if ((c < 0x20 && !stays) || c == 0x7f) show(c);
    else if (c == 0xc2 && next >= 0x80 && next < 0xa0) show(next), ++k;
    else out += text[k];
  }
  return out;
}

}  // namespace areia
