#include "io/meshes/mesh_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>

#include "areia/case_file.h"
#include "io/files/line_pieces.h"
#include "io/particles/particle_csv.h"
#include "scene/triangle_mesh.h"

namespace areia {
namespace io {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 30;

std::string too_many(std::string_view count) {
  return fmt::format("it has {} triangles; at most {} (grains do not feel details below their own size: simplify it)",
                     count, kMostTriangles);
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kSpace = " \t\r\v\f";
  const std::size_t begin = line.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return line = {};
  line.remove_prefix(begin);
  const std::string_view word = line.substr(0, line.find_first_of(kSpace));
  line.remove_prefix(word.size());
  return word;
}

bool read_point(std::string_view line, Vec3d& p) {
  return read_number(next_word(line), p.x) && read_number(next_word(line), p.y) && read_number(next_word(line), p.z);
}

// Text STL: three `vertex x y z` lines to a facet.
bool parse_text_stl(std::string_view text, MeshShape& mesh, std::string& why) {
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = next_line(text);
    if (next_word(line) != "vertex") continue;
    Vec3d p;
    if (!read_point(line, p)) {
      why = fmt::format("line {}: `vertex` needs three numbers", number);
      return false;
    }
    mesh.vertices.push_back(p);
    if (mesh.vertices.size() % 3 != 0) continue;
    const auto last = static_cast<std::int32_t>(mesh.vertices.size()) - 1;
    mesh.triangles.push_back({last - 2, last - 1, last});
    if (mesh.triangles.size() > kMostTriangles) {
      why = too_many("more");
      return false;
    }
  }
  if (mesh.vertices.size() % 3 == 0) return true;
  why = "the last facet has less than three vertices";
  return false;
}

// Binary STL: 80 bytes of anything, the number of facets, and 50 bytes for each: normal and three corners in single
// precision, all with the low byte first, and two bytes of anything.
constexpr std::size_t kStlHead = 84, kStlFacet = 50;

std::optional<std::size_t> binary_stl_facets(const std::filesystem::path& file, std::uintmax_t bytes) {
  std::array<char, kStlHead> head;
  if (!std::ifstream(file, std::ios::binary).read(head.data(), head.size())) return std::nullopt;
  std::uint32_t count = 0;
  std::memcpy(&count, head.data() + 80, 4);
  if (bytes != kStlHead + kStlFacet * std::uintmax_t{count}) return std::nullopt;
  return count;
}

void parse_binary_stl(std::string_view data, MeshShape& mesh) {
  static_assert(std::endian::native == std::endian::little);
  const std::size_t facets = (data.size() - kStlHead) / kStlFacet;
  for (std::size_t f = 0; f < facets; ++f) {
    std::array<float, 9> corner;
    std::memcpy(corner.data(), data.data() + kStlHead + kStlFacet * f + 12, sizeof corner);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    for (int k = 0; k < 9; k += 3) mesh.vertices.push_back({corner[k], corner[k + 1], corner[k + 2]});
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
}

// PLY: a header in text that declares elements and their properties, then all values, as text or binary.
class PlyParser {
 public:
  PlyParser(std::string_view data, MeshShape& mesh) : data_(data), mesh_(mesh) {}

  bool parse(std::string& why) {
    const bool good = header() && body();
    if (!good) why = error_;
    return good;
  }

 private:
  struct Property {
    std::string_view name;
    int type = 0, count_type = -1;  // count_type >= 0: a list
  };
  struct Element {
    std::string_view name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
  };
  enum Type { i8, u8, i16, u16, i32, u32, f32, f64 };

  bool fail(std::string text) {
    error_ = std::move(text);
    return false;
  }
  static int type_of(std::string_view name) {
    constexpr std::string_view kNames[][2] = {{"char", "int8"},     {"uchar", "uint8"},   {"short", "int16"},
                                              {"ushort", "uint16"}, {"int", "int32"},     {"uint", "uint32"},
                                              {"float", "float32"}, {"double", "float64"}};
    for (int k = 0; k < 8; ++k)
      if (name == kNames[k][0] || name == kNames[k][1]) return k;
    return -1;
  }

  bool header() {
    if (!next_line(data_).starts_with("ply")) return fail("it does not begin with `ply`");
    bool formatted = false;
    for (int number = 2; !data_.empty(); ++number) {
      std::string_view line = next_line(data_);
      const std::string_view word = next_word(line);
      if (word == "end_header") return formatted || fail("the header does not name the format");
      if (word == "format") {
        const std::string_view format = next_word(line);
        text_ = format == "ascii";
        swap_ = format == "binary_big_endian";
        formatted = text_ || swap_ || format == "binary_little_endian";
      } else if (word == "element") {
        Element e;
        e.name = next_word(line);
        const std::string_view count = next_word(line);
        if (std::from_chars(count.data(), count.data() + count.size(), e.count).ec != std::errc())
          return fail(fmt::format("line {}: `element` needs a number", number));
        if (e.name == "face" && e.count > kMostTriangles) return fail(too_many(std::to_string(e.count)));
        // every element takes a byte at least
        if (e.count > data_.size()) return fail(fmt::format("line {}: there is not that much in the file", number));
        elements_.push_back(std::move(e));
      } else if (word == "property") {
        Property p;
        std::string_view type = next_word(line);
        if (type == "list") {
          p.count_type = type_of(next_word(line));
          if (p.count_type < 0) return fail(fmt::format("line {}: unknown type", number));
          type = next_word(line);
        }
        p.type = type_of(type);
        p.name = next_word(line);
        if (p.type < 0 || elements_.empty()) return fail(fmt::format("line {}: unknown type", number));
        elements_.back().properties.push_back(p);
      }
    }
    return fail("the header does not end");
  }

  template <class T>
  bool binary(double& v) {
    if (data_.size() < sizeof(T)) return false;
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), data_.data(), sizeof(T));
    if (swap_) std::reverse(bytes.begin(), bytes.end());
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    data_.remove_prefix(sizeof(T));
    v = static_cast<double>(value);
    return true;
  }

