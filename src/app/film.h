// Films by ffmpeg, a program of its own: pictures go into it one after the other, and no file but the film is written.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <string>

#include "render/render.h"

namespace areia::app {

// What makes a film from pictures, as a line for a shell.
std::string film_command(const std::filesystem::path& pictures, const std::filesystem::path& out, double rate);

// The film appears under its name when it is whole.
class FilmWriter {
 public:
  FilmWriter(std::filesystem::path out, int width, int height, double rate);  // .mp4 or .webm; throws FileError
  ~FilmWriter();                                                              // an unfinished film is removed
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;
  void add(const Image& image);
  void finish();

 private:
  int wait_for_end();
  void fail(const std::string& why);

  std::filesystem::path out_, unfinished_;
  pid_t child_ = -1;
  int pipe_ = -1;
};

}  // namespace areia::app
