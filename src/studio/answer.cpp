#include "studio/answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace areia::studio {

using nlohmann::json;

namespace {

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool decode(std::string_view text, std::string& plain) {
  plain.clear();
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      plain += text[k] == '+' ? ' ' : text[k];
      continue;
    }
    if (k + 2 >= text.size() || digit(text[k + 1]) < 0 || digit(text[k + 2]) < 0) return false;
    plain += static_cast<char>(16 * digit(text[k + 1]) + digit(text[k + 2]));
    k += 2;
  }
  return plain.find('\0') == std::string::npos;
}

}  // namespace

Answer as_answer(const json& value) {
  return {200, "application/json", value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

Answer ordered_answer(const nlohmann::ordered_json& value, int status) {
  return {status, "application/json", value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

Answer refusal(int status, const std::string& why) {
  Answer answer = as_answer({{"error", why}});
  answer.status = status;
  return answer;
}

std::string value_of(const Target& target, const char* key) {
  const auto found = target.query.find(key);
  return found == target.query.end() ? std::string{} : found->second;
}

bool parse_target(std::string_view text, Target& target) {
  const std::size_t mark = text.find('?');
  if (!text.starts_with('/') || !decode(text.substr(0, mark), target.path)) return false;
  if (mark == std::string_view::npos) return true;
  std::string_view rest = text.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view piece = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
    const std::size_t equal = piece.find('=');
    std::string key, value;
    if (equal == std::string_view::npos || !decode(piece.substr(0, equal), key) ||
        !decode(piece.substr(equal + 1), value) || !target.query.emplace(key, value).second)
      return false;
  }
  return true;
}

}  // namespace areia::studio
