#include "io/frames/vtk_xml.h"

#include <expat.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <utility>

namespace areia {
namespace {

constexpr std::size_t kDeepest = 16, kMostArrays = 4096, kPiece = std::size_t{1} << 26;
constexpr std::string_view kSections[] = {"FieldData", "PointData", "CellData", "Points", "Verts",
                                          "Lines",     "Strips",    "Polys",    "Cells"};

using Attributes = const XML_Char**;

std::string_view attribute(Attributes attributes, std::string_view name) {
  for (; attributes[0]; attributes += 2)
    if (name == attributes[0]) return attributes[1];
  return {};
}

}  // namespace

struct VtkXmlParser::State {
  XML_Parser xml = nullptr;
  Until until = Until::appended_data;
  VtkXmlHead head;
  std::vector<std::string> path;  // names of the elements that are open
  VtkXmlArray array;
  bool in_array = false, done = false, has_piece = false;
  std::size_t fed = 0, appended_tag_end = 0;
  std::exception_ptr exception;  // no exception passes through the frames of expat

  ~State() {
    if (xml) XML_ParserFree(xml);
  }
  int line() const {
    const auto n = XML_GetCurrentLineNumber(xml);
    return n < std::numeric_limits<int>::max() ? static_cast<int>(n) : 0;
  }
  std::size_t place() const { return static_cast<std::size_t>(XML_GetCurrentByteIndex(xml)); }
  std::size_t end_of_tag() const { return place() + static_cast<std::size_t>(XML_GetCurrentByteCount(xml)); }
  [[noreturn]] void problem(std::string key, std::string_view value, std::string rule) const {
    throw VtkXmlError{line(), std::move(key), std::string(value.substr(0, 80)), std::move(rule)};
  }
  void finish() {
    done = true;
    XML_StopParser(xml, XML_FALSE);
  }

  std::size_t count(Attributes attributes, const char* name, bool needed) const {
    constexpr std::size_t kMost = 2'000'000'000;
    const std::string_view text = attribute(attributes, name);
    if (text.empty() && !needed) return 0;
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size() || n > kMost)
      problem(name, text, "must be a whole number");
    return n;
  }

  void start(std::string_view name, Attributes attributes) {
    if (path.size() >= kDeepest) problem(std::string(name), "", "is nested too deeply");
    if (name == "VTKFile") {
      head.data_set = attribute(attributes, "type");
      head.byte_order = attribute(attributes, "byte_order");
      head.compressor = attribute(attributes, "compressor");
      head.wide_headers = attribute(attributes, "header_type") == "UInt64";
      if (head.byte_order == "BigEndian") problem("byte_order", head.byte_order, "must be LittleEndian");
      if (!head.compressor.empty() && head.compressor != kVtkCompressor)
        problem("compressor", head.compressor, fmt::format("must be {}, or none", kVtkCompressor));
    } else if (name == "Piece") {
      if (std::exchange(has_piece, true)) problem("Piece", "", "only files of one piece are read");
      head.points = count(attributes, "NumberOfPoints", true);
      for (const char* kind : {"NumberOfVerts", "NumberOfLines", "NumberOfPolys"})
        head.cells += count(attributes, kind, false);
    } else if (name == "AppendedData") {
      head.appended_raw = attribute(attributes, "encoding") != "base64";
      appended_tag_end = end_of_tag();
      finish();
    } else if (name == "DataArray") {
      start_array(attributes);
    }
    path.emplace_back(name);
  }

  // Data of the whole set stand in the data set, all others in its piece.
  void start_array(Attributes attributes) {
    if (path.size() < 2) return;
    const std::string& section = path.back();
    if (std::find(std::begin(kSections), std::end(kSections), section) == std::end(kSections)) return;
    if (section != "FieldData" && path[path.size() - 2] != "Piece") return;
    if (head.arrays.size() >= kMostArrays) problem("DataArray", "", fmt::format("more than {} arrays", kMostArrays));
    array = {section,
             std::string(attribute(attributes, "Name")),
             std::string(attribute(attributes, "type")),
             std::string(attribute(attributes, "format")),
             std::string(attribute(attributes, "NumberOfComponents")),
             std::string(attribute(attributes, "offset")),
             end_of_tag(),
             0,
             line()};
    in_array = true;
  }

