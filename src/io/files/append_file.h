// Text files that grow line by line: series and logs. A kill may tear the last line; opening again repairs it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string_view>

namespace areia {

class AppendFile {
 public:
  explicit AppendFile(std::filesystem::path path);  // creates it; cuts off a torn last line of an existing file
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;

  // Adds the line and a newline in one write. When that fails what was written of it is taken back.
  void append(std::string_view line);
  void sync();                // all lines are on the disk
  std::int64_t size() const;  // bytes of whole lines
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

// Removes the end of the file after its last newline; a missing file is not an error.
void repair_torn_line(const std::filesystem::path& path);

}  // namespace areia
