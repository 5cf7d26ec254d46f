#include "io/frames/vtp_document.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <new>
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

constexpr std::string_view kAppendedTag = "<AppendedData encoding=\"raw\">";
constexpr std::string_view kEnd = "</VTKFile>";
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
  if (deflateInit2(&z, 1, Z_DEFLATED, MAX_WBITS, 9, strategy) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&deflateEnd)> ended(&z, &deflateEnd);
  packed.resize(deflateBound(&z, block.size()));
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
  z.avail_in = static_cast<uInt>(block.size());
  z.next_out = reinterpret_cast<Bytef*>(packed.data());
  z.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&z, Z_FINISH);
  packed.resize(z.total_out);
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

void VtpWriter::image(const Image& image) {
  image_ = image;
  cell_count_ = 1;
  for (const std::int64_t n : image.cells) cell_count_ *= static_cast<std::size_t>(n);
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
    std::string_view block;
    if (!array.make) {
      block = {static_cast<const char*>(array.data) + first * array.value_size, n * array.value_size};
    } else {
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

  const char* const type = image_ ? "ImageData" : "PolyData";
  const std::string extent =
      image_ ? fmt::format("0 {} 0 {} 0 {}", image_->cells[0], image_->cells[1], image_->cells[2]) : "";
  xml += fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
      "compressor=\"{}\">\n",
      type, kVtkCompressor);
  if (image_)
    xml += fmt::format("<ImageData WholeExtent=\"{}\" Origin=\"{}\" Spacing=\"{}\">\n", extent,
                       fmt::join(image_->origin, " "), fmt::join(image_->spacing, " "));
  else xml += "<PolyData>\n";
  xml += "<FieldData>\n" + field_xml_ + "</FieldData>\n";
  if (image_) xml += fmt::format("<Piece Extent=\"{}\">\n", extent);
  else
    xml += fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n",
        point_count_, count_of(CellKind::vertices), count_of(CellKind::lines), count_of(CellKind::polygons));
  xml += "<PointData>\n";
  for (const Array& array : point_arrays_) data_array(array);
  xml += "</PointData>\n<CellData>\n";
  for (const Array& array : cell_arrays_) data_array(array);
  xml += "</CellData>\n";
  if (!image_) {
    xml += "<Points>\n";
    data_array(points_);
    const char* section = kind_ == CellKind::vertices ? "Verts" : kind_ == CellKind::lines ? "Lines" : "Polys";
    xml += fmt::format("</Points>\n<{}>\n", section);
    data_array(connectivity_);
    data_array(offsets_);
    xml += fmt::format("</{}>\n", section);
  }
  xml += fmt::format("</Piece>\n</{}>\n{}\n_", type, kAppendedTag);

  AtomicFile file(path);
  file.write(xml);
  for (const auto& [array, offset_at] : appended) {
    file.rewrite(offset_at, fmt::format("offset=\"{}\"", file.position() - xml.size()));
    write(*array, file);
  }
  file.write(fmt::format("\n</AppendedData>\n{}\n", kEnd));
  file.commit();
}

namespace {

[[noreturn]] void throw_not_a_frame(const fs::path& path, const VtkXmlError& e) {
  throw_file_error(path, "read",
                   fmt::format("not a frame written by areia, or cut short (line {}: {}{}{}: {})", e.line, e.key,
                               e.value.empty() ? "" : " ", e.value, e.rule));
}

}  // namespace

VtpReader::VtpReader(const fs::path& path) : path_(path), bytes_(read_file(path)) {
  try {
    head_ = read_vtk_head(bytes_);
  } catch (const VtkXmlError& e) { throw_not_a_frame(path, e); }
  const std::size_t end = bytes_.rfind(kEnd);
  if (!head_.appended_at || end == std::string::npos || end < *head_.appended_at)
    throw_file_error(path, "read", "not a frame written by areia, or cut short");
}

VtpReader VtpReader::head_of(const fs::path& path) {
  VtpReader reader;
  reader.path_ = path;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path, "open", errno);
  // The head grows with the number of names; read on until the field data are complete.
  VtkXmlParser parser(VtkXmlParser::Until::end_of_fields);
  char piece[16384];
  ssize_t got = 0;
  try {
    do {
      got = ::read(descriptor, piece, sizeof piece);
      if (got > 0) reader.bytes_.append(piece, static_cast<std::size_t>(got));
    } while (parser.feed({piece, static_cast<std::size_t>(std::max<ssize_t>(got, 0))}, got <= 0) && got > 0);
  } catch (const VtkXmlError& e) {
    ::close(descriptor);
    throw_not_a_frame(path, e);
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
  reader.head_ = parser.take();
  if (!reader.head_.fields_complete) throw_file_error(path, "read", "not a frame written by areia, or cut short");
  return reader;
}

bool VtpReader::has(std::string_view section, std::string_view name) const {
  return head_.find(section, name) != nullptr;
}

std::string VtpReader::block(std::string_view section, std::string_view name, std::string_view type,
                             std::size_t size_of_tuple) const {
  const VtkXmlArray* array = head_.find(section, name);
  if (!array || array->format != "appended" || !head_.appended_at)
    throw_file_error(path_, "read", fmt::format("no array {}/{}", section, name));
  const bool widened = array->type == vtk_type<float>() && type == vtk_type<double>();
  if (array->type != type && !widened)
    throw_file_error(path_, "read", fmt::format("array {}/{} is {}, not {}", section, name, array->type, type));
  const bool on_points = section == "PointData" || section == "Points", on_cells = section == "CellData";
  const std::size_t stored_size = widened ? size_of_tuple / 2 : size_of_tuple;
  std::optional<std::uint64_t> expected;
  if (on_points || on_cells) expected = (on_points ? head_.points : head_.cells) * stored_size;
  const std::string_view appended = head_.appended(bytes_);
  std::uint64_t offset = 0;
  std::string_view offset_text = array->offset;
  std::optional<std::string> bytes;
  if (next_number(offset_text, offset) && offset <= appended.size())
    bytes = vtk_array_bytes(appended.substr(offset), head_, true, expected);
  if (!bytes || bytes->size() % stored_size != 0)
    throw_file_error(path_, "read",
                     expected ? fmt::format("array {}/{} is cut short or damaged, or has not {} entries", section, name,
                                            *expected / stored_size)
                              : fmt::format("array {}/{} is cut short or damaged", section, name));
  return widened ? to_doubles(*bytes) : std::move(*bytes);
}

std::string_view VtpReader::field_text(std::string_view name) const {
  const VtkXmlArray* array = head_.find("FieldData", name);
  return array ? std::string_view(bytes_).substr(array->text_begin, array->text_end - array->text_begin) : "";
}

std::vector<double> VtpReader::field_reals(std::string_view name) const {
  std::vector<double> values;
  std::string_view text = field_text(name);
  for (double value = 0; next_number(text, value);) values.push_back(value);
  return values;
}

std::int64_t VtpReader::field_integer(std::string_view name) const {
  std::int64_t value = 0;
  std::string_view text = field_text(name);
  next_number(text, value);
  return value;
}

std::vector<std::string> VtpReader::field_texts(std::string_view name) const {
  std::vector<std::string> texts;
  std::string current;
  std::string_view codes = field_text(name);
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
