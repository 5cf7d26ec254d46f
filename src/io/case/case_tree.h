// The two halves of reading a case file: its text, and the case that a parsed text means.
#pragma once
#include <filesystem>
#include <string>

#include "areia/case_file.h"
#include "io/case/reader.h"

namespace areia::io {

struct CaseText {
  std::string text, name;
};
// Of a TOML file, or what the file of another program says as TOML. Throws InputError.
CaseText read_case_text(const std::filesystem::path& file);

// `reader` knows the sources of the tree, and may bring problems. Throws InputError with all of them at once.
Case read_tree(const toml::table& root, const std::string& name, Reader& reader, KeyPlaces* places);

}  // namespace areia::io
