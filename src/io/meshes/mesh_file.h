// Triangles from STL, OBJ and PLY files, and as text in the format of OBJ.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "areia/case.h"

namespace areia::io {

// Vertices and triangles of a file, in its own unit; `origin` is its name. Nothing is returned, and `why` says the
// reason, if it cannot be read or is too large. Whether the triangles make sense is for make_triangle_mesh to find out.
std::optional<MeshShape> read_mesh_file(const std::filesystem::path& file, std::string& why);

// Lines `v x y z` and `f a b c ...` of OBJ; everything else (normals, textures, groups) is passed over. Numbers keep
// all their digits.
bool parse_obj(std::string_view text, MeshShape& mesh, std::string& why);
std::string write_obj(const MeshShape& mesh);

}  // namespace areia::io
