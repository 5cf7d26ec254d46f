// The pictures of a measure on disk: fields/NAME_000012.vti (grids) or .vtp (surfaces), and in the results folder
// NAME.pvd, which ParaView opens as a time series and which names only complete files.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "areia/archive.h"
#include "areia/observe.h"

namespace areia {

class Manifest;

inline constexpr const char* kFieldsFolder = "fields";

// Whether a name below a results folder is that of one of these files, of this measure.
bool is_field_file(const std::string& name, const std::string& measure, const std::string& ending);

class FieldFiles {
 public:
  // `resumed` is the archive that save() wrote to, null for a run that begins; files that it does not know of go.
  FieldFiles(std::filesystem::path folder, std::string measure, std::string ending, bool double_precision,
             const Archive* resumed, Manifest* manifest = nullptr);

  // Nothing without a picture, and nothing at a time that has one.
  void write(const FieldPicture& picture, const Frame& frame);
  void save(Archive& archive) const;

 private:
  std::string file_name(std::int64_t index) const;  // below the results folder
  void write_pvd() const;
  void remove_unknown() const;
  std::string key() const { return "output.measure." + measure_ + ".pictures"; }

  std::filesystem::path folder_;
  std::string measure_, ending_;
  bool double_precision_;
  Manifest* manifest_;
  std::vector<std::pair<std::int64_t, double>> files_;  // numbers and times
  std::int64_t next_ = 0;
};

}  // namespace areia
