// VTK XML PolyData (.vtp), and ImageData (.vti) for writing: named arrays on points, cells and the whole data set, the
// large ones as raw appended little-endian binary, in blocks that zlib compresses one by one. Writing borrows the
// caller's arrays, and what is in memory beside them is one block; reading understands the files written here, also
// those that are not compressed, not every .vtp in the world.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/frames/vtk_xml.h"

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
constexpr std::string_view vtk_type<float>() {
  return "Float32";
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
  // In single precision doubles are rounded to the nearest float; points have a say of their own, since what is enough
  // for them depends on where they lie.
  struct Rounding {
    bool points = false, arrays = false;
  };
  explicit VtpWriter(Rounding rounding) : rounding_(rounding) {}

  // `data` is `tuples` x `components` numbers of type T, contiguous, and must outlive save().
  template <class T>
  void points(const void* data, std::size_t count) {
    point_count_ = count;
    points_ = borrowed<T>("points", 3, data, count, rounding_.points);
  }
  template <class T>
  void point_array(std::string_view name, int components, const void* data) {
    point_arrays_.push_back(borrowed<T>(name, components, data, point_count_, rounding_.arrays));
  }
  template <class T>
  void cell_array(std::string_view name, int components, const void* data) {
    cell_arrays_.push_back(borrowed<T>(name, components, data, cell_count_, rounding_.arrays));
  }
  // Arrays that need not stand in memory: value(k), some numbers of type T, is asked for while the file is written.
  template <class T, class F>
  void points_made(std::size_t count, F value) {  // count: of values, each of which may be several points
    points_ = made<T>("points", 3, count, std::move(value), rounding_.points);
    point_count_ = points_.count * points_.value_size / (3 * sizeof(T));
  }
  template <class T, class F>
  void point_array_made(std::string_view name, F value) {
    point_arrays_.push_back(made<T>(name, 0, point_count_, std::move(value), rounding_.arrays));
  }
  template <class T, class F>
  void cell_array_made(std::string_view name, F value) {
    cell_arrays_.push_back(made<T>(name, 0, cell_count_, std::move(value), rounding_.arrays));
  }
  // offsets[k] is the end of cell k in `connectivity`.
  void cells(CellKind kind, std::vector<std::int64_t> connectivity, std::vector<std::int64_t> offsets);
  // So many points for each cell, one cell after the other.
  void cells_in_turn(CellKind kind, std::int64_t points_per_cell);

  // In place of points and cells: a regular grid, whose cells hold the cell arrays, x first.
  struct Image {
    std::array<double, 3> origin, spacing;
    std::array<std::int64_t, 3> cells;
  };
  void image(const Image& image);

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
    std::size_t count = 0, value_size = 1;  // values in memory and bytes of one
    const void* data = nullptr;
    Maker make;            // in place of data
    bool rounded = false;  // doubles in memory, floats in the file
  };
  template <class T>
  static Array borrowed(std::string_view name, int components, const void* data, std::size_t tuples, bool single) {
    const bool rounded = single && std::is_same_v<T, double>;
    return {std::string(name),
            rounded ? vtk_type<float>() : vtk_type<T>(),
            components,
            tuples,
            sizeof(T) * static_cast<std::size_t>(components),
            data,
            {},
            rounded};
  }
  template <class T, class F>
  static Array made(std::string_view name, int components, std::size_t count, F value, bool single = false) {
    using V = std::decay_t<decltype(value(std::size_t{}))>;
    static_assert(std::is_trivially_copyable_v<V> && sizeof(V) % sizeof(T) == 0);
    const auto make = [value = std::move(value)](std::size_t first, std::size_t n, char* out) {
      for (std::size_t k = 0; k < n; ++k) {
        const V v = value(first + k);
        std::memcpy(out + k * sizeof v, &v, sizeof v);
      }
    };
    if (components == 0) components = static_cast<int>(sizeof(V) / sizeof(T));
    const bool rounded = single && std::is_same_v<T, double>;
    return {std::string(name),
            rounded ? vtk_type<float>() : vtk_type<T>(),
            components,
            count,
            sizeof(V),
            nullptr,
            make,
            rounded};
  }
  static void write(const Array& array, AtomicFile& file);

  Rounding rounding_;
  Array points_ = borrowed<double>("points", 3, nullptr, 0, false);
  std::vector<Array> point_arrays_, cell_arrays_;
  std::string field_xml_;
  CellKind kind_ = CellKind::vertices;
  std::vector<std::int64_t> connectivity_data_, offsets_data_;
  Array connectivity_ = borrowed<std::int64_t>("connectivity", 1, nullptr, 0, false);
  Array offsets_ = borrowed<std::int64_t>("offsets", 1, nullptr, 0, false);
  std::size_t point_count_ = 0, cell_count_ = 0;
  std::optional<Image> image_;
};

class VtpReader {
 public:
  explicit VtpReader(const std::filesystem::path& path);  // reads the whole file; throws FileError
  // Only the head, with the field data: fast for large files.
  static VtpReader head_of(const std::filesystem::path& path);

  // As the head says; what is sized by it comes after an array of that length, which is checked.
  std::size_t cell_count() const { return head_.cells; }

  // section: "FieldData", "PointData", "CellData", "Points", "Verts", "Lines" or "Polys".
  bool has(std::string_view section, std::string_view name) const;
  // The numbers of one array; floats serve where doubles are asked for. Throws FileError when it is missing, of another
  // type, or damaged.
  template <class T>
  std::vector<T> numbers(std::string_view section, std::string_view name) const;
  // V is a plain struct of `sizeof(V) / sizeof(T)` numbers, one per tuple.
  template <class T, class V>
  std::vector<V> tuples(std::string_view section, std::string_view name) const;

  std::vector<double> field_reals(std::string_view name) const;       // empty when missing
  std::int64_t field_integer(std::string_view name) const;            // 0 when missing
  std::vector<std::string> field_texts(std::string_view name) const;  // empty when missing

 private:
  VtpReader() = default;
  std::string_view field_text(std::string_view name) const;
  std::string block(std::string_view section, std::string_view name, std::string_view type,
                    std::size_t size_of_tuple) const;

  std::filesystem::path path_;
  std::string bytes_;
  VtkXmlHead head_;
};

template <class T, class V>
std::vector<V> VtpReader::tuples(std::string_view section, std::string_view name) const {
  const std::string bytes = block(section, name, vtk_type<T>(), sizeof(V));
  std::vector<V> values(bytes.size() / sizeof(V));
  bytes.copy(reinterpret_cast<char*>(values.data()), bytes.size());
  return values;
}

template <class T>
std::vector<T> VtpReader::numbers(std::string_view section, std::string_view name) const {
  return tuples<T, T>(section, name);
}

}  // namespace areia
