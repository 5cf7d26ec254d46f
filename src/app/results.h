// Results folders as commands are given them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "io/frames/vtk_frames.h"

namespace areia::app {

void require_folder(const std::string& results);                // throws FileError where there is none
std::vector<FrameEntry> frames_of(const std::string& results);  // at least one, or FileError
std::filesystem::path file_beside(const std::string& results, const char* ending);  // case.out: case.png

}  // namespace areia::app
