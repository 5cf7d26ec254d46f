// The measures of a run: each looks at frames in a rhythm of its own, that of the series if it has none, and writes
// NAME.csv and, where it has pictures, VTK files.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "areia/archive.h"
#include "areia/observe.h"
#include "io/frames/field_files.h"
#include "io/series/series.h"
#include "run/rhythm.h"

namespace areia {

class Manifest;

struct MeasureTimes {
  double dt = 0, now = 0;
  double series = 0;                  // s between lines of the series
  std::optional<double> resume_time;  // as of SeriesWriter
};

class MeasureFiles {
 public:
  // `loaded` is the archive of the checkpoint that the run goes on from, if there is one. Regions of the measures of
  // the case repeat with the domain.
  MeasureFiles(const std::filesystem::path& folder, const Case& c, const MeasureTimes& times, const Archive* loaded,
               Manifest* manifest);

  const std::vector<std::string>& begun_late() const { return begun_late_; }  // names
  double target() const;                                                      // time of the next look of any of them
  bool is_due(double time);  // whether one of them looks now; those look at the frame that is appended next
  void append(const Frame& frame, bool all);  // all: the first and the last frame
  void sync();
  void save(Archive& archive) const;

 private:
  struct One {
    Observer observer;
    SeriesWriter lines;
    std::optional<FieldFiles> pictures;
    Rhythm looks;
    std::optional<Rhythm> windows;
    bool look = false, line = false;  // at the next frame
  };
  std::vector<One> all_;
  std::vector<std::string> begun_late_;
};

}  // namespace areia
