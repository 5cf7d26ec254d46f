// VTK XML PolyData (.vtp): named arrays on points, cells and the whole data set, the large ones as raw appended
// little-endian binary with 64-bit block headers. Writing borrows the caller's arrays; reading understands the files
// written here, not every .vtp in the world.
#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace areia {

class AtomicFile;

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
  // `data` is `tuples` x `components` numbers of type T, contiguous, and must outlive save().
  template <class T>
  void points(const void* data, std::size_t count) {
    point_count_ = count;
    points_ = {"points", vtk_type<T>(), 3, count * 3 * sizeof(T), data, {}};
  }
  template <class T>
  void point_array(std::string_view name, int components, const void* data) {
    add<T>(point_arrays_, name, components, data, point_count_);
  }
  template <class T>
  void cell_array(std::string_view name, int components, const void* data) {
    add<T>(cell_arrays_, name, components, data, cell_count_);
  }
  // Arrays that need not stand in memory: value(k), some numbers of type T, is asked for while the file is written.
  template <class T, class F>
  void points_made(std::size_t count, F value) {  // count: of values, each of which may be several points
    points_ = made<T>("points", 3, count, std::move(value));
    point_count_ = points_.bytes / (3 * sizeof(T));
  }
  template <class T, class F>
  void point_array_made(std::string_view name, F value) {
    point_arrays_.push_back(made<T>(name, 0, point_count_, std::move(value)));
  }
  template <class T, class F>
  void cell_array_made(std::string_view name, F value) {
    cell_arrays_.push_back(made<T>(name, 0, cell_count_, std::move(value)));
  }
  // offsets[k] is the end of cell k in `connectivity`.
  void cells(CellKind kind, std::vector<std::int64_t> connectivity, std::vector<std::int64_t> offsets);
  // So many points for each cell, one cell after the other.
  void cells_in_turn(CellKind kind, std::int64_t points_per_cell);

  // Field data stand readable in the head of the file.
  void field(std::string_view name, const std::vector<double>& values, int components = 1,
             const std::vector<std::string>& component_names = {});
  void field(std::string_view name, std::int64_t value);
  void field(std::string_view name, const std::vector<std::string>& values);

  void save(const std::filesystem::path& path) const;  // atomic; throws FileError

 private:
  using Maker = std::function<void(std::size_t first, std::size_t count, char* out)>;
  struct Array {
    std::string name;
    std::string_view type;
    int components = 1;
    std::size_t bytes = 0;
    const void* data = nullptr;
    Maker make;                  // in place of data
    std::size_t value_size = 0;  // of what is made at a time
  };
  template <class T>
  static void add(std::vector<Array>& arrays, std::string_view name, int components, const void* data,
                  std::size_t tuples) {
    arrays.push_back({std::string(name),
                      vtk_type<T>(),
                      components,
                      tuples * static_cast<std::size_t>(components) * sizeof(T),
                      data,
                      {}});
  }
  template <class T, class F>
  static Array made(std::string_view name, int components, std::size_t count, F value) {
    using V = std::decay_t<decltype(value(std::size_t{}))>;
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % sizeof(T) == 0);
    const auto make = [value = std::move(value)](std::size_t first, std::size_t n, char* out) {
      for (std::size_t k = 0; k < n; ++k) {
        const V v = value(first + k);
        std::memcpy(out + k * sizeof v, &v, sizeof v);
      }
    };
    if (components == 0) components = static_cast<int>(sizeof(V) / sizeof(T));
    return {std::string(name), vtk_type<T>(), components, count * sizeof(V), nullptr, make, sizeof(V)};
  }
  static void write(const Array& array, AtomicFile& file);

  Array points_{"points", "Float64", 3, 0, nullptr, {}};
  std::vector<Array> point_arrays_, cell_arrays_;
  std::string field_xml_;
  CellKind kind_ = CellKind::vertices;
  std::vector<std::int64_t> connectivity_data_, offsets_data_;
  Array connectivity_{"connectivity", "Int64", 1, 0, nullptr, {}}, offsets_{"offsets", "Int64", 1, 0, nullptr, {}};
  std::size_t point_count_ = 0, cell_count_ = 0;
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
