// libFuzzer target of the case files of PyParticles: what is imported can be written and read back.
#include "areia/case_file.h"
#include "fuzz.h"
#include "io/case/pyparticles.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  return fuzz::expect_typed_errors([&] {
    const ImportedCase imported = import_pyparticles(fuzz::text_of(data, size), "fuzz.ini");
    parse_case(to_toml(imported.settings), "imported.toml");
  });
}
