#include "io/mesh_file.h"

#include <fmt/format.h>

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <charconv>
#include <cstring>
#include <fstream>

#include "areia/case_file.h"
#include "io/particle_csv.h"
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

bool read_number(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc() && end == word.data() + word.size();
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

// Binary formats say how many triangles they hold before they list them.
std::optional<std::uint64_t> announced_triangles(const std::string& kind, std::string_view head, std::uintmax_t bytes) {
  if (kind == ".stl" && head.size() >= 84) {
    std::uint32_t count = 0;
    std::memcpy(&count, head.data() + 80, 4);
    if (bytes == 84 + std::uintmax_t{50} * count) return count;
  }
  if (kind == ".ply") {
    const std::string_view key = "element face ";
    const std::size_t at = head.find(key);
    std::uint64_t count = 0;
    if (at != std::string_view::npos &&
        std::from_chars(head.data() + at + key.size(), head.data() + head.size(), count).ec == std::errc())
      return count;
  }
  return std::nullopt;
}

bool import(const std::filesystem::path& file, MeshShape& mesh, std::string& why) {
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(file.string(), aiProcess_Triangulate);
  if (!scene || (scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE)) {
    why = fmt::format("it is not a sound mesh file: {}", importer.GetErrorString());
    std::replace(why.begin(), why.end(), '\n', ' ');
    return false;
  }
  for (unsigned k = 0; k < scene->mNumMeshes; ++k) {
    const aiMesh& part = *scene->mMeshes[k];
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    if (mesh.vertices.size() + part.mNumVertices > 3 * kMostTriangles ||
        mesh.triangles.size() + part.mNumFaces > kMostTriangles) {
      why = too_many("more");
      return false;
    }
    for (unsigned v = 0; v < part.mNumVertices; ++v)
      mesh.vertices.push_back({part.mVertices[v].x, part.mVertices[v].y, part.mVertices[v].z});
    for (unsigned f = 0; f < part.mNumFaces; ++f) {
      const aiFace& face = part.mFaces[f];
      if (face.mNumIndices != 3) continue;  // points and lines
      mesh.triangles.push_back({first + static_cast<std::int32_t>(face.mIndices[0]),
                                first + static_cast<std::int32_t>(face.mIndices[1]),
                                first + static_cast<std::int32_t>(face.mIndices[2])});
    }
  }
  return true;
}

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
  const auto content = read_text_file(file, why);
  if (!content) return std::nullopt;
  MeshShape mesh;
  mesh.origin = file.filename().string();
  const auto announced = announced_triangles(kind, std::string_view(*content).substr(0, 65536), content->size());
  if (announced && *announced > kMostTriangles) {
    why = too_many(std::to_string(*announced));
    return std::nullopt;
  }
  const bool text_stl = kind == ".stl" && !announced && content->find("facet") < 4096;
  const bool read = kind == ".obj" ? parse_obj(*content, mesh, why)
                    : text_stl     ? parse_text_stl(*content, mesh, why)
                                   : import(file, mesh, why);
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
