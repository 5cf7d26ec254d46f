#include "io/schema/key.h"

#include <cmath>

namespace areia::io {

std::string toml_number(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v < 0 ? "-inf" : "inf";
  std::string text = fmt::format("{}", v);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(const std::string& s) {
  std::string text = "\"";
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (u < 0x20 || u == 0x7F) {
      text += fmt::format("\\u{:04X}", u);
    } else {
      text += c;
    }
  }
  return text + "\"";
}

std::string toml_vector(const Vec3d& v) {
  return fmt::format("[{}, {}, {}]", toml_number(v.x), toml_number(v.y), toml_number(v.z));
}

std::string toml_key(const std::string& name) {
  bool bare = !name.empty();
  for (const char c : name)
    bare = bare && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-');
  return bare ? name : toml_text(name);
}

}  // namespace areia::io
