// libFuzzer target of the results of the impact lab, and of the pictures made of them: run.json, events.json,
// animation.json and series.csv one after the other, with a line "%%" between them.
#include <array>

#include "fuzz.h"
#include "lab/plots.h"
#include "lab/results.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace areia;
  static const fuzz::Folder folder;
  std::string_view rest = fuzz::text_of(data, size);
  for (const char* name : {"run.json", "events.json", "animation.json", "series.csv"}) {
    const std::string_view part = rest.substr(0, rest.find("\n%%\n"));
    folder.write(name, part);
    rest.remove_prefix(std::min(rest.size(), part.size() + 4));
  }
  return fuzz::expect_typed_errors([&] { lab::lab_plots(lab::read_results(folder.path())); });
}
