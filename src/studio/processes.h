// Runs as processes of their own, which go on without the page and without the server.
//
// What such a process prints goes to `console.txt` in its results folder, on which the process holds a lock: as long as
// it is locked, the process lives. The first line says that the file is ours. From its first step on a run also has its
// heartbeat and the lock of its manifest.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace areia::studio {

inline constexpr const char* kConsoleFile = "console.txt";

bool has_console(const std::filesystem::path& run);
bool console_is_open(const std::filesystem::path& run);  // its process lives
double console_time(const std::filesystem::path& run);   // s since 1970, last change; 0 without one
// The last line that the process printed; "" where it was not started here, or said nothing.
std::string last_words(const std::filesystem::path& run);

// What heartbeat.json holds; null where there is none, or no JSON.
nlohmann::json read_heartbeat(const std::filesystem::path& run);

class Processes {
 public:
  // `areia run` with these arguments, in a session of its own. Throws FileError; InputError where the console is not
  // ours or a process is at work.
  void start(const std::filesystem::path& run, const std::vector<std::string>& arguments);

  // SIGTERM to the process of this run, and to no other: the one that was started here and is not over yet, or the one
  // that the heartbeat names and that holds the lock of the manifest. False where there is none.
  bool stop(const std::filesystem::path& run);

  // Takes note of processes that ended, so that the system can forget them.
  void reap();

 private:
  std::map<std::string, pid_t> children_;  // by results folder
};

// Runs this very program with a text on its standard input and returns what it prints, at most so many bytes and
// seconds; throws FileError otherwise. `folder` is where it works.
std::string output_of(const std::vector<std::string>& arguments, const std::string& input,
                      const std::filesystem::path& folder, std::size_t most, double seconds);

}  // namespace areia::studio
