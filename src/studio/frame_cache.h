// Frames of results folders as they are asked for: of a frame only what is needed is read, and the last few stay in
// memory, since other arrays, single particles and pictures of the same frame come next.
#pragma once
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "areia/frame.h"
#include "io/frames/frame_files.h"
#include "io/frames/vtk_frames.h"

namespace areia::studio {

// What is needed of a frame beside places, radii, kinds and walls.
struct Needs {
  std::set<std::string> arrays;
  bool all_arrays = false;
  bool lines = false;  // contacts and bonds

  bool covers(const Needs& other) const;
  void add(const Needs& other);
};

struct KeptFrame {
  Frame frame;
  std::vector<ParticleColumn> arrays;  // that its file has; names and components alone
};

// Safe to be asked by several threads.
class FrameCache {
 public:
  std::shared_ptr<const KeptFrame> get(const std::filesystem::path& folder, const FrameEntry& entry,
                                       const Needs& needs);

 private:
  struct Kept {
    std::filesystem::path folder;
    int index = -1;
    std::filesystem::file_time_type changed;  // a run may begin anew
    Needs has;
    std::size_t bytes = 0;
    std::shared_ptr<const KeptFrame> frame;
  };
  std::mutex mutex_;
  std::list<Kept> kept_;  // the last one asked for first
};

}  // namespace areia::studio
