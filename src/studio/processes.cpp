#include "studio/processes.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "run/heartbeat.h"
#include "studio/run_list.h"

namespace areia::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kConsoleHead = "areia studio started this: ";

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// This program with other arguments: no terminal, no signals that we ignore, and none of our files and connections
// but the three it is given.
pid_t spawn(const std::vector<std::string>& arguments, int in, int out, int err, const fs::path& folder) {
  struct Parts {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    Parts() {
      posix_spawn_file_actions_init(&files);
      posix_spawnattr_init(&attributes);
    }
    ~Parts() {
      posix_spawn_file_actions_destroy(&files);
      posix_spawnattr_destroy(&attributes);
    }
  } parts;
  posix_spawn_file_actions_adddup2(&parts.files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&parts.files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&parts.files, err, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&parts.files, 3);
  posix_spawn_file_actions_addchdir_np(&parts.files, folder.c_str());
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&parts.attributes, &none);
  posix_spawnattr_setsigdefault(&parts.attributes, &all);
  posix_spawnattr_setflags(&parts.attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> words{"areia"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &parts.files, &parts.attributes, pointers.data(), environ);
  if (error != 0) throw_file_error("areia", "start", error);
  return child;
}

// The process that holds the lock of the manifest, as the system tells it: "7: FLOCK ADVISORY WRITE 4711 08:01:131 0
// EOF". The device is left out: what `stat` says of it differs on some file systems.
bool holds_manifest(const fs::path& run, pid_t pid) {
  struct stat status {};
  if (!Manifest::is_at_work(run) || ::lstat((run / Manifest::kFile).c_str(), &status) != 0) return false;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, advisory, access, holder, place;
    if (!(words >> number >> kind >> advisory >> access >> holder >> place) || kind != "FLOCK") continue;
    const std::size_t colon = place.rfind(':');
    if (holder == std::to_string(pid) && colon != std::string::npos &&
        place.substr(colon + 1) == std::to_string(status.st_ino))
      return true;
  }
  return false;
}

}  // namespace

bool has_console(const fs::path& run) {
  return part_of(run / kConsoleFile, kConsoleHead.size(), false) == kConsoleHead;
}

bool console_is_open(const fs::path& run) {
  const Descriptor file(::open((run / kConsoleFile).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  return file >= 0 && ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

double console_time(const fs::path& run) {
  struct stat status {};
  return ::lstat((run / kConsoleFile).c_str(), &status) == 0 ? static_cast<double>(status.st_mtime) : 0;
}

std::string last_words(const fs::path& run) {
  if (!has_console(run)) return {};
  std::string text = part_of(run / kConsoleFile, 4096, true);
  text.resize(text.find_last_not_of("\r\n \t") == std::string::npos ? 0 : text.find_last_not_of("\r\n \t") + 1);
  const std::string line =
      text.substr(text.find_last_of("\r\n") == std::string::npos ? 0 : text.find_last_of("\r\n") + 1);
  return line.starts_with(kConsoleHead) ? std::string{} : line;
}

nlohmann::json read_heartbeat(const fs::path& run) {
  nlohmann::json beat = nlohmann::json::parse(part_of(run / kHeartbeatFile, 4096, false), nullptr, false);
  return beat.is_object() ? beat : nlohmann::json::object();
}

void Processes::start(const fs::path& run, const std::vector<std::string>& arguments) {
  reap();
  const fs::path path = run / kConsoleFile;
  const bool there = fs::exists(fs::symlink_status(path));
  if (there && !has_console(run))
    throw InputError("run", path.string(), "is there and was not written by the studio; please move it away");
  const Descriptor console(
      ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | (there ? 0 : O_EXCL), 0666));
  if (console < 0) throw_file_error(path, "open", errno);
  // a process that has given up its manifest is about to end
  const auto is_taken = [&] { return ::flock(console, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; };
  for (int k = 0; k < 50 && !Manifest::is_at_work(run) && is_taken(); ++k) ::usleep(20000);
  if (Manifest::is_at_work(run) || is_taken())
    throw InputError("run", run.filename().string(), "a process is at work in this folder");
  std::string line(kConsoleHead);
  for (const std::string& word : arguments) line += word + " ";
  write_all(console, fmt::format("{}({:%Y-%m-%d %H:%M:%S})\n", line, fmt::localtime(std::time(nullptr))), path);
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  children_[run.string()] = spawn(arguments, nothing, console, console, run.parent_path());
}

bool Processes::stop(const fs::path& run) {
  reap();
  // a child that was not waited for keeps its number
  if (const auto child = children_.find(run.string()); child != children_.end())
    return ::kill(child->second, SIGTERM) == 0;
  const nlohmann::json beat = read_heartbeat(run);
  const auto found = beat.find("pid");
  if (found == beat.end() || !found->is_number_integer()) return false;
  const auto pid = found->get<pid_t>();
  if (pid <= 1 || pid == ::getpid()) return false;
  // first a hold on the process, then the question whether it is the one that we mean: it cannot become another
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (process < 0 || !holds_manifest(run, pid)) return false;
  return ::syscall(SYS_pidfd_send_signal, static_cast<int>(process), SIGTERM, nullptr, 0) == 0;
}

void Processes::reap() {
  for (auto child = children_.begin(); child != children_.end();)
    if (::waitpid(child->second, nullptr, WNOHANG) != 0) child = children_.erase(child);
    else ++child;
}

std::string output_of(const std::vector<std::string>& arguments, const std::string& input, const fs::path& folder,
                      std::size_t most, double seconds) {
  int to[2], from[2];
  if (::pipe2(to, O_CLOEXEC) != 0) throw_file_error("a pipe", "make", errno);
  Descriptor reading(to[0]), writing(to[1]);
  if (::pipe2(from, O_CLOEXEC) != 0) throw_file_error("a pipe", "make", errno);
  Descriptor taking(from[0]), giving(from[1]);
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const pid_t child = spawn(arguments, reading, giving, nothing, folder);
  struct Ending {
    pid_t child;
    ~Ending() {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  } ending{child};
  reading.close();
  giving.close();
  for (const int end : {static_cast<int>(writing), static_cast<int>(taking)}) ::fcntl(end, F_SETFL, O_NONBLOCK);
  const auto over = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  std::string output;
  std::vector<char> piece(1 << 16);
  for (std::size_t sent = 0;;) {
    if (sent == input.size()) writing.close();
    const double left = std::chrono::duration<double>(over - std::chrono::steady_clock::now()).count();
    if (left <= 0) throw FileError("this takes too long here; try `areia check` on the command line");
    pollfd ends[2]{{taking, POLLIN, 0}, {writing, POLLOUT, 0}};  // a closed one is -1, which poll leaves out
    if (::poll(ends, 2, static_cast<int>(1000 * left) + 1) < 0 && errno != EINTR)
      throw_file_error("a pipe", "poll", errno);
    if (ends[1].revents != 0) {
      const ssize_t n = ::write(writing, input.data() + sent, input.size() - sent);
      if (n > 0) sent += static_cast<std::size_t>(n);
      else if (n < 0 && errno != EAGAIN && errno != EINTR) sent = input.size();  // it does not want to read it all
    }
    if (ends[0].revents == 0) continue;
    const ssize_t n = ::read(taking, piece.data(), piece.size());
    if (n == 0) return output;
    if (n < 0 && errno != EAGAIN && errno != EINTR) throw_file_error("a pipe", "read", errno);
    if (n > 0) output.append(piece.data(), static_cast<std::size_t>(n));
    if (output.size() > most) throw FileError("this is too large to be shown here");
  }
}

}  // namespace areia::studio
