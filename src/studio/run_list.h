// The results folders below a folder, and what there is to know of each without opening a frame.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace areia::studio {

struct RunEntry {
  std::string path;  // below the folder; "." for the folder itself
  std::string title;
  // "starting": its process makes packings; "running"; "finished"; "paused": ended with a checkpoint because somebody
  // asked for it; "stopped": could not go on, and says why; "died": its process is gone without a word in the log
  std::string state;
  std::string note;               // why, where that is known; what it is doing while it starts
  std::string hash;               // of a finished run
  double time = 0;                // s, simulated so far
  std::optional<double> planned;  // s, if every stage takes its longest time
  std::optional<std::int64_t> particles;
  std::optional<double> speed, left;  // of a run at work: particle-steps per second, s to its end
  double beat = 0;                    // s since 1970, last sign of life; 0: none
  double changed = 0;                 // s since 1970, last line of the log
};

class RunList {
 public:
  explicit RunList(const std::filesystem::path& folder);  // throws FileError where there is none

  std::vector<RunEntry> all();
  RunEntry entry(const std::string& path);

  // The folder of a run by its path below ours; nothing where the path leads out, goes through a link, or to no
  // results.
  std::optional<std::filesystem::path> find(const std::string& path) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::optional<double> planned_time(const std::filesystem::path& run);

  std::filesystem::path folder_;
  std::map<std::string, std::pair<std::filesystem::file_time_type, std::optional<double>>> planned_;  // by case file
};

// A folder that a run has begun to fill, also where that is only the console file of one that is starting.
bool is_results(const std::filesystem::path& folder);

// f(place, path below the folder) for the folder itself and those below, without hidden ones and links, as deep as runs
// are looked for; what f answers says whether to go deeper.
void walk(const std::filesystem::path& folder,
          const std::function<bool(const std::filesystem::path& place, const std::filesystem::path& path)>& f);

// Some bytes of a plain file's begin or end; "" where there is none.
std::string part_of(const std::filesystem::path& path, std::size_t most, bool end);

// Folders below `folder` whose manifest says that the command `kind` wrote them, by their paths; hidden ones and what
// lies within such a folder are not looked at.
std::vector<std::string> folders_of(const std::filesystem::path& folder, const std::string& kind);
// One of them by its path; nothing where the path leads out, goes through a link, or to something else.
std::optional<std::filesystem::path> find_folder_of(const std::filesystem::path& folder, const std::string& path,
                                                    const std::string& kind);

// Of the entry itself, not of what a link leads to.
bool is_plain_file(const std::filesystem::path& path);
bool is_plain_folder(const std::filesystem::path& path);

}  // namespace areia::studio
