// What a command wrote into a folder, in manifest.txt there: whose files those are that it may replace. A file that the
// manifest does not name belongs to somebody else and is neither changed nor removed, and nothing is done through a
// link. While a Manifest is open no other process can open the same one.
//
//   areia manifest: run
//   + case.toml 6bf3c6a1d3a0f9e2     written, with the checksum of its bytes where a change must not be lost
//   + frames/particles_000000.vtp
//   - frames/particles_000000.vtp    removed
//
// It only grows. A name is in it before the file is there, so that a killed command leaves no file that nobody owns.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace areia {

class Manifest {
 public:
  static constexpr const char* kFile = "manifest.txt";

  // Reads and locks what is there and writes nothing. `option` is what users call the folder by, `kind` the command;
  // throws InputError where another process is at work, where another command or somebody else wrote the manifest.
  Manifest(std::filesystem::path folder, std::string option, std::string kind);
  ~Manifest();
  Manifest(const Manifest&) = delete;
  Manifest& operator=(const Manifest&) = delete;

  bool exists() const { return descriptor_ >= 0; }
  bool holds_files() const;  // one of the files that it names is there
  // The name stands in it, and what is there now is a plain file that was written by the command, not a link to one.
  bool owns(const std::string& name) const;
  bool lists(const std::string& name) const;  // whatever is there now
  std::set<std::string> names() const;

  // Names ("case.toml", "frames/particles_000000.vtp") that the command would write.
  using Names = std::function<bool(const std::string&)>;
  // Throws InputError naming everything that is there of such a name, and is not owned. `folders` are those within.
  void refuse_others(const Names& would_write, const std::vector<std::string>& folders = {}) const;

  // Makes the folder and the manifest where they are not there yet, and removes what a killed command left half
  // written.
  void open();
  // Before files are written: on the disk when it returns.
  void add_all(const std::vector<std::string>& names);
  void add(const std::string& name) { add_all({name}); }
  void add(const std::string& name, std::string_view bytes);  // ... which must not change without us
  // A file that is not there is none to remove. Throws FileError where one is not owned.
  void remove(const std::vector<std::string>& names);

  // Whether a process is at work in the folder. Who asks holds the lock for an instant, which `Manifest` waits for.
  static bool is_at_work(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  // The path below the folder, as the manifest has it.
  std::string name_of(const std::filesystem::path& path) const;

 private:
  void lock(int flags);
  void read();
  void append(const std::string& lines);
  bool in_real_folders(const std::string& name) const;

  std::filesystem::path folder_;
  std::string option_, head_;
  int descriptor_ = -1;
  mutable std::mutex guard_;                            // frames are written by a thread of their own
  std::map<std::string, std::set<std::string>> owned_;  // name, checksums that its bytes may have; none: any
};

using NamedTexts = std::vector<std::pair<std::string, std::string>>;
// Writes files by name and text, in this order, after nothing of others was found under these names.
void write_owned(Manifest& manifest, const NamedTexts& files);

// For one file that a user names: what is there already may be replaced only if `overwrite` says so, and only if it is
// a plain file. Throws InputError.
void refuse_existing(const std::filesystem::path& path, const std::string& option, bool overwrite);

}  // namespace areia
