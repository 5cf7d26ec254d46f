// What our own frames and the particle files of other programs share: the head of a VTK XML file, and the bytes of its
// arrays. libexpat reads the XML. Nothing is allocated by what a file says before it is held against the bytes that are
// there, so that a damaged file costs no more than a sound one of its size.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace areia {

inline constexpr std::string_view kVtkCompressor = "vtkZLibDataCompressor";

// Deflate codes 258 bytes by two bits at best: no byte of a compressed array becomes more than this many.
inline constexpr std::uint64_t kMostUnpacked = 1032;

// Why the XML of a file cannot be used; the readers say it in their own way, with the name of the file.
struct VtkXmlError {
  int line = 0;
  std::string key, value, rule;
};

struct VtkXmlArray {
  std::string section;  // FieldData, PointData, CellData, Points, Verts, Lines, Strips, Polys, Cells
  std::string name, type, format;
  std::string components, offset;            // as written; "" where they are missing
  std::size_t text_begin = 0, text_end = 0;  // what stands between the tags, as places in the file
  int line = 0;
};

struct VtkXmlHead {
  std::string data_set, byte_order, compressor;
  bool wide_headers = false;  // words of 8 bytes before the data, not 4
  std::size_t points = 0, cells = 0;
  std::vector<VtkXmlArray> arrays;
  bool fields_complete = false;
  std::optional<std::size_t> appended_at;  // the first byte after the mark "_" of the appended data
  bool appended_raw = true;                // else in base64

  const VtkXmlArray* find(std::string_view section, std::string_view name) const;  // nullptr when there is none
  std::string_view appended(std::string_view file) const;                          // the appended data; "" without any
};

// Takes a file piece by piece and stops where its appended data begin, which are no XML.
class VtkXmlParser {
 public:
  enum class Until { appended_data, end_of_fields };
  explicit VtkXmlParser(Until until);
  ~VtkXmlParser();
  bool feed(std::string_view piece, bool is_last);  // false when no more is wanted; throws VtkXmlError
  VtkXmlHead take();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

VtkXmlHead read_vtk_head(std::string_view file);  // throws VtkXmlError

// The bytes of the array that begins at `from`, raw or in base64; nothing when they are cut short or damaged, or when
// there are not `expected` of them.
std::optional<std::string> vtk_array_bytes(std::string_view from, const VtkXmlHead& head, bool raw,
                                           std::optional<std::uint64_t> expected);

}  // namespace areia
