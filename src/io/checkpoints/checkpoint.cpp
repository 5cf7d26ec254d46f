#include "io/checkpoints/checkpoint.h"

#include <fmt/format.h>
#include <hdf5.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <string_view>
#include <utility>

#include "areia/error.h"
#include "areia/version.h"
#include "io/checkpoints/description.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr const char* kFolder = "checkpoints";
// 1: no attributes but time and step, no names; 2: as here. Both are read.
constexpr std::int64_t kFormat = 2;
// The last line, after the end of the HDF5 data, where HDF5 does not look.
constexpr std::string_view kSeal = "\nareia xxh3 ";
constexpr std::size_t kSealSize = kSeal.size() + 16 + 1;

std::string seal_of(std::string_view image) {
  return fmt::format("{}{:016x}\n", kSeal, XXH3_64bits(image.data(), image.size()));
}

// Closes an HDF5 handle when it goes out of scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// HDF5 prints its error stack by itself; the library must not print.
class SilentHdf5 {
 public:
  SilentHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~SilentHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  SilentHdf5(const SilentHdf5&) = delete;
  SilentHdf5& operator=(const SilentHdf5&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

// ---- writing ----

class ImageBuilder {
 public:
  ImageBuilder()
      : access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose),
        file_(open(access_), H5Fclose),
        links_(H5Pcreate(H5P_LINK_CREATE), H5Pclose),
        creation_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose) {
    check(file_);
    check(H5Pset_create_intermediate_group(links_, 1));  // names may contain "/"
    check(H5Pset_char_encoding(links_, H5T_CSET_UTF8));
    check(H5Pset_obj_track_times(creation_, false));  // the same state gives the same bytes
  }

  // Rows of as many numbers as the array has columns.
  void put(const std::string& name, hid_t file_type, hid_t memory_type, const void* data, std::size_t count,
           const ArrayDescription& what) {
    const std::size_t columns = count % what.column_count() == 0 ? what.column_count() : 1;
    const hsize_t lengths[] = {count / columns, columns};
    const Handle space(H5Screate_simple(columns > 1 ? 2 : 1, lengths, nullptr), H5Sclose);
    put(name, file_type, memory_type, data, space, count > 0);
    describe(name, what);
  }

  // A fixed-length text. The real length stands beside it: HDF5 has no empty text and drops zeros at its end.
  void put_text(const std::string& name, const std::string& text) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, std::max<std::size_t>(1, text.size())));
    check(H5Tset_strpad(type, H5T_STR_NULLPAD));
    check(H5Tset_cset(type, H5T_CSET_UTF8));
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    put(name, type, type, text.c_str(), space, true);
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    const auto length = static_cast<std::int64_t>(text.size());
    attribute(set, "length", H5T_STD_I64LE, H5T_NATIVE_INT64, &length);
  }
  void describe(const std::string& name, const ArrayDescription& what) {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    check(set);
    text_attribute(set, "meaning", what.meaning.empty() ? "of the program alone" : what.meaning);
    if (!what.unit.empty()) text_attribute(set, "unit", what.unit);
    if (!what.columns.empty()) text_attribute(set, "columns", what.columns);
  }

  void root_attribute(const char* name, hid_t file_type, hid_t memory_type, const void* value) {
    attribute(file_, name, file_type, memory_type, value);
  }
  void root_attribute(const char* name, std::string_view text) { text_attribute(file_, name, text); }

  std::string image() {
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL));
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    check(size);
    std::string bytes(static_cast<std::size_t>(size), '\0');
    check(H5Fget_file_image(file_, bytes.data(), bytes.size()));
    return bytes;
  }

 private:
  // In memory only: a full disk then shows in our own checked write, not inside HDF5. The oldest file format on
  // purpose: HDF5 1.10 leaves a wrong superblock checksum in images of the newer ones.
  static hid_t open(hid_t access) {
    H5Pset_fapl_core(access, std::size_t{1} << 22, 0);
    return H5Fcreate("areia-checkpoint", H5F_ACC_TRUNC, H5P_DEFAULT, access);
  }
  void put(const std::string& name, hid_t file_type, hid_t memory_type, const void* data, hid_t space, bool filled) {
    check(space);
    const Handle set(H5Dcreate2(file_, name.c_str(), file_type, space, links_, creation_, H5P_DEFAULT), H5Dclose);
    check(set);
    if (filled) check(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  }
  void attribute(hid_t owner, const char* name, hid_t file_type, hid_t memory_type, const void* value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    const Handle handle(H5Acreate2(owner, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    check(handle);
    check(H5Awrite(handle, memory_type, value));
  }
  void text_attribute(hid_t owner, const char* name, std::string_view text) {
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, std::max<std::size_t>(1, text.size())));
    check(H5Tset_strpad(type, H5T_STR_NULLPAD));
    check(H5Tset_cset(type, H5T_CSET_UTF8));
    const std::string bytes(text);
    attribute(owner, name, type, type, bytes.c_str());
  }
  // In memory nothing else can go wrong.
  static void check(hid_t result) {
    if (result < 0) throw std::bad_alloc();
  }

  Handle access_, file_, links_, creation_;
};

