// Case files: reading, writing back, and the pages that describe them. Everything comes from one schema.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case.h"
#include "areia/error.h"

namespace areia {

// Where the keys of a case stand in its file, for problems that are found after reading and know only a key, such as
// overlapping particles or a time step that is too large.
struct KeyPlace {
  std::string file;
  int line = 0;
  std::string value;  // as written
};
struct KeyPlaces {
  std::string file;  // the case itself
  std::map<std::string, KeyPlace> keys;
  std::map<std::string, std::string> aliases;  // a pair of materials or an inherited table, and where it was written
  std::vector<std::string> unused;             // contact tables of which nothing makes use
};

// Gives a problem without file the place of its key or, where that was not written, of the nearest table around it.
void locate(Problem& p, const KeyPlaces& places);

// Reads a TOML case file. `overrides` are "path=value" as given to --set: a TOML value, else taken as text, so that
// both materials.grain.young=2e7 and materials.grain.young=20 MPa work. An element of an array of tables is named by
// its number or its name: stages[1].duration, stages.settle.duration.
// Throws InputError with all problems at once; also when the file, or a file it names, cannot be read.
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
               KeyPlaces* places = nullptr);

// The same from a text; `name` is its file name in problems, and files it names are looked for beside it.
Case parse_case(std::string_view toml, const std::string& name, const std::vector<std::string>& overrides = {},
                KeyPlaces* places = nullptr);

// For a case that a program filled: reads what `c.start` names, relative to `folder`, and adds its sets to the case.
// Reading a case file does so by itself. Throws InputError.
void read_start(Case& c, const std::filesystem::path& folder);

// The case with other values of keys, as a stage may set them. Throws InputError.
Case with_settings(Case c, const std::vector<StageSetting>& settings);

// The complete case with every default, in SI units. Reads back to the same Case, bit by bit, without other files.
std::string to_toml(const Case& c);

// Vertices and triangles of an STL, OBJ or PLY file, for walls. Throws InputError.
MeshShape read_mesh(const std::filesystem::path& file);

// A small commented case to begin with.
std::string starter_case();

// The page of the manual that lists every key, in Markdown.
std::string manual_markdown();

// JSON Schema (draft 2020-12) of case files, for editors.
std::string json_schema();

}  // namespace areia
