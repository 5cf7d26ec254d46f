#include "scene/material_library.h"

#include <algorithm>

namespace areia {

namespace {

const std::vector<LibrarySource> kSources{
    {"Chung and Ooi (2011)",
     "Y. C. Chung and J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at particle impact "
     "level, "
     "Granular Matter 13, 643-656, 2011",
     "10.1007/s10035-011-0277-0"},
    {"Kharaz et al. (2001)",
     "A. H. Kharaz, D. A. Gorham and A. D. Salman, An experimental study of the elastic rebound of spheres, Powder "
     "Technology 120, 281-291, 2001",
     "10.1016/S0032-5910(01)00283-2"},
    {"Foerster et al. (1994)",
     "S. F. Foerster, M. Y. Louge, H. Chang and K. Allia, Measurements of the collision properties of small spheres, "
     "Physics of Fluids 6, 1108-1115, 1994",
     ""},
    {"Dowling (2013)",
     "N. E. Dowling, Mechanical Behavior of Materials, 4th edition, Pearson, 2013, Table 5.2 (elastic constants at "
     "ambient "
     "temperature)",
     ""},
    {"CRC Handbook", "CRC Handbook of Chemistry and Physics, CRC Press, physical constants of the elements", ""},
    {"Mavko et al. (2009)",
     "G. Mavko, T. Mukerji and J. Dvorkin, The Rock Physics Handbook, 2nd edition, Cambridge University Press, 2009, "
     "table "
     "of the properties of minerals",
     ""},
};

// E of an isotropic solid from its bulk modulus K and shear modulus G.
constexpr double young_of(double K, double G) { return 9 * K * G / (3 * K + G); }

}  // namespace

const std::vector<LibraryMaterial>& library_materials() {
  constexpr std::string_view kTests = "Chung and Ooi (2011)", kDowling = "Dowling (2013)", kCrc = "CRC Handbook",
                             kMinerals = "Mavko et al. (2009)";
  static const std::vector<LibraryMaterial> all{
      // those of the benchmark tests, as the tests have them
      {"glass", "glass of the benchmark tests", 2800, 4.8e10, 0.20, kTests, kTests},
      {"limestone", "limestone of the benchmark tests", 2500, 2.0e10, 0.25, kTests, kTests},
      {"aluminium_alloy", "aluminium alloy of the benchmark tests", 2700, 7.0e10, 0.33, kTests, kTests},
      {"magnesium_alloy", "magnesium alloy of the benchmark tests", 1800, 4.0e10, 0.35, kTests, kTests},
      {"aluminium_oxide", "aluminium oxide of the benchmark tests", 4000, 3.8e11, 0.23, kTests, kTests},
      {"cast_iron", "cast iron of the benchmark tests", 7000, 1.0e11, 0.25, kTests, kTests},
      // metals
      {"aluminium", "aluminium", 2700, 70.3e9, 0.345, kDowling, kCrc},
      {"copper", "copper", 8960, 130e9, 0.343, kDowling, kCrc},
      {"iron", "iron; mild steel has the same elastic constants", 7870, 212e9, 0.293, kDowling, kCrc},
      {"tungsten", "tungsten", 19300, 411e9, 0.280, kDowling, kCrc},
      {"stainless_steel", "stainless steel", 0, 215e9, 0.283, kDowling, ""},
      // polymers
      {"acrylic", "acrylic, PMMA", 0, 2.7e9, 0.35, kDowling, ""},
      {"nylon", "nylon 66, dry", 0, 2.7e9, 0.41, kDowling, ""},
      {"polycarbonate", "polycarbonate", 0, 2.4e9, 0.38, kDowling, ""},
      {"polyethylene", "polyethylene of high density, HDPE", 0, 1.08e9, 0.42, kDowling, ""},
      // glasses, ceramics, rocks, minerals
      {"soda_lime_glass", "soda-lime glass", 0, 69e9, 0.20, kDowling, ""},
      {"fused_silica", "fused silica glass", 0, 70e9, 0.18, kDowling, ""},
      {"alumina", "alumina, Al2O3", 0, 400e9, 0.22, kDowling, ""},
      {"granite", "Westerly granite", 0, 49.6e9, 0.213, kDowling, ""},
      // bulk and shear modulus 37 and 44 GPa
      {"quartz", "quartz, isotropic mean of the crystal", 2650, young_of(37e9, 44e9), 0.08, kMinerals, kMinerals},
  };
  return all;
}

const std::vector<LibraryPair>& library_pairs() {
  static const std::vector<LibraryPair> all{
      {"glass", "glass", 0.97, 0.092, "Foerster et al. (1994)", "soda-lime glass spheres of 3 mm"},
      {"soda_lime_glass", "soda_lime_glass", 0.97, 0.092, "Foerster et al. (1994)", "soda-lime glass spheres of 3 mm"},
      {"aluminium_oxide", "soda_lime_glass", 0.98, 0.092, "Kharaz et al. (2001)",
       "spheres of 5 mm on a thick plate of soda-lime glass at 3.9 m/s; the values of test 4 of Chung and Ooi (2011)"},
  };
  return all;
}

const LibrarySource& library_source(std::string_view key) {
  return *std::find_if(kSources.begin(), kSources.end(), [&](const LibrarySource& s) { return s.key == key; });
}

const LibraryMaterial* find_library_material(std::string_view name) {
  for (const LibraryMaterial& m : library_materials())
    if (m.name == name) return &m;
  return nullptr;
}

const LibraryPair* find_library_pair(std::string_view a, std::string_view b) {
  for (const LibraryPair& p : library_pairs())
    if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return &p;
  return nullptr;
}

}  // namespace areia
