// A document read, and where its keys stand.
#pragma once
#include "io/case/case_document.h"

namespace areia::python {

struct ReadCase {
  explicit ReadCase(const io::CaseDocument& d) : settings(d.read(&places)) {}
  KeyPlaces places;
  Case settings;
};

}  // namespace areia::python