  bool value(int type, double& v) {
    if (text_) {
      std::string_view word = next_word(line_);
      while (word.empty() && !data_.empty()) {
        line_ = next_line(data_);
        word = next_word(line_);
      }
      return read_number(word, v);
    }
    switch (type) {
      case i8:
        return binary<std::int8_t>(v);
      case u8:
        return binary<std::uint8_t>(v);
      case i16:
        return binary<std::int16_t>(v);
      case u16:
        return binary<std::uint16_t>(v);
      case i32:
        return binary<std::int32_t>(v);
      case u32:
        return binary<std::uint32_t>(v);
      case f32:
        return binary<float>(v);
      default:
        return binary<double>(v);
    }
  }

  bool body() {
    for (const Element& e : elements_) {
      if (e.properties.empty()) continue;
      const bool vertex = e.name == "vertex", face = e.name == "face";
      for (std::uint64_t k = 0; k < e.count; ++k) {
        const auto where = [&] { return fmt::format("{} {}", e.name, k + 1); };
        Vec3d x;
        for (const Property& p : e.properties) {
          double v = 0, count = 1;
          if (p.count_type >= 0 && (!value(p.count_type, count) || !(count >= 0 && count <= 1e6)))
            return fail(where() + " is not complete");
          double first = 0, before = 0;
          const bool corners = face && p.count_type >= 0 && (p.name == "vertex_indices" || p.name == "vertex_index");
          for (double c = 0; c < count; ++c) {
            if (!value(p.type, v)) return fail(where() + " is not complete");
            if (corners) {
              if (!(v >= 0 && v < static_cast<double>(mesh_.vertices.size())))
                return fail(where() + " names a vertex that is not there");
              if (c == 0) first = v;
              if (c >= 2)
                mesh_.triangles.push_back({static_cast<std::int32_t>(first), static_cast<std::int32_t>(before),
                                           static_cast<std::int32_t>(v)});
              if (mesh_.triangles.size() > kMostTriangles) return fail(too_many("more"));
              before = v;
            }
          }
          if (vertex && p.name == "x") x.x = v;
          if (vertex && p.name == "y") x.y = v;
          if (vertex && p.name == "z") x.z = v;
        }
        if (vertex) mesh_.vertices.push_back(x);
        if (mesh_.vertices.size() > 3 * kMostTriangles) return fail(too_many("more"));
      }
    }
    return true;
  }

