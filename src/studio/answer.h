// A request as the routes see it, and what they answer.
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace areia::studio {

struct Answer {
  int status = 200;
  std::string type = "application/json", body;
  bool gzipped = false;
};
Answer as_answer(const nlohmann::json& value);
Answer refusal(int status, const std::string& why);

// "/api/run?run=a%20b" taken apart; false where it cannot be.
struct Target {
  std::string path;
  std::map<std::string, std::string> query;
  bool post = false;
  std::string body;  // of a POST
};
bool parse_target(std::string_view text, Target& target);
std::string value_of(const Target& target, const char* key);  // "" where there is none

}  // namespace areia::studio
