// What the libFuzzer targets share. A reader may refuse what it is given with one of the typed errors; anything else,
// a std::length_error or an Error that means a defect among them, ends the target, as a finding.
#pragma once
#include <stdlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "areia/error.h"

namespace areia::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

template <class F>
int expect_typed_errors(F&& read) {
  try {
    read();
  } catch (const InputError& e) {
    if (e.problems.empty()) std::abort();
  } catch (const FileError&) {
  } catch (const StoppedError&) {}
  return 0;
}

// A folder in memory, for readers that take files by their names. It goes with the process, unless that crashes.
class Folder {
 public:
  Folder() {
    const std::string base = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
    std::string pattern = base + "/areia-fuzz-XXXXXX";
    if (!::mkdtemp(pattern.data())) std::abort();
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path write(const char* name, std::string_view content) const {
    const std::filesystem::path path = path_ / name;
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(content.data(), 1, content.size(), file) != content.size()) std::abort();
    std::fclose(file);
    return path;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace areia::fuzz
