// Published properties of materials and pairs, by name, with their sources: what `areia materials` lists and what
// `library` in a case file stands for. A value for which no source is cited is not here.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace areia {

struct LibrarySource {
  std::string_view key, text, doi;  // doi "": none known
};

struct LibraryMaterial {
  std::string_view name, what;
  double density = 0;  // kg/m^3; 0: none here, the case has to give it
  double young = 0;    // Pa
  double poisson = 0;
  std::string_view elastic, dense;  // keys of the sources of the elastic constants and of the density
};

// Two materials that meet: normal restitution and coefficient of sliding friction.
struct LibraryPair {
  std::string_view a, b;
  double restitution = 0, friction = 0;
  std::string_view source, what;  // key of the source; what was measured

  std::string name() const { return std::string(a) + "-" + std::string(b); }
};

const std::vector<LibraryMaterial>& library_materials();
const std::vector<LibraryPair>& library_pairs();
const LibrarySource& library_source(std::string_view key);

const LibraryMaterial* find_library_material(std::string_view name);           // null: not there
const LibraryPair* find_library_pair(std::string_view a, std::string_view b);  // in either order

}  // namespace areia