// ---- reading ----

[[noreturn]] void throw_damaged(const fs::path& path, std::string_view what) {
  throw_file_error(path, "read the checkpoint", fmt::format("the file is damaged ({})", what));
}

class ImageReader {
 public:
  ImageReader(const fs::path& path, std::string& image)
      : path_(path), access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose), file_(open(access_, image), H5Fclose) {
    check(file_, "not an HDF5 file");
  }

  template <class T>
  T root_attribute(const char* name, hid_t memory_type) const {
    return attribute<T>(file_, name, memory_type);
  }
  bool has_attribute(const char* name) const { return H5Aexists(file_, name) > 0; }

  // Names below a group, groups inside it included.
  std::vector<std::string> names(const char* group) const {
    std::vector<std::string> found;
    if (H5Lexists(file_, group, H5P_DEFAULT) <= 0) return found;
    const Handle handle(H5Gopen2(file_, group, H5P_DEFAULT), H5Gclose);
    check(handle, group);
    const auto visit = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
      if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
      return 0;
    };
    check(H5Ovisit2(handle, H5_INDEX_NAME, H5_ITER_INC, visit, &found, H5O_INFO_BASIC), group);
    return found;
  }

  template <class T>
  std::vector<T> numbers(const std::string& name, hid_t memory_type) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    check(set, name);
    const Handle space(H5Dget_space(set), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    check(count, name);
    std::vector<T> values(static_cast<std::size_t>(count));
    if (count > 0) check(H5Dread(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
    return values;
  }

  std::string text(const std::string& name) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    check(set, name);
    const Handle type(H5Dget_type(set), H5Tclose);
    std::string value(H5Tget_size(type), '\0');
    const auto length = attribute<std::int64_t>(set, "length", H5T_NATIVE_INT64);
    if (length < 0 || static_cast<std::size_t>(length) > value.size()) throw_damaged(path_, name);
    check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data()), name);
    value.resize(static_cast<std::size_t>(length));
    return value;
  }

 private:
  static hid_t open(hid_t access, std::string& image) {
    H5Pset_fapl_core(access, std::size_t{1} << 22, 0);
    H5Pset_file_image(access, image.data(), image.size());
    return H5Fopen("areia-checkpoint", H5F_ACC_RDONLY, access);
  }
  template <class T>
  T attribute(hid_t owner, const char* name, hid_t memory_type) const {
    const Handle handle(H5Aopen(owner, name, H5P_DEFAULT), H5Aclose);
    check(handle, name);
    T value{};
    check(H5Aread(handle, memory_type, &value), name);
    return value;
  }
  void check(hid_t result, std::string_view what) const {
    if (result < 0) throw_damaged(path_, what);
  }

  const fs::path& path_;
  Handle access_, file_;
};

// The step in "ck_<step>.h5", or -1.
std::int64_t step_in(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with("ck_") || !name.ends_with(".h5")) return -1;
  std::int64_t step = -1;
  const char* end_of_number = name.data() + name.size() - 3;
  const auto [end, error] = std::from_chars(name.data() + 3, end_of_number, step);
  return error == std::errc() && end == end_of_number ? step : -1;
}

}  // namespace

bool is_checkpoint_file(const std::string& name) {
  const fs::path path(name);
  return path.parent_path() == kFolder && step_in(path) >= 0;
}