  // An array's text ends where the next tag begins, whether it is its own or that of an element within.
  void end_text() {
    if (!std::exchange(in_array, false)) return;
    array.text_end = place();
    head.arrays.push_back(std::move(array));
  }

  void end(std::string_view name) {
    end_text();
    path.pop_back();
    if (name != "FieldData") return;
    head.fields_complete = true;
    if (until == Until::end_of_fields) finish();
  }

  template <class F>
  static void guarded(void* user, F&& f) {
    State& state = *static_cast<State*>(user);
    if (state.exception || state.done) return;
    try {
      f(state);
    } catch (...) {
      state.exception = std::current_exception();
      XML_StopParser(state.xml, XML_FALSE);
    }
  }

  // The mark may stand in a later piece than the tag.
  bool find_mark(std::string_view piece, std::size_t piece_begin) {
    const std::size_t from = appended_tag_end > piece_begin ? appended_tag_end - piece_begin : 0;
    const std::size_t mark = piece.find('_', std::min(from, piece.size()));
    if (mark != std::string_view::npos) head.appended_at = piece_begin + mark + 1;
    return head.appended_at.has_value();
  }
};

VtkXmlParser::VtkXmlParser(Until until) : state_(std::make_unique<State>()) {
  state_->until = until;
  state_->xml = XML_ParserCreate(nullptr);
  if (!state_->xml) throw std::bad_alloc();
  XML_SetUserData(state_->xml, state_.get());
  XML_SetElementHandler(
      state_->xml,
      [](void* user, const XML_Char* name, Attributes attributes) {
        State::guarded(user, [&](State& s) {
          s.end_text();
          s.start(name, attributes);
        });
      },
      [](void* user, const XML_Char* name) { State::guarded(user, [&](State& s) { s.end(name); }); });
  XML_SetStartDoctypeDeclHandler(state_->xml, [](void* user, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    State::guarded(user, [](State& s) { s.problem("DOCTYPE", "", "must not be there"); });
  });
}

VtkXmlParser::~VtkXmlParser() = default;

bool VtkXmlParser::feed(std::string_view piece, bool is_last) {
  State& s = *state_;
  const std::size_t begin = std::exchange(s.fed, s.fed + piece.size());
  if (!s.done) {
    const auto status = XML_Parse(s.xml, piece.data(), static_cast<int>(piece.size()), is_last);
    if (s.exception) std::rethrow_exception(s.exception);
    if (status == XML_STATUS_ERROR && !s.done) {
      const XML_Error error = XML_GetErrorCode(s.xml);
      if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
      throw VtkXmlError{s.line(), "XML", "", XML_ErrorString(error)};
    }
  }
  if (s.appended_tag_end == 0) return !s.done;
  if (s.find_mark(piece, begin)) return false;
  if (is_last) throw VtkXmlError{s.line(), "AppendedData", "", "is cut short"};
  return true;
}

VtkXmlHead VtkXmlParser::take() { return std::move(state_->head); }

const VtkXmlArray* VtkXmlHead::find(std::string_view section, std::string_view name) const {
  for (const VtkXmlArray& array : arrays)
    if (array.section == section && array.name == name) return &array;
  return nullptr;
}

std::string_view VtkXmlHead::appended(std::string_view file) const {
  if (!appended_at || *appended_at > file.size()) return {};
  const std::string_view rest = file.substr(*appended_at);
  return rest.substr(0, rest.rfind("</AppendedData"));
}

VtkXmlHead read_vtk_head(std::string_view file) {
  VtkXmlParser parser(VtkXmlParser::Until::appended_data);
  for (std::size_t at = 0;; at += kPiece) {
    const bool is_last = file.size() - at <= kPiece;
    if (!parser.feed(file.substr(at, kPiece), is_last) || is_last) return parser.take();
  }
}

