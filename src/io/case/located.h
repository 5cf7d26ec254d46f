// Problems that are found when a case is at work, with the file and line of their keys.
#pragma once
#include <utility>

#include "areia/case_file.h"

namespace areia {

// f(), whose problems get the place of their keys. Those of the command line ("--out") have none.
template <class F>
auto located(const KeyPlaces& places, F&& f) {
  try {
    return f();
  } catch (InputError& e) {
    for (Problem& p : e.problems)
      if (p.file.empty() && !p.key.starts_with("--")) locate(p, places);
    throw InputError(std::move(e.problems));
  }
}

}  // namespace areia
