// libFuzzer target of collisions as JSON: read, checked, solved and written back.
#include "fuzz.h"
#include "impact/solve_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  return fuzz::expect_typed_errors(
      [&] { impact::solve_text(fuzz::text_of(data, size), "fuzz.json", {}, [](std::string_view) {}); });
}
