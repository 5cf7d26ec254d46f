// VTK XML PolyData (.vtp): named arrays on points, cells and the whole data set, the large ones as raw appended
// little-endian binary with 64-bit block headers. Writing borrows the caller's arrays; reading understands the files
// written here, not every .vtp in the world.
#pragma once
#include <bit>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace areia {

static_assert(std::endian::native == std::endian::little, "frames are written as little-endian memory images");

template <class T>
constexpr std::string_view vtk_type();
template <>
constexpr std::string_view vtk_type<double>() {
  return "Float64";
}
template <>
constexpr std::string_view vtk_type<std::int64_t>() {
  return "Int64";
}
template <>
constexpr std::string_view vtk_type<std::int32_t>() {
  return "Int32";
}
template <>
constexpr std::string_view vtk_type<std::uint8_t>() {
  return "UInt8";
}

enum class CellKind { vertices, lines, polygons };

class VtpWriter {
 public:
  // `data` is `tuples` x `components` numbers of type T, contiguous, and must outlive save() unless it is kept here.
  template <class T>
  void points(const void* data, std::size_t count) {
    point_count_ = count;
    points_ = {"points", vtk_type<T>(), 3, count, data, count * 3 * sizeof(T), ""};
  }
  template <class T>
  void point_array(std::string_view name, int components, const void* data) {
    add<T>(point_arrays_, name, components, data, point_count_);
  }
  template <class T>
  void cell_array(std::string_view name, int components, const void* data) {
    add<T>(cell_arrays_, name, components, data, cell_count_);
  }
  // offsets[k] is the end of cell k in `connectivity`.
  void cells(CellKind kind, std::vector<std::int64_t> connectivity, std::vector<std::int64_t> offsets);

  // Field data stand readable in the head of the file.
  void field(std::string_view name, const std::vector<double>& values, int components = 1,
             const std::vector<std::string>& component_names = {});
  void field(std::string_view name, std::int64_t value);
  void field(std::string_view name, const std::vector<std::string>& values);

  template <class T>
  const void* keep(const std::vector<T>& values) {
    return kept_.emplace_back(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)).data();
  }

  void save(const std::filesystem::path& path) const;  // atomic; throws FileError

 private:
  struct Array {
    std::string name;
    std::string_view type;
    int components = 1;
    std::size_t tuples = 0;
    const void* data = nullptr;
    std::size_t bytes = 0;
    std::string extra;  // further XML attributes
  };
  template <class T>
  static void add(std::vector<Array>& arrays, std::string_view name, int components, const void* data,
                  std::size_t tuples) {
    arrays.push_back({std::string(name), vtk_type<T>(), components, tuples, data,
                      tuples * static_cast<std::size_t>(components) * sizeof(T), ""});
  }

  Array points_{"points", "Float64", 3, 0, nullptr, 0, ""};
  std::vector<Array> point_arrays_, cell_arrays_;
  std::string field_xml_;
  CellKind kind_ = CellKind::vertices;
  std::vector<std::int64_t> connectivity_, offsets_;
  std::size_t point_count_ = 0, cell_count_ = 0;
  std::deque<std::string> kept_;
};

class VtpReader {
 public:
  explicit VtpReader(const std::filesystem::path& path);  // reads the whole file; throws FileError
  // Only the head, with the field data: fast for large files.
  static VtpReader head_of(const std::filesystem::path& path);

  std::size_t cell_count() const { return cell_count_; }

  // section: "FieldData", "PointData", "CellData", "Points", "Verts", "Lines" or "Polys".
  bool has(std::string_view section, std::string_view name) const;
  // The numbers of one array; throws FileError when it is missing, of another type, or cut short.
  template <class T>
  std::vector<T> numbers(std::string_view section, std::string_view name) const;
  // V is a plain struct of `sizeof(V) / sizeof(T)` numbers, one per tuple.
  template <class T, class V>
  std::vector<V> tuples(std::string_view section, std::string_view name) const;

  std::vector<double> field_reals(std::string_view name) const;       // empty when missing
  std::int64_t field_integer(std::string_view name) const;            // 0 when missing
  std::vector<std::string> field_texts(std::string_view name) const;  // empty when missing

 private:
  struct Entry {
    std::string type, text;
    std::uint64_t offset = 0;
    bool appended = false;
  };
  VtpReader() = default;
  void parse(std::string_view head);
  const Entry* find(std::string_view section, std::string_view name) const;
  std::string_view block(std::string_view section, std::string_view name, std::string_view type,
                         std::size_t size_of_number) const;

  std::filesystem::path path_;
  std::string bytes_;
  std::size_t appended_at_ = 0;
  std::size_t point_count_ = 0, cell_count_ = 0;
  std::map<std::string, Entry, std::less<>> entries_;  // "section/name"
};

template <class T, class V>
std::vector<V> VtpReader::tuples(std::string_view section, std::string_view name) const {
  const std::string_view bytes = block(section, name, vtk_type<T>(), sizeof(V));
  std::vector<V> values(bytes.size() / sizeof(V));
  bytes.copy(reinterpret_cast<char*>(values.data()), bytes.size());
  return values;
}

template <class T>
std::vector<T> VtpReader::numbers(std::string_view section, std::string_view name) const {
  return tuples<T, T>(section, name);
}

}  // namespace areia
