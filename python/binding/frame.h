// A frame that Python holds: the state at an instant, and how a picture of it is to be looked at.
#pragma once
#include <memory>

#include "areia/frame.h"
#include "areia/simulation.h"
#include "binding.h"
#include "render/render.h"

namespace areia::python {

struct HeldFrame {
  std::shared_ptr<const Frame> frame;
  FrameChoice has;
  bool exact = true;           // of a simulation, not of files, which round
  bool contacts_known = true;  // those of its instant were recorded
  RenderOptions look;
};

FrameChoice choice_of(const std::vector<std::string>& fields);  // all without any; throws InputError

}  // namespace areia::python
