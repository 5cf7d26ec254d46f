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
#include "observe/series_columns.h"
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

// The standard series of a run: energy.csv, walls.csv, particles.csv (when ids are tracked), state.csv, cell.csv (when
// it deforms) and breaks.csv (when there are bonds).
class SeriesSet {
 public:
  // Files are entered into the manifest of the folder, if it has one.
  SeriesSet(const std::filesystem::path& folder, std::vector<std::string> wall_names, Output output,
            std::optional<double> resume_time = {}, bool bonds = false, bool streams = false,
            Manifest* manifest = nullptr, const Domain& domain = {});
  void append(const Frame& frame);
  void sync();                        // before a checkpoint, so that a resumed run finds every line up to it
  void save(Archive& archive) const;  // how much of them there is

 private:
  std::vector<std::string> wall_names_;
  Output output_;
  bool bonds_, streams_;
  Domain domain_;
  SeriesWriter energy_, state_;
  std::optional<SeriesWriter> walls_, particles_, cell_, breaks_;
  std::size_t breaks_written_ = 0;
};

}  // namespace areia
