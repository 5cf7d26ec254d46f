// What the stages of a run tell: a line of the log when one begins and when it ends, and stages.csv with a line for
// each that has ended.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "areia/simulation.h"
#include "io/series/series.h"

namespace areia {

class StageDiary {
 public:
  // A resumed run goes on behind the lines that are kept; `begun` are the stages of its checkpoint.
  StageDiary(const std::filesystem::path& folder, std::optional<double> resume_time,
             const std::vector<StageRecord>& begun, Manifest& manifest);

  // Whatever has happened since it was last asked.
  void tell(const std::vector<StageRecord>& stages, const std::function<void(const std::string&)>& log);
  void sync() { series_.sync(); }
  void save(Archive& archive) const { series_.save(archive); }

 private:
  SeriesWriter series_;
  std::size_t ended_ = 0;  // stages of which the end has been told
  bool open_ = false;      // of the next one the beginning has been told
};

}  // namespace areia
