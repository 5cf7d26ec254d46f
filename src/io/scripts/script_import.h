// Input scripts of LAMMPS and LIGGGHTS as cases. What is taken over, and how: docs/from-other-programs.md.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "io/case/imported_case.h"
#include "io/scripts/script_reader.h"

namespace areia {

struct ScriptOptions {
  std::map<std::string, std::string> variables;  // as `-var NAME VALUE` of the other program
  std::filesystem::path case_folder;             // where the case will be; names of meshes are relative to it
  // files that the script names; by default from the disk
  io::ReadText read;
  std::function<std::optional<MeshShape>(const std::filesystem::path& file, std::string& why)> read_mesh;
};

// Throws InputError where a line that would be taken over is wrong, or where nothing that can run is left.
ImportedCase import_script(std::string_view text, const std::string& file, const ScriptOptions& options = {});

bool is_script_name(const std::string& file);  // in.*, *.in, *.lmp, *.lammps, *.liggghts
// By its name, or by its content: at least three of the usual commands.
bool is_script_file(const std::string& file, std::string_view text);

}  // namespace areia
