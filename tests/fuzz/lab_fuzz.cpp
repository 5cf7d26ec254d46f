// libFuzzer target of the case files of the impact lab.
#include "fuzz.h"
#include "lab/lab_case.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  return fuzz::expect_typed_errors([&] { lab::parse_lab_case(fuzz::text_of(data, size), "fuzz.toml"); });
}
