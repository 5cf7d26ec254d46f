#include "app/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace areia::app {

namespace {

int output_error = 0;  // the first of stdout

}  // namespace

void write_error(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size() && output_error == 0) output_error = errno;
}

bool shows_colours() {
  static const bool shown = [] {
    const char *none = std::getenv("NO_COLOR"), *terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) != 0 && (!none || *none == 0) && terminal && std::string_view(terminal) != "dumb";
  }();
  return shown;
}

std::string coloured(Colour colour, std::string plain) {
  if (!shows_colours()) return plain;
  const bool line = plain.ends_with('\n');
  if (line) plain.pop_back();
  return fmt::format("\033[{}m{}\033[0m{}", static_cast<int>(colour), plain, line ? "\n" : "");
}

void prepare_streams() {
  // opened the wrong way round, so that reading and writing fail as they would if it were closed
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) < 0 && ::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor)
      std::_Exit(1);
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int finish_output() {
  std::cout.flush();  // the help of the command line goes there
  if (std::fflush(stdout) != 0 && output_error == 0) output_error = errno;
  if (std::ferror(stdout) != 0 && output_error == 0) output_error = EIO;
  return output_error;
}

}  // namespace areia::app
