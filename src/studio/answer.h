// A request as the routes see it, and what they answer.
#pragma once
#include <charconv>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace areia::studio {

struct Answer {
  int status = 200;
  std::string type = "application/json", body;
  bool gzipped = false;
};
Answer as_answer(const nlohmann::json& value);
Answer ordered_answer(const nlohmann::ordered_json& value, int status = 200);  // keys as they were given
Answer refusal(int status, const std::string& why);

// "/api/run?run=a%20b" taken apart; false where it cannot be.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
  bool post = false;
  std::string body;        // of a POST
  std::uint64_t turn = 0;  // of a picture: Turns::enter
};
bool parse_target(std::string_view text, Target& target);
std::string value_of(const Target& target, const char* key);  // "" where there is none

template <class T>
std::optional<T> whole_number(const std::string& text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace areia::studio
