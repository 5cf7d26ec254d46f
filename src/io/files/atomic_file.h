// Files that are complete under their final name or not there at all, whenever the process is killed or the disk
// fills. The bytes go to a temporary name in the same folder (rename is atomic only within a file system), are forced
// to the disk, and only then take the final name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace areia {

// Throws FileError "cannot <operation> <path>: <reason of errno_value>".
[[noreturn]] void throw_file_error(const std::filesystem::path& path, std::string_view operation, int errno_value);
[[noreturn]] void throw_file_error(const std::filesystem::path& path, std::string_view operation,
                                   std::string_view reason);

// Writes all bytes, going on after short writes and interruptions; throws FileError.
void write_all(int file_descriptor, std::string_view bytes, const std::filesystem::path& path);

class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();  // without commit(): the temporary is removed and an older file under the final name stays
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(const void* data, std::size_t size) { write({static_cast<const char*>(data), size}); }
  std::uint64_t position() const { return written_ + buffer_.size(); }  // where the next byte goes
  void rewrite(std::uint64_t at, std::string_view bytes);               // in place of as many that stand there
  // After it the file is on the disk under its final name; without `yes` the disk may get it later, and a crash of the
  // machine may leave it empty.
  enum class Lasting { yes, no };
  void commit(Lasting lasting = Lasting::yes);

 private:
  void flush();
  void discard() noexcept;

  std::filesystem::path path_, temporary_;
  std::string buffer_;
  std::uint64_t written_ = 0;  // bytes that have left the buffer
  int descriptor_ = -1;
  bool temporary_exists_ = false;
};

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The whole file; throws FileError.
std::string read_file(const std::filesystem::path& path);

// Makes the folder and its parents.
void make_folder(const std::filesystem::path& folder);

// Makes renames and removals in the folder durable.
void sync_folder(const std::filesystem::path& folder);

// A missing file is not an error.
void remove_file(const std::filesystem::path& path);

// Removes what a killed process left half written of a file of this name.
void remove_half_written(const std::filesystem::path& path);

}  // namespace areia
