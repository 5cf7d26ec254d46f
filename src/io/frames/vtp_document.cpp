#include "io/frames/vtp_document.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "areia/error.h"
#include "io/files/atomic_file.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

// VTK stores text as numbers of its bytes, each text ended by 0; bytes above 127 are negative as in `signed char`.
std::string text_as_codes(const std::vector<std::string>& texts) {
  std::string codes;
  for (const std::string& text : texts) {
    for (const char c : text) codes += fmt::format("{} ", static_cast<int>(static_cast<signed char>(c)));
    codes += "0 ";
  }
  return codes;
}

// The next number of a list separated by blanks; false at its end.
template <class T>
bool next_number(std::string_view& text, T& value) {
  const std::size_t begin = text.find_first_not_of(" \n\r\t");
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

// Value of attribute `name` in the inside of a tag, or "".
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string key = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + key.size();
  const std::size_t end = tag.find('"', begin);
  return end == std::string_view::npos ? std::string_view{} : tag.substr(begin, end - begin);
}

constexpr std::string_view kAppendedTag = "<AppendedData encoding=\"raw\">";
constexpr std::string_view kCompressor = "vtkZLibDataCompressor", kEnd = "</VTKFile>";
constexpr std::size_t kBlockSize = std::size_t{1} << 17;

// Doubles to floats in place: each is written before the place of the next one is read.
void round_to_floats(std::string& bytes) {
  const std::size_t n = bytes.size() / sizeof(double);
  for (std::size_t k = 0; k < n; ++k) {
    double wide = 0;
    std::memcpy(&wide, bytes.data() + k * sizeof wide, sizeof wide);
    const auto narrow = static_cast<float>(wide);
    std::memcpy(bytes.data() + k * sizeof narrow, &narrow, sizeof narrow);
  }
  bytes.resize(n * sizeof(float));
}

std::string to_doubles(std::string_view floats) {
  std::string bytes(floats.size() * 2, '\0');
  for (std::size_t k = 0; k < floats.size() / sizeof(float); ++k) {
    float narrow = 0;
    std::memcpy(&narrow, floats.data() + k * sizeof narrow, sizeof narrow);
    const double wide = narrow;
    std::memcpy(bytes.data() + k * sizeof wide, &wide, sizeof wide);
  }
  return bytes;
}

void deflate_block(std::string_view block, int strategy, std::string& packed) {
  z_stream z{};
  if (deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS, 9, strategy) != Z_OK) throw Error("zlib cannot compress a block");
  packed.resize(deflateBound(&z, block.size()));
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
  z.avail_in = static_cast<uInt>(block.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
  deflateEnd(&z);
  if (result != Z_STREAM_END) throw Error("zlib cannot compress a block");
}

// Velocities and forces are noise but for their exponents. Looking for repetitions in them takes three times as long as
// coding rare bytes by many bits and finds nothing; in indices, constants and lines that share a point it finds nearly
// everything. The beginning of the block tells which it is.
void compress_block(std::string_view block, std::string& packed) {
  constexpr std::size_t kSample = 8192;
  constexpr double kNoise = 0.85;  // of its size, compressed
  if (block.size() > kSample) {
    deflate_block(block.substr(0, kSample), Z_DEFAULT_STRATEGY, packed);
    if (static_cast<double>(packed.size()) > kNoise * kSample) return deflate_block(block, Z_HUFFMAN_ONLY, packed);
  }
  deflate_block(block, Z_DEFAULT_STRATEGY, packed);
}

// The bytes of the array that begins here; nothing when they are cut short or damaged.
std::optional<std::string> stored_bytes(std::string_view from, bool compressed) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const auto word = [&](std::size_t k) {
    std::uint64_t w = 0;
    if ((k + 1) * kWord <= from.size()) std::memcpy(&w, from.data() + k * kWord, kWord);
    return w;
  };
  if (from.size() < (compressed ? 3 : 1) * kWord) return {};
  if (!compressed) {
    if (word(0) > from.size() - kWord) return {};
    return std::string(from.substr(kWord, word(0)));
  }
  const std::uint64_t blocks = word(0), full = word(1), last = word(2);
  constexpr std::uint64_t kLargest = 1 << 30;
  if (blocks > from.size() / kWord - 3 || full > kLargest || last > full) return {};
  std::string bytes;
  std::size_t at = (3 + blocks) * kWord;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    uLongf size = b + 1 == blocks && last > 0 ? last : full;
    const std::uint64_t packed = word(3 + b);
    if (packed > from.size() - at) return {};
    const std::size_t filled = bytes.size(), wanted = size;
    bytes.resize(filled + wanted);
    if (uncompress(reinterpret_cast<Bytef*>(bytes.data() + filled), &size,
                   reinterpret_cast<const Bytef*>(from.data() + at), packed) != Z_OK ||
        size != wanted)
      return {};
    at += packed;
  }
  return bytes;
}

}  // namespace

