#include "app/film.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "areia/error.h"

namespace areia::app {

namespace fs = std::filesystem;

namespace {

// H.264 and VP9 in the form that every browser shows.
std::vector<std::string> coding(const fs::path& out) {
  if (out.extension() == ".webm")
    return {"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", "30", "-row-mt", "1", "-pix_fmt", "yuv420p", "-f", "webm"};
  return {"-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4"};
}

}  // namespace

std::string film_command(const fs::path& pictures, const fs::path& out, double rate) {
  return fmt::format("ffmpeg -framerate {:.6g} -pattern_type glob -i '{}' {} '{}'", rate, pictures.string(),
                     fmt::join(coding(out), " "), out.string());
}

FilmWriter::FilmWriter(fs::path out, int width, int height, double rate) : out_(std::move(out)) {
  unfinished_ = out_;
  unfinished_ += fmt::format(".{}.part", ::getpid());
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw FileError(fmt::format("no pipe to ffmpeg: {}", std::strerror(errno)));
  std::vector<std::string> words{"ffmpeg",     "-y",
                                 "-loglevel",  "error",
                                 "-f",         "rawvideo",
                                 "-pix_fmt",   "rgb24",
                                 "-s",         fmt::format("{}x{}", width, height),
                                 "-framerate", fmt::format("{:.6g}", rate),
                                 "-i",         "-"};
  for (const std::string& word : coding(out_)) words.push_back(word);
  words.push_back("file:" + unfinished_.string());  // whatever the name begins with
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  const int error = posix_spawnp(&child_, "ffmpeg", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[0]);
  pipe_ = ends[1];
  if (error == 0) return;
  child_ = -1;
  ::close(pipe_);
  throw FileError(fmt::format("ffmpeg cannot be started: {}", std::strerror(error)));
}

int FilmWriter::wait_for_end() {
  if (pipe_ >= 0) ::close(pipe_);
  pipe_ = -1;
  int status = -1;
  if (child_ > 0)
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {}
  child_ = -1;
  return status;
}

FilmWriter::~FilmWriter() {
  if (child_ < 0) return;
  ::kill(child_, SIGTERM);
  wait_for_end();
  std::error_code error;
  fs::remove(unfinished_, error);
}

void FilmWriter::fail(const std::string& why) {
  wait_for_end();
  std::error_code error;
  fs::remove(unfinished_, error);
  throw FileError(fmt::format("{}: {}", out_.string(), why));
}

void FilmWriter::add(const Image& image) {
  for (std::size_t done = 0; done < image.rgb.size();) {
    const ssize_t n = ::write(pipe_, image.rgb.data() + done, image.rgb.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("ffmpeg ended before the film was whole; what it said stands above");
    done += static_cast<std::size_t>(n);
  }
}

void FilmWriter::finish() {
  const int status = wait_for_end();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail("ffmpeg could not make the film; what it said stands above");
  std::error_code error;
  fs::rename(unfinished_, out_, error);
  if (error) fail(error.message());
}

}  // namespace areia::app
