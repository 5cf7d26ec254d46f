// A folder that exists as long as the test.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <string>

namespace areia::testing_support {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "areia-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs a script of tests/io with the system's Python; true when it exits with 0. 77 means a module is missing.
inline int run_script(const std::string& script, const std::string& arguments) {
  const int status =
      std::system(("/usr/bin/python3 " AREIA_SOURCE_DIR "/tests/io/" + script + " " + arguments).c_str());
  return status == 0 ? 0 : (status >> 8) & 0xff;
}

}  // namespace areia::testing_support
