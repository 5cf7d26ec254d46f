#include "io/frames/field_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/frames/vtk_frames.h"
#include "io/frames/vtp_document.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

// The number in "MEASURE_000012.vti", or -1.
std::int64_t index_in(std::string_view name, std::string_view measure, std::string_view ending) {
  if (!name.starts_with(measure) || !name.ends_with(ending) || name.size() < measure.size() + 1 + ending.size())
    return -1;
  name.remove_prefix(measure.size());
  name.remove_suffix(ending.size());
  if (!name.starts_with('_')) return -1;
  name.remove_prefix(1);
  std::int64_t index = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc() && end == name.data() + name.size() ? index : -1;
}

void put_arrays(VtpWriter& vtk, const std::vector<FieldArray>& arrays) {
  for (const FieldArray& a : arrays) vtk.cell_array<double>(a.name, a.components, a.values.data());
}

void save_picture(const FieldImage& image, VtpWriter& vtk, const fs::path& path) {
  vtk.image({{image.origin.x, image.origin.y, image.origin.z},
             {image.spacing.x, image.spacing.y, image.spacing.z},
             image.cells});
  put_arrays(vtk, image.arrays);
  vtk.save(path);
}

void save_picture(const FieldSurface& surface, VtpWriter& vtk, const fs::path& path) {
  vtk.points<double>(surface.vertices.data(), surface.vertices.size());
  std::vector<std::int64_t> corners, ends;
  for (const std::vector<std::int32_t>& polygon : surface.polygons) {
    corners.insert(corners.end(), polygon.begin(), polygon.end());
    ends.push_back(static_cast<std::int64_t>(corners.size()));
  }
  vtk.cells(CellKind::polygons, std::move(corners), std::move(ends));
  put_arrays(vtk, surface.arrays);
  vtk.save(path);
}

}  // namespace

bool is_field_file(const std::string& name, const std::string& measure, const std::string& ending) {
  const fs::path path(name);
  if (path.parent_path() == kFieldsFolder) return index_in(path.filename().string(), measure, ending) >= 0;
  return name == measure + ".pvd";
}

FieldFiles::FieldFiles(fs::path folder, std::string measure, std::string ending, bool double_precision,
                       const Archive* resumed, Manifest* manifest)
    : folder_(std::move(folder)),
      measure_(std::move(measure)),
      ending_(std::move(ending)),
      double_precision_(double_precision),
      manifest_(manifest) {
  if (resumed) {
    const auto times = resumed->real.find(key());
    const auto numbers = resumed->integer.find(key());
    if (times == resumed->real.end() || numbers == resumed->integer.end() ||
        times->second.size() + 1 != numbers->second.size())
      throw FileError("the checkpoint does not hold " + key());
    for (std::size_t k = 0; k < times->second.size(); ++k)
      if (fs::exists(folder_ / file_name(numbers->second[k])))
        files_.emplace_back(numbers->second[k], times->second[k]);
    next_ = numbers->second.back();
  }
  if (!fs::exists(folder_ / kFieldsFolder)) return;
  if (!files_.empty() || fs::exists(folder_ / (measure_ + ".pvd")))
    write_pvd();  // before any file goes, so that it never names a missing one
  remove_unknown();
}

std::string FieldFiles::file_name(std::int64_t index) const {
  return fmt::format("{}/{}_{:06}{}", kFieldsFolder, measure_, index, ending_);
}

void FieldFiles::remove_unknown() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(folder_ / kFieldsFolder)) {
    const std::int64_t index = index_in(file.path().filename().string(), measure_, ending_);
    const bool known = std::any_of(files_.begin(), files_.end(), [&](const auto& f) { return f.first == index; });
    if (index >= 0 && !known) names.push_back(fmt::format("{}/{}", kFieldsFolder, file.path().filename().string()));
  }
  if (manifest_) return manifest_->remove(names);
  for (const std::string& name : names) remove_file(folder_ / name);
}

void FieldFiles::write(const FieldPicture& picture, const Frame& frame) {
  if (std::holds_alternative<std::monostate>(picture)) return;
  if (!files_.empty() && !(frame.time > files_.back().second)) return;
  const std::string name = file_name(next_);
  make_folder(folder_ / kFieldsFolder);
  if (manifest_) manifest_->add(name);
  VtpWriter vtk({.points = false, .arrays = !double_precision_});
  vtk.field("TimeValue", std::vector<double>{frame.time});
  vtk.field("title", std::vector<std::string>{frame.title});
  vtk.field("stage", std::vector<std::string>{frame.stage});
  std::visit(
      [&](const auto& p) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(p)>, std::monostate>) save_picture(p, vtk, folder_ / name);
      },
      picture);
  files_.emplace_back(next_++, frame.time);
  write_pvd();
}

void FieldFiles::write_pvd() const {
  std::string all;
  for (const auto& [index, time] : files_) all += data_set_line(time, 0, measure_, file_name(index));
  const std::string name = measure_ + ".pvd";
  if (manifest_) manifest_->add(name);
  write_collection(folder_ / name, all);
}

void FieldFiles::save(Archive& archive) const {
  std::vector<double>& times = archive.real[key()];
  std::vector<std::int64_t>& numbers = archive.integer[key()];
  times.clear();
  numbers.clear();
  for (const auto& [index, time] : files_) {
    times.push_back(time);
    numbers.push_back(index);
  }
  numbers.push_back(next_);
}

}  // namespace areia
