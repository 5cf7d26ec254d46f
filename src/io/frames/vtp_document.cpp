#include "io/frames/vtp_document.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
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

}  // namespace

void VtpWriter::cells(CellKind kind, std::vector<std::int64_t> connectivity, std::vector<std::int64_t> offsets) {
  kind_ = kind;
  connectivity_data_ = std::move(connectivity);
  offsets_data_ = std::move(offsets);
  cell_count_ = offsets_data_.size();
  connectivity_ = {"connectivity", "Int64", 1, connectivity_data_.size() * 8, connectivity_data_.data(), {}};
  offsets_ = {"offsets", "Int64", 1, offsets_data_.size() * 8, offsets_data_.data(), {}};
}

void VtpWriter::cells_in_turn(CellKind kind, std::int64_t points_per_cell) {
  kind_ = kind;
  cell_count_ = point_count_ / static_cast<std::size_t>(points_per_cell);
  connectivity_ = made<std::int64_t>("connectivity", 1, point_count_, [](std::size_t k) { return std::int64_t(k); });
  offsets_ = made<std::int64_t>("offsets", 1, cell_count_,
                                [=](std::size_t k) { return points_per_cell * std::int64_t(k + 1); });
}

void VtpWriter::write(const Array& array, AtomicFile& file) {
  const std::uint64_t size = array.bytes;
  file.write(&size, sizeof size);
  if (!array.make) return file.write(array.data, array.bytes);
  constexpr std::size_t kAtATime = 4096;
  const std::size_t count = array.bytes / array.value_size;
  std::string piece(std::min(count, kAtATime) * array.value_size, '\0');
  for (std::size_t first = 0; first < count; first += kAtATime) {
    const std::size_t n = std::min(kAtATime, count - first);
    array.make(first, n, piece.data());
    file.write(piece.data(), n * array.value_size);
  }
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
  std::vector<const Array*> appended;
  std::uint64_t next_offset = 0;
  std::string xml;
  const auto data_array = [&](const Array& array) {
    xml += fmt::format("<DataArray type=\"{}\" Name=\"{}\"", array.type, array.name);
    if (array.components > 1) xml += fmt::format(" NumberOfComponents=\"{}\"", array.components);
    xml += fmt::format(" format=\"appended\" offset=\"{}\"/>\n", next_offset);
    appended.push_back(&array);
    next_offset += sizeof(std::uint64_t) + array.bytes;
  };
  const auto count_of = [&](CellKind kind) { return kind == kind_ ? cell_count_ : std::size_t{0}; };

  xml +=
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
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
  for (const Array* array : appended) write(*array, file);
  file.write("\n</AppendedData>\n</VTKFile>\n");
  file.commit();
}

VtpReader::VtpReader(const fs::path& path) : path_(path), bytes_(read_file(path)) {
  const std::size_t at = bytes_.find(kAppendedTag);
  const std::size_t mark = at == std::string::npos ? at : bytes_.find('_', at + kAppendedTag.size());
  if (mark == std::string::npos) throw_file_error(path, "read", "not a frame written by areia, or cut short");
  appended_at_ = mark + 1;
  parse(std::string_view(bytes_).substr(0, at));
}

VtpReader VtpReader::head_of(const fs::path& path) {
  VtpReader reader;
  reader.path_ = path;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw_file_error(path, "open", errno);
  // The head grows with the number of names; read on until the field data are complete.
  constexpr std::string_view kEnd = "</FieldData>";
  char piece[16384];
  ssize_t got = 0;
  while (reader.bytes_.find(kEnd) == std::string::npos && (got = ::read(descriptor, piece, sizeof piece)) > 0)
    reader.bytes_.append(piece, static_cast<std::size_t>(got));
  ::close(descriptor);
  const std::size_t end = reader.bytes_.find(kEnd);
  if (end == std::string::npos) throw_file_error(path, "read", "not a frame written by areia, or cut short");
  reader.bytes_.resize(end + kEnd.size());
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
    if (kind == "Piece") {
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

std::string_view VtpReader::block(std::string_view section, std::string_view name, std::string_view type,
                                  std::size_t size_of_tuple) const {
  const Entry* entry = find(section, name);
  if (!entry || !entry->appended) throw_file_error(path_, "read", fmt::format("no array {}/{}", section, name));
  if (entry->type != type)
    throw_file_error(path_, "read", fmt::format("array {}/{} is {}, not {}", section, name, entry->type, type));
  const std::string_view appended = std::string_view(bytes_).substr(appended_at_);
  std::uint64_t size = 0;
  const bool head_fits = entry->offset <= appended.size() && appended.size() - entry->offset >= sizeof size;
  if (head_fits) std::memcpy(&size, appended.data() + entry->offset, sizeof size);
  if (!head_fits || appended.size() - entry->offset - sizeof size < size || size % size_of_tuple != 0)
    throw_file_error(path_, "read", fmt::format("array {}/{} is cut short", section, name));
  const bool on_points = section == "PointData" || section == "Points";
  if (on_points || section == "CellData") {
    const std::size_t expected = on_points ? point_count_ : cell_count_;
    if (size / size_of_tuple != expected)
      throw_file_error(path_, "read", fmt::format("array {}/{} has not {} entries", section, name, expected));
  }
  return appended.substr(entry->offset + sizeof size, size);
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