void VtpWriter::cells(CellKind kind, std::vector<std::int64_t> connectivity, std::vector<std::int64_t> offsets) {
  kind_ = kind;
  connectivity_data_ = std::move(connectivity);
  offsets_data_ = std::move(offsets);
  cell_count_ = offsets_data_.size();
  connectivity_ =
      borrowed<std::int64_t>("connectivity", 1, connectivity_data_.data(), connectivity_data_.size(), false);
  offsets_ = borrowed<std::int64_t>("offsets", 1, offsets_data_.data(), offsets_data_.size(), false);
}

void VtpWriter::cells_in_turn(CellKind kind, std::int64_t points_per_cell) {
  kind_ = kind;
  cell_count_ = point_count_ / static_cast<std::size_t>(points_per_cell);
  connectivity_ = made<std::int64_t>("connectivity", 1, point_count_, [](std::size_t k) { return std::int64_t(k); });
  offsets_ = made<std::int64_t>("offsets", 1, cell_count_,
                                [=](std::size_t k) { return points_per_cell * std::int64_t(k + 1); });
}

// A header of the number of blocks, the size of a full one, that of a last one that is not full (else 0) and the
// compressed size of each; then the blocks.
void VtpWriter::write(const Array& array, AtomicFile& file) {
  const std::size_t written_size = array.rounded ? array.value_size / 2 : array.value_size;
  const std::size_t per_block = std::max<std::size_t>(1, kBlockSize / written_size);
  const std::size_t blocks = (array.count + per_block - 1) / per_block;
  std::vector<std::uint64_t> header(3 + blocks);
  header[0] = blocks;
  header[1] = per_block * written_size;
  header[2] = array.count % per_block * written_size;
  const auto bytes_of_header = [&] {
    return std::string_view(reinterpret_cast<const char*>(header.data()), header.size() * sizeof header[0]);
  };
  const std::uint64_t header_at = file.position();
  file.write(bytes_of_header());
  std::string values, packed;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * per_block, n = std::min(per_block, array.count - first);
    std::string_view block(static_cast<const char*>(array.data) + first * array.value_size, n * array.value_size);
    if (array.make) {
      values.resize(n * array.value_size);
      array.make(first, n, values.data());
      block = values;
    }
    if (array.rounded) {
      if (!array.make) values = block;
      round_to_floats(values);
      block = values;
    }
    compress_block(block, packed);
    header[3 + b] = packed.size();
    file.write(packed);
  }
  file.rewrite(header_at, bytes_of_header());
}

void VtpWriter::field(std::string_view name, const std::vector<double>& values, int components,
                      const std::vector<std::string>& component_names) {
  if (values.empty()) return;
  field_xml_ += fmt::format("<DataArray type=\"Float64\" Name=\"{}\"", name);
  if (components > 1) field_xml_ += fmt::format(" NumberOfComponents=\"{}\"", components);
  for (std::size_t k = 0; k < component_names.size(); ++k)
    field_xml_ += fmt::format(" ComponentName{}=\"{}\"", k, component_names[k]);
  field_xml_ += fmt::format(" NumberOfTuples=\"{}\" format=\"ascii\">", values.size() / std::size_t(components));
  for (const double value : values) field_xml_ += fmt::format("{} ", value);
  field_xml_ += "</DataArray>\n";
}

void VtpWriter::field(std::string_view name, std::int64_t value) {
  field_xml_ += fmt::format(
      "<DataArray type=\"Int64\" Name=\"{}\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n", name, value);
}

