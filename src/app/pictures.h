// What the commands that draw frames share: options of the command line, one view and scale for all frames of a run.
#pragma once
#include <string>
#include <vector>

#include "app/commands.h"
#include "io/frames/vtk_frames.h"
#include "render/render.h"

namespace areia::app {

struct PictureArguments {
  std::string colour = "speed", size = "1200x900", up, direction, range, eye, target;
  std::vector<std::string> cuts;
  double zoom = 1, field_of_view = ViewCamera{}.field_of_view;
  bool contacts = false, arrows = false, marks = false, no_walls = false, no_legend = false, no_text = false,
       no_axes = false, flat = false;
};

void add_picture_options(CLI::App& command, PictureArguments& a);

// What the arguments, the case and the frames of a results folder say. Throws InputError.
RenderOptions picture_options(const PictureArguments& a, const std::string& results,
                              const std::vector<FrameEntry>& frames);

// One view and one colour scale for every frame, so that a film neither jumps nor flickers. Reads all frames.
void hold_still(RenderOptions& options, const std::string& results, const std::vector<FrameEntry>& frames);

}  // namespace areia::app
