#include "app/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
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
