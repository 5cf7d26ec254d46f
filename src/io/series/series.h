// Numbers over time as CSV. The first column is time_s; every column name ends with its unit ("kinetic_J"), a count
// has none. Numbers are written with as many digits as are needed to read them back exactly.
#pragma once
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "areia/archive.h"
#include "areia/case.h"
#include "areia/frame.h"
#include "areia/simulation.h"
#include "io/files/append_file.h"
#include "observe/series_names.h"

namespace areia {

class Manifest;

// NAME.csv of a results folder.
std::filesystem::path series_file(const std::filesystem::path& folder, std::string_view name);

class SeriesWriter {
 public:
  // Without a resume time an older file is replaced. With one, lines later than it and a torn last line go; the columns
  // must be those of the file.
  SeriesWriter(const std::filesystem::path& path, const std::vector<std::string>& columns,
               std::optional<double> resume_time = {});

  // One line, flushed to the system; NaN stands for "does not exist". A word fills the last column.
  void append(std::span<const double> values, std::string_view word = {});
  // A line at the time of the last one is left out: two lines of one instant would break derivatives.
  void append_if_later(std::span<const double> values);
  void append_if_later(const std::vector<std::vector<double>>& lines);  // of one instant, all of them or none
  void sync() { file_.sync(); }
  void save(Archive& archive) const;  // how much of it there is, for `lost_series`
  bool is_in(const Archive& archive) const;

 private:
  std::string line_of(std::span<const double> values, std::string_view word) const;

  AppendFile file_;
  std::size_t width_;
  double last_time_;
};

// One text for each series of which less is there than when the archive was saved.
std::vector<std::string> lost_series(const std::filesystem::path& folder, const Archive& archive);

// ---- columns and values of the standard series ----

std::vector<std::string> energy_columns();
std::vector<double> energy_values(const Frame& frame);

// Force, torque and place of each named wall; NaN while the wall is not there.
std::vector<std::string> wall_columns(const std::vector<std::string>& wall_names);
std::vector<double> wall_values(const Frame& frame, const std::vector<std::string>& wall_names);

// Position, velocity, spin of each tracked id; NaN for a particle that is not in the frame.
std::vector<std::string> track_columns(const std::vector<std::int64_t>& ids);
std::vector<double> track_values(const Frame& frame, const std::vector<std::int64_t>& ids);

// particles, contacts, mean coordination of the free particles, largest overlap over the smaller radius, lost, removed,
// inserted where the case has streams, the solid fraction of each region, and the numbers of bonds and of broken ones
// where it has bond sets.
std::vector<std::string> state_columns(const std::vector<SolidFractionRegion>& regions, bool bonds = false,
                                       bool streams = false);
std::vector<double> state_values(const Frame& frame, const std::vector<SolidFractionRegion>& regions,
                                 bool bonds = false, bool streams = false);

// The implicit scheme: counts since the start, size and errors of the last step.
std::vector<std::string> implicit_columns();
std::vector<double> implicit_values(double time, const ImplicitStatistics& statistics);

// One line per bond that broke: time, ids (j = -1 at a wall), index of the wall (-1: none), index of the bond set,
// point, force and its parts along and across the line of centres, and as a word what broke it.
std::vector<std::string> break_columns();
std::vector<double> break_values(const FrameBreak& b);  // all but the word
std::string_view break_word(BreakMode mode);

// The standard series of a run: energy.csv, walls.csv, particles.csv (when ids are tracked), state.csv and breaks.csv
// (when there are bonds).
class SeriesSet {
 public:
  // Files are entered into the manifest of the folder, if it has one.
  SeriesSet(const std::filesystem::path& folder, std::vector<std::string> wall_names, Output output,
            std::optional<double> resume_time = {}, bool bonds = false, bool streams = false,
            Manifest* manifest = nullptr);
  void append(const Frame& frame);
  void sync();                        // before a checkpoint, so that a resumed run finds every line up to it
  void save(Archive& archive) const;  // how much of them there is

 private:
  std::vector<std::string> wall_names_;
  Output output_;
  bool bonds_, streams_;
  SeriesWriter energy_, state_;
  std::optional<SeriesWriter> walls_, particles_, breaks_;
  std::size_t breaks_written_ = 0;
};

}  // namespace areia