namespace {

// Decodes whole groups of four characters, `most` bytes or a little more; stops at what is none and after padding.
std::string from_base64(std::string_view text, std::size_t most, std::size_t& used) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  used = 0;
  while (used + 4 <= text.size() && out.size() < most) {
    int bytes = 3;
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[used + k];
      const std::size_t d = kDigits.find(c);
      if (c == '=') --bytes;
      else if (d == std::string_view::npos) return out;
      bits = bits << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : d);
    }
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(bits >> (16 - 8 * k) & 0xff);
    used += 4;
    if (bytes < 3) break;
  }
  return out;
}

// The data of one array, taken from the front: runs of bytes as they are or in base64.
class Source {
 public:
  Source(std::string_view text, bool raw, std::size_t word) : text_(text), raw_(raw), word_(word) {}

  // At least n bytes, or nothing; of raw data exactly n, without a copy.
  std::optional<std::string_view> take(std::uint64_t n) {
    if (raw_) {
      if (n > text_.size() - used_) return {};
      const std::string_view bytes = text_.substr(used_, n);
      used_ += n;
      return bytes;
    }
    if (n > text_.size() - used_) return {};  // four characters for three bytes
    std::size_t used = 0;
    decoded_ = from_base64(text_.substr(used_), n, used);
    used_ += used;
    if (decoded_.size() < n) return {};
    return decoded_;
  }
  void back_to_start() { used_ = 0; }
  std::uint64_t word(std::string_view bytes, std::uint64_t k) const {
    std::uint64_t value = 0;  // little endian: the low bytes come first
    std::memcpy(&value, bytes.data() + k * word_, word_);
    return value;
  }

 private:
  std::string_view text_;
  bool raw_;
  std::size_t word_, used_ = 0;
  std::string decoded_;
};

}  // namespace

// Before the data stands how many bytes there are. Of compressed data the header says how many blocks there are, the
// size of a full one, that of a last one that is not full (else 0), and the size of each as stored. In base64, a plain
// header runs on into the data, and one of compressed data does not.
std::optional<std::string> vtk_array_bytes(std::string_view from, const VtkXmlHead& head, bool raw,
                                           std::optional<std::uint64_t> expected) {
  const std::size_t word = head.wide_headers ? 8 : 4;
  Source source(from, raw, word);
  if (head.compressor.empty()) {
    const auto size_bytes = source.take(word);
    if (!size_bytes) return {};
    const std::uint64_t size = source.word(*size_bytes, 0);
    if (size > from.size() || (expected && size != *expected)) return {};
    if (!raw) source.back_to_start();
    const auto bytes = source.take(raw ? size : word + size);
    if (!bytes) return {};
    return std::string(bytes->substr(raw ? 0 : word, size));
  }
  const auto start = source.take(3 * word);
  if (!start) return {};
  const std::uint64_t blocks = source.word(*start, 0), full = source.word(*start, 1), last = source.word(*start, 2);
  if (blocks > from.size() / word || full > std::numeric_limits<uInt>::max() || last > full) return {};
  source.back_to_start();
  const auto header_bytes = source.take((3 + blocks) * word);
  if (!header_bytes) return {};
  const std::string header(*header_bytes);
  std::uint64_t packed = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = source.word(header, 3 + b);
    if (size > from.size() - packed) return {};
    packed += size;
  }
  const std::uint64_t unpacked = blocks == 0 ? 0 : (blocks - 1) * full + (last > 0 ? last : full);
  if (unpacked > kMostUnpacked * packed || (expected && unpacked != *expected)) return {};
  const auto data = source.take(packed);
  if (!data) return {};
  std::string bytes(unpacked, '\0');
  std::uint64_t from_byte = 0, to_byte = 0;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t wanted = std::min(full, unpacked - to_byte), size = source.word(header, 3 + b);
    uLongf got = wanted;
    const int result = uncompress(reinterpret_cast<Bytef*>(bytes.data() + to_byte), &got,
                                  reinterpret_cast<const Bytef*>(data->data() + from_byte), size);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    if (result != Z_OK || got != wanted) return {};
    from_byte += size;
    to_byte += wanted;
  }
  return bytes;
}

}  // namespace areia
