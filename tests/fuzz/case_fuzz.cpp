// libFuzzer target of the case parser: whatever the text, parse_case either returns a case that can be written and read
// back, or throws InputError with at least one problem. The first line may hold overrides, as after --set: "#!a=1;b=2".
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> overrides;
  if (text.starts_with("#!")) {
    std::string_view line = text.substr(2, text.find('\n') - 2);
    while (!line.empty()) {
      const std::size_t end = line.find(';');
      overrides.emplace_back(line.substr(0, end));
      if (end == std::string_view::npos) break;
      line.remove_prefix(end + 1);
    }
  }
  areia::Case c;
  try {
    c = areia::parse_case(text, "fuzz.toml", overrides);
  } catch (const areia::InputError& e) {
    if (e.problems.empty()) std::abort();
    return 0;
  }
  try {
    if (!(areia::parse_case(areia::to_toml(c), "resolved.toml") == c)) std::abort();
  } catch (const areia::InputError&) { std::abort(); }
  return 0;
}
