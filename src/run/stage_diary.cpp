#include "run/stage_diary.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/files/append_file.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"

namespace areia {
namespace {

using Ending = StageRecord::Ending;

const char* reason_of(Ending ending) {
  switch (ending) {
    case Ending::time:
      return "its time is over";
    case Ending::rest:
      return "all is at rest";
    case Ending::value:
      return "its value has passed the bound";
    case Ending::limit:
      return "what it waited for did not come in the time it had";
    case Ending::none:
      break;
  }
  return "it goes on";
}

std::filesystem::path entered(const std::filesystem::path& folder, Manifest& manifest) {
  manifest.add(fmt::format("{}.csv", kStageSeries));
  return series_file(folder, kStageSeries);
}

}  // namespace

StageDiary::StageDiary(const std::filesystem::path& folder, std::optional<double> resume_time,
                       const std::vector<StageRecord>& begun, Manifest& manifest)
    : series_(entered(folder, manifest), {"time_s", "stage", "begin_s", "first_step", "last_step", "ended_by"},
              resume_time) {
  if (!resume_time || begun.empty()) return;
  // they are written in their order: the lines that are kept are the first ones
  const std::string kept = read_file(series_file(folder, kStageSeries));
  ended_ = std::min<std::size_t>(std::count(kept.begin(), kept.end(), '\n') - 1, begun.size());
  open_ = ended_ < begun.size();
}

void StageDiary::tell(const std::vector<StageRecord>& stages, const std::function<void(const std::string&)>& log) {
  for (; ended_ < stages.size(); ++ended_) {
    const StageRecord& s = stages[ended_];
    if (!open_) log(fmt::format("stage {} begins at t = {:.9g} s, step {}", s.name, s.begin, s.first_step));
    open_ = s.ending == Ending::none;
    if (open_) return;
    log(fmt::format("stage {} ends at t = {:.9g} s, step {}: {}", s.name, s.end, s.last_step, reason_of(s.ending)));
    const double numbers[] = {s.end, static_cast<double>(ended_ + 1), s.begin, static_cast<double>(s.first_step),
                              static_cast<double>(s.last_step)};
    series_.append(numbers, word_of(s.ending));
  }
}

}  // namespace areia
