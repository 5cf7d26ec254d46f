// libFuzzer target of tabulated motions as comma separated values.
#include "fuzz.h"
#include "io/case/motion_csv.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  return fuzz::expect_typed_errors([&] {
    std::vector<MotionRow> rows;
    std::vector<Problem> problems;
    io::parse_motion_csv(fuzz::text_of(data, size), "fuzz.csv", rows, problems);
  });
}
