// The frames of a run on disk: frames/{particles,contacts,walls,bonds}_000012.vtp (bonds where the case has any), and
// in the results folder particles.pvd, contacts.pvd, walls.pvd, bonds.pvd and all.pvd, which ParaView opens as time
// series. A .pvd names only complete files.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/frame.h"

namespace areia {

class Manifest;

struct FrameEntry {
  int index = 0;  // number in the file name
  double time = 0;
  bool has_contacts = false, has_walls = false, has_bonds = false;
};

class FrameWriter {
 public:
  // Without a resume time the folder must not hold frames yet. With one, frames later than it (of the part of the run
  // that will be repeated) are taken out of the .pvd files and then deleted, and numbering goes on after the rest.
  // Files are entered into the manifest of the folder, if it has one.
  explicit FrameWriter(std::filesystem::path folder, std::optional<double> resume_after_time = {}, Output what = {},
                       Manifest* manifest = nullptr);

  // A frame at the time of the last one replaces it: two frames of one instant would confuse a time series. The last
  // frame of a run has contacts whatever their interval, as the first one has.
  void write(const Frame& frame, bool last = false);

  const std::vector<FrameEntry>& frames() const { return frames_; }

 private:
  void write_collections() const;
  void remove(const std::vector<std::filesystem::path>& files) const;
  bool contacts_are_due(const Frame& frame) const;

  std::filesystem::path folder_;
  Output what_;
  Manifest* manifest_;
  std::vector<FrameEntry> frames_;
};

// A .pvd with these data sets, each a line of data_set_line().
std::string data_set_line(double time, int part, std::string_view name, const std::string& file);
void write_collection(const std::filesystem::path& path, const std::string& data_sets);

// Whether a name below a results folder, "frames/walls_000003.vtp" or "all.pvd", is one of these files.
bool is_frame_file(const std::string& name);

// The complete frames in a results folder, by time; empty when there are none.
std::vector<FrameEntry> list_frames(const std::filesystem::path& folder);

std::filesystem::path particles_file(const std::filesystem::path& folder, int index);
std::filesystem::path contacts_file(const std::filesystem::path& folder, int index);
std::filesystem::path walls_file(const std::filesystem::path& folder, int index);
std::filesystem::path bonds_file(const std::filesystem::path& folder, int index);

Frame read_frame(const std::filesystem::path& folder, const FrameEntry& entry);
// The frame nearest in time (infinity: the last one).
Frame read_frame(const std::filesystem::path& folder, double time);

}  // namespace areia
