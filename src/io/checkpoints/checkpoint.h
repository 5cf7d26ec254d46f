// Checkpoints: an Archive as checkpoints/ck_<step>.h5, an ordinary HDF5 file with one dataset per entry:
//   /real/<name> (double), /integer/<name> (64 bit), /text/<name>; attributes on the root: program, version, format,
//   units, about, time, step, and of a finished run state_hash; on each dataset: meaning, unit, columns
//   (description.h).
// A checksum of the whole file (XXH3 64) in its last line guards it, checked before HDF5 sees a byte. /text/case tells
// the case that it belongs to (engine/case_identity.h).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "areia/archive.h"

namespace areia {

class Manifest;

struct Checkpoint {
  Archive archive;
  double time = 0;
  std::int64_t step = 0;
  std::filesystem::path path;
  std::vector<std::string> warnings;  // newer checkpoints that could not be used, and why
};

// Complete on disk when it returns. Then only this one and the one before it are kept. Throws FileError; the older
// checkpoints then stand. What is written and removed is entered into the manifest of the folder, if it has one.
void write_checkpoint(const std::filesystem::path& folder, Archive archive, double time, std::int64_t step,
                      Manifest* manifest = nullptr);

// The archive alone as such a file; read_checkpoint reads it.
void write_archive(const std::filesystem::path& path, Archive archive, double time, std::int64_t step);

// Whether a name below a results folder is that of a checkpoint.
bool is_checkpoint_file(const std::string& name);

// Throws FileError when the file is damaged.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// Files in the results folder, newest (largest step) first; empty when there are none.
std::vector<std::filesystem::path> find_checkpoints(const std::filesystem::path& folder);

// The newest checkpoint that is sound. Throws FileError naming all damaged ones when none is.
Checkpoint read_newest_checkpoint(const std::filesystem::path& folder);

}  // namespace areia