void write_archive(const fs::path& path, Archive archive, double time, std::int64_t step) {
  const SilentHdf5 silent;
  ImageBuilder builder;
  const auto put = [&](const std::string& group, auto& arrays, hid_t file_type, hid_t memory_type) {
    for (auto& [name, values] : arrays) {
      builder.put(group + name, file_type, memory_type, values.data(), values.size(), description_of(name));
      std::decay_t<decltype(values)>().swap(values);  // the image has it now
    }
  };
  put("/integer/", archive.integer, H5T_STD_I64LE, H5T_NATIVE_INT64);
  put("/real/", archive.real, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  for (const auto& [name, text] : archive.text) {
    builder.put_text("/text/" + name, text);
    builder.describe("/text/" + name, description_of(name));
  }
  builder.root_attribute("program", "areia");
  builder.root_attribute("version", kVersion);
  builder.root_attribute("format", H5T_STD_I64LE, H5T_NATIVE_INT64, &kFormat);
  builder.root_attribute("units", "SI");
  builder.root_attribute(
      "about",
      "State of a discrete element simulation. /real and /integer hold arrays, a row for each particle, "
      "contact, bond or wall, with attributes meaning, unit and columns; /text/case is the case, "
      "/text/names tells what indices stand for. Attributes time (s) and step tell the instant.");
  builder.root_attribute("time", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &time);
  builder.root_attribute("step", H5T_STD_I64LE, H5T_NATIVE_INT64, &step);
  if (const auto hash = archive.text.find("state_hash"); hash != archive.text.end())
    builder.root_attribute("state_hash", hash->second);
  const std::string image = builder.image();
  AtomicFile file(path);
  file.write(image);
  file.write(seal_of(image));
  file.commit();
}

void write_checkpoint(const fs::path& folder, Archive archive, double time, std::int64_t step, Manifest* manifest) {
  const fs::path inside = folder / kFolder;
  make_folder(inside);
  const fs::path path = inside / fmt::format("ck_{:012}.h5", step);
  if (manifest) manifest->add(manifest->name_of(path));
  write_archive(path, std::move(archive), time, step);
  // Keep the one before it. Files of a later step belong to a part of the run that is being repeated.
  bool kept_one = false;
  for (const fs::path& other : find_checkpoints(folder)) {
    const std::int64_t other_step = step_in(other);
    if (other_step == step) continue;
    if (other_step < step && !std::exchange(kept_one, true)) continue;
    if (!manifest) remove_file(other);
    else if (manifest->owns(manifest->name_of(other))) manifest->remove({manifest->name_of(other)});
  }
  sync_folder(inside);
}

Checkpoint read_checkpoint(const fs::path& path) {
  std::string image = read_file(path);
  if (image.size() < kSealSize) throw_damaged(path, "cut short");
  const std::string seal = image.substr(image.size() - kSealSize);
  image.resize(image.size() - kSealSize);
  // HDF5 trusts what it reads: a damaged file may crash it. So it sees nothing that is not as it was written.
  if (!seal.starts_with(kSeal)) throw_damaged(path, "it does not end with its checksum");
  if (seal != seal_of(image)) throw_damaged(path, "the checksum of the file does not match");

  const SilentHdf5 silent;
  const ImageReader reader(path, image);
  Checkpoint checkpoint;
  checkpoint.path = path;
  const std::int64_t format =
      reader.has_attribute("format") ? reader.root_attribute<std::int64_t>("format", H5T_NATIVE_INT64) : 1;
  if (format > kFormat)
    throw_file_error(
        path, "read the checkpoint",
        fmt::format("it has format {}, of a later version than this one, which reads up to {}", format, kFormat));
  checkpoint.time = reader.root_attribute<double>("time", H5T_NATIVE_DOUBLE);
  checkpoint.step = reader.root_attribute<std::int64_t>("step", H5T_NATIVE_INT64);
  Archive& archive = checkpoint.archive;
  for (const std::string& name : reader.names("/integer"))
    archive.integer[name] = reader.numbers<std::int64_t>("/integer/" + name, H5T_NATIVE_INT64);
  for (const std::string& name : reader.names("/real"))
    archive.real[name] = reader.numbers<double>("/real/" + name, H5T_NATIVE_DOUBLE);
  for (const std::string& name : reader.names("/text")) archive.text[name] = reader.text("/text/" + name);
  return checkpoint;
}

std::vector<fs::path> find_checkpoints(const fs::path& folder) {
  std::vector<fs::path> found;
  const fs::path inside = folder / kFolder;
  std::error_code error;
  if (!fs::is_directory(inside, error)) return found;
  fs::directory_iterator files(inside, error);
  if (error) throw_file_error(inside, "list the folder", error.message());
  for (const fs::directory_entry& file : files)
    if (step_in(file.path()) >= 0) found.push_back(file.path());
  std::sort(found.begin(), found.end(), [](const fs::path& a, const fs::path& b) { return step_in(a) > step_in(b); });
  return found;
}

Checkpoint read_newest_checkpoint(const fs::path& folder) {
  std::vector<std::string> warnings;
  for (const fs::path& path : find_checkpoints(folder)) {
    try {
      Checkpoint checkpoint = read_checkpoint(path);
      checkpoint.warnings = std::move(warnings);
      return checkpoint;
    } catch (const FileError& error) { warnings.emplace_back(error.what()); }
  }
  if (warnings.empty()) throw_file_error(folder, "resume from", "there is no checkpoint");
  std::string all;
  for (const std::string& warning : warnings) all += "\n" + warning;
  throw_file_error(folder, "resume from", "no sound checkpoint:" + all);
}

}  // namespace areia