  std::string_view data_, line_;
  MeshShape& mesh_;
  bool text_ = false, swap_ = false;
  std::vector<Element> elements_;
  std::string error_;
};

}  // namespace

bool parse_obj(std::string_view text, MeshShape& mesh, std::string& why) {
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = next_line(text);
    line = line.substr(0, line.find('#'));
    const std::string_view word = next_word(line);
    if (word == "v") {
      Vec3d p;
      if (!read_point(line, p)) {
        why = fmt::format("line {}: `v` needs three numbers", number);
        return false;
      }
      mesh.vertices.push_back(p);
    } else if (word == "f") {
      std::int32_t first = -1, before = -1;
      int corners = 0;
      for (std::string_view corner = next_word(line); !corner.empty(); corner = next_word(line)) {
        corner = corner.substr(0, corner.find('/'));  // v/vt/vn
        std::int64_t k = 0;
        const auto [end, code] = std::from_chars(corner.data(), corner.data() + corner.size(), k);
        const auto count = static_cast<std::int64_t>(mesh.vertices.size());
        if (k < 0) k += count + 1;  // counted from the last one so far
        if (code != std::errc() || end != corner.data() + corner.size() || k < 1 || k > count) {
          why = fmt::format("line {}: `f` names a vertex that does not stand above it", number);
          return false;
        }
        const auto index = static_cast<std::int32_t>(k - 1);
        if (++corners == 1) first = index;
        if (corners > 2) mesh.triangles.push_back({first, before, index});
        before = index;
      }
      if (corners < 3) {
        why = fmt::format("line {}: `f` needs at least three vertices", number);
        return false;
      }
    }
    if (mesh.triangles.size() > kMostTriangles || mesh.vertices.size() > 3 * kMostTriangles) {
      why = too_many("more");
      return false;
    }
  }
  return true;
}

std::string write_obj(const MeshShape& mesh) {
  std::string text;
  for (const Vec3d& v : mesh.vertices) fmt::format_to(std::back_inserter(text), "v {} {} {}\n", v.x, v.y, v.z);
  for (const auto& t : mesh.triangles)
    fmt::format_to(std::back_inserter(text), "f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

std::optional<MeshShape> read_mesh_file(const std::filesystem::path& file, std::string& why) {
  std::string kind = file.extension().string();
  std::transform(kind.begin(), kind.end(), kind.begin(), [](unsigned char c) { return std::tolower(c); });
  if (kind != ".stl" && kind != ".obj" && kind != ".ply") {
    why = fmt::format("its name must end in .stl, .obj or .ply, not in `{}`", kind);
    return std::nullopt;
  }
  std::error_code code;
  const std::uintmax_t bytes = std::filesystem::file_size(file, code);
  if (!code && bytes > kMostBytes) {
    why = fmt::format("it has {} MB; at most {} MB", bytes >> 20, kMostBytes >> 20);
    return std::nullopt;
  }
  const auto facets = kind == ".stl" && !code ? binary_stl_facets(file, bytes) : std::nullopt;
  if (facets && *facets > kMostTriangles) {
    why = too_many(std::to_string(*facets));
    return std::nullopt;
  }
  const auto content = read_text_file(file, why);
  if (!content) return std::nullopt;
  MeshShape mesh;
  mesh.origin = file.filename().string();
  bool read = true;
  if (facets) {
    parse_binary_stl(*content, mesh);
  } else if (kind == ".obj") {
    read = parse_obj(*content, mesh, why);
  } else if (kind == ".ply") {
    read = PlyParser(*content, mesh).parse(why);
  } else if (content->find("facet") < 4096) {
    read = parse_text_stl(*content, mesh, why);
  } else {
    why = "it is neither a text STL, nor a binary one of the length that it announces";
    read = false;
  }
  if (!read) return std::nullopt;
  if (mesh.triangles.empty()) {
    why = "it has no triangles";
    return std::nullopt;
  }
  return mesh;
}

}  // namespace io

MeshShape read_mesh(const std::filesystem::path& file) {
  std::string why;
  auto mesh = io::read_mesh_file(file, why);
  if (!mesh) throw InputError("file", file.string(), "cannot read the mesh: " + why);
  return std::move(*mesh);
}

}  // namespace areia