void VtpWriter::field(std::string_view name, const std::vector<std::string>& values) {
  if (values.empty()) return;
  field_xml_ +=
      fmt::format("<DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">{}</DataArray>\n",
                  name, values.size(), text_as_codes(values));
}

void VtpWriter::save(const fs::path& path) const {
  // Where an array begins is known when those before it are compressed: its place in the head is filled in afterwards.
  constexpr std::size_t kOffsetRoom = sizeof("offset=\"18446744073709551615\"") - 1;
  std::vector<std::pair<const Array*, std::size_t>> appended;  // and where its offset goes
  std::string xml;
  const auto data_array = [&](const Array& array) {
    xml += fmt::format("<DataArray type=\"{}\" Name=\"{}\"", array.type, array.name);
    if (array.components > 1) xml += fmt::format(" NumberOfComponents=\"{}\"", array.components);
    xml += " format=\"appended\" ";
    appended.emplace_back(&array, xml.size());
    xml += std::string(kOffsetRoom, ' ') + "/>\n";
  };
  const auto count_of = [&](CellKind kind) { return kind == kind_ ? cell_count_ : std::size_t{0}; };

  xml += fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"{}\">\n<PolyData>\n",
      kCompressor);
  xml += "<FieldData>\n" + field_xml_ + "</FieldData>\n";
  xml += fmt::format(
      "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      point_count_, count_of(CellKind::vertices), count_of(CellKind::lines), count_of(CellKind::polygons));
  xml += "<PointData>\n";
  for (const Array& array : point_arrays_) data_array(array);
  xml += "</PointData>\n<CellData>\n";
  for (const Array& array : cell_arrays_) data_array(array);
  xml += "</CellData>\n<Points>\n";
  data_array(points_);
  const char* section = kind_ == CellKind::vertices ? "Verts" : kind_ == CellKind::lines ? "Lines" : "Polys";
  xml += fmt::format("</Points>\n<{}>\n", section);
  data_array(connectivity_);
  data_array(offsets_);
  xml += fmt::format("</{}>\n</Piece>\n</PolyData>\n{}\n_", section, kAppendedTag);

  AtomicFile file(path);
  file.write(xml);
  for (const auto& [array, offset_at] : appended) {
    file.rewrite(offset_at, fmt::format("offset=\"{}\"", file.position() - xml.size()));
    write(*array, file);
  }
  file.write(fmt::format("\n</AppendedData>\n{}\n", kEnd));
  file.commit();
}

VtpReader::VtpReader(const fs::path& path) : path_(path), bytes_(read_file(path)) {
  const std::size_t at = bytes_.find(kAppendedTag);
  const std::size_t mark = at == std::string::npos ? at : bytes_.find('_', at + kAppendedTag.size());
  if (mark == std::string::npos || bytes_.rfind(kEnd) == std::string::npos || bytes_.rfind(kEnd) < mark)
    throw_file_error(path, "read", "not a frame written by areia, or cut short");
  appended_at_ = mark + 1;
  parse(std::string_view(bytes_).substr(0, at));
}

VtpReader VtpReader::head_of(const fs::path& path) {
  VtpReader reader;
  reader.path_ = path;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path, "open", errno);
  // The head grows with the number of names; read on until the field data are complete.
  constexpr std::string_view kFieldsEnd = "</FieldData>";
  char piece[16384];
  ssize_t got = 0;
  while (reader.bytes_.find(kFieldsEnd) == std::string::npos && (got = ::read(descriptor, piece, sizeof piece)) > 0)
    reader.bytes_.append(piece, static_cast<std::size_t>(got));
  ::close(descriptor);
  const std::size_t end = reader.bytes_.find(kFieldsEnd);
  if (end == std::string::npos) throw_file_error(path, "read", "not a frame written by areia, or cut short");
  reader.bytes_.resize(end + kFieldsEnd.size());
  reader.appended_at_ = reader.bytes_.size();
  reader.parse(reader.bytes_);
  return reader;
}

void VtpReader::parse(std::string_view head) {
  std::string section;
  std::size_t at = 0;
  while ((at = head.find('<', at)) != std::string_view::npos) {
    const std::size_t end = head.find('>', at);
    if (end == std::string_view::npos) break;
    const std::string_view tag = head.substr(at + 1, end - at - 1);
    at = end + 1;
    const std::string_view kind = tag.substr(0, tag.find_first_of(" />"));
    if (kind == "VTKFile") {
      const std::string_view compressor = attribute(tag, "compressor");
      compressed_ = !compressor.empty();
      if (compressed_ && compressor != kCompressor)
        throw_file_error(path_, "read", fmt::format("compressed by {}, not {}", compressor, kCompressor));
    } else if (kind == "Piece") {
      std::string_view points = attribute(tag, "NumberOfPoints");
      next_number(points, point_count_);
      for (const char* name : {"NumberOfVerts", "NumberOfLines", "NumberOfPolys"}) {
        std::size_t count = 0;
        std::string_view text = attribute(tag, name);
        if (next_number(text, count)) cell_count_ += count;
      }
    } else if (kind == "DataArray") {
      Entry entry;
      entry.type = attribute(tag, "type");
      entry.appended = attribute(tag, "format") == "appended";
      if (entry.appended) {
        std::string_view offset = attribute(tag, "offset");
        if (!next_number(offset, entry.offset)) throw_file_error(path_, "read", "an array without an offset");
      } else {
        const std::size_t close = head.find('<', at);
        if (close == std::string_view::npos) throw_file_error(path_, "read", "cut short");
        entry.text = head.substr(at, close - at);
      }
      entries_[section + "/" + std::string(attribute(tag, "Name"))] = std::move(entry);
    } else if (!kind.empty()) {
      section = kind;
    }
  }
}

const VtpReader::Entry* VtpReader::find(std::string_view section, std::string_view name) const {
  const auto found = entries_.find(fmt::format("{}/{}", section, name));
  return found == entries_.end() ? nullptr : &found->second;
}

bool VtpReader::has(std::string_view section, std::string_view name) const { return find(section, name) != nullptr; }

std::string VtpReader::block(std::string_view section, std::string_view name, std::string_view type,
                             std::size_t size_of_tuple) const {
  const Entry* entry = find(section, name);
  if (!entry || !entry->appended) throw_file_error(path_, "read", fmt::format("no array {}/{}", section, name));
  const bool widened = entry->type == vtk_type<float>() && type == vtk_type<double>();
  if (entry->type != type && !widened)
    throw_file_error(path_, "read", fmt::format("array {}/{} is {}, not {}", section, name, entry->type, type));
  const std::string_view appended = std::string_view(bytes_).substr(appended_at_);
  std::optional<std::string> bytes;
  if (entry->offset <= appended.size()) bytes = stored_bytes(appended.substr(entry->offset), compressed_);
  if (bytes && widened) bytes = to_doubles(*bytes);
  if (!bytes || bytes->size() % size_of_tuple != 0)
    throw_file_error(path_, "read", fmt::format("array {}/{} is cut short or damaged", section, name));
  const bool on_points = section == "PointData" || section == "Points";
  if (on_points || section == "CellData") {
    const std::size_t expected = on_points ? point_count_ : cell_count_;
    if (bytes->size() / size_of_tuple != expected)
      throw_file_error(path_, "read", fmt::format("array {}/{} has not {} entries", section, name, expected));
  }
  return std::move(*bytes);
}

std::vector<double> VtpReader::field_reals(std::string_view name) const {
  std::vector<double> values;
  const Entry* entry = find("FieldData", name);
  if (!entry) return values;
  std::string_view text = entry->text;
  for (double value = 0; next_number(text, value);) values.push_back(value);
  return values;
}

std::int64_t VtpReader::field_integer(std::string_view name) const {
  std::int64_t value = 0;
  if (const Entry* entry = find("FieldData", name)) {
    std::string_view text = entry->text;
    next_number(text, value);
  }
  return value;
}

std::vector<std::string> VtpReader::field_texts(std::string_view name) const {
  std::vector<std::string> texts;
  const Entry* entry = find("FieldData", name);
  if (!entry) return texts;
  std::string current;
  std::string_view codes = entry->text;
  for (int code = 0; next_number(codes, code);) {
    if (code != 0) {
      current += static_cast<char>(code);
    } else {
      texts.push_back(std::exchange(current, {}));
    }
  }
  return texts;
}

}  // namespace areia
