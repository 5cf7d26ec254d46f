// Particles in VTK files: a point each, with arrays for radius, velocity and the like.
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include <charconv>
#include <cstring>
#include <map>

#include "io/particles/particle_files.h"

namespace areia::io {
namespace {

constexpr std::size_t kMostPoints = 2'000'000'000;

void fail(std::vector<Problem>& problems, const std::string& file, int line, std::string key, std::string_view value,
          std::string rule) {
  problems.push_back({file, line, std::move(key), std::string(value.substr(0, 80)), std::move(rule)});
}

// --- legacy ---------------------------------------------------------------------------------------------------------
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) {}
  bool next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
      line_ += text_[at_++] == '\n';
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
    token_ = text_.substr(at_, end - at_);
    at_ = end;
    return !token_.empty();
  }
  void rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    token_ = text_.substr(at_, end - at_);
    at_ = end;
  }
  std::string_view token() const { return token_; }
  int line() const { return line_; }

 private:
  std::string_view text_, token_;
  std::size_t at_ = 0;
  int line_ = 1;
};

template <class T>
bool to_number(std::string_view word, T& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

class LegacyParser {
 public:
  LegacyParser(std::string_view text, const std::string& file, std::vector<Problem>& problems)
      : t_(text), file_(file), problems_(problems) {}

  void parse(std::vector<ListedParticle>& particles) {
    t_.rest_of_line();  // # vtk DataFile Version
    t_.next();          // the title begins
    t_.rest_of_line();
    t_.next();
    if (t_.token() != "ASCII")
      return problem("format", "must be ASCII; binary legacy files are not read, but XML files (.vtp, .vtu) are");
    std::vector<ParticleColumn> columns;
    std::size_t points = 0, tuples = 0;
    bool on_points = false;
    while (t_.next()) {
      const std::string_view word = t_.token();
      if (word == "DATASET") {
        t_.next();
        if (t_.token() != "POLYDATA" && t_.token() != "UNSTRUCTURED_GRID")
          return problem("DATASET", "must be POLYDATA or UNSTRUCTURED_GRID");
      } else if (word == "POINTS") {
        if (!count(points)) return;
        t_.next();  // type
        if (!array("points", 3, points, columns)) return;
      } else if (word == "POINT_DATA" || word == "CELL_DATA") {
        on_points = word == "POINT_DATA";
        if (!count(tuples)) return;
        if (on_points && tuples != points)
          return problem("POINT_DATA", "must have as many entries as there are points");
      } else if (word == "SCALARS" || word == "VECTORS" || word == "NORMALS") {
        const bool scalars = word == "SCALARS";
        t_.next();
        const std::string name(t_.token());
        t_.next();  // type
        std::size_t components = 3;
        if (scalars) {
          components = 1;
          t_.next();
          if (t_.token() != "LOOKUP_TABLE") {
            if (!to_number(t_.token(), components) || components == 0 || components > 9)
              return problem(name, "must have 1 to 9 components");
            t_.next();
          }
          if (t_.token() != "LOOKUP_TABLE") return problem(name, "must be followed by LOOKUP_TABLE");
          t_.next();
        }
        std::vector<ParticleColumn> unused;
        if (!array(name, components, tuples, on_points ? columns : unused)) return;
      } else if (word == "FIELD") {
        t_.next();  // name of the field
        std::size_t arrays = 0;
        if (!count(arrays)) return;
        for (std::size_t k = 0; k < arrays; ++k) {
          t_.next();
          if (t_.token() == "METADATA") {  // of the array before, up to a line that is no longer about it
            skip_metadata();
          }
          const std::string name(t_.token());
          std::size_t components = 0, entries = 0;
          if (!count(components) || !count(entries)) return;
          t_.next();
          const bool text = t_.token() == "string" || t_.token() == "variant";
          std::vector<ParticleColumn> unused;
          if (text) {
            for (std::size_t e = 0; e < entries * components; ++e) t_.next();
          } else if (!array(name, components, entries, on_points && entries == points ? columns : unused)) {
            return;
          }
        }
      }
      // anything else (cells, lookup tables, metadata) is passed over word by word
    }
    if (columns.empty()) return problem("POINTS", "the file holds no points");
    particles_from_columns(columns, points, file_, particles, problems_);
  }

 private:
  void problem(std::string key, std::string rule) {
    fail(problems_, file_, t_.line(), std::move(key), t_.token(), std::move(rule));
  }
  bool count(std::size_t& n) {
    t_.next();
    if (to_number(t_.token(), n) && n <= kMostPoints) return true;
    problem("count", "must be a whole number");
    return false;
  }
  void skip_metadata() {
    while (t_.next())
      if (t_.token() == "INFORMATION") {
        std::size_t n = 0;
        count(n);
        t_.next();
        for (; n > 0; --n) {  // NAME x LOCATION y / DATA ...
          while (t_.token() != "DATA" && t_.next()) {}
          t_.rest_of_line();
          t_.next();
        }
        return;
      }
  }
  bool array(const std::string& name, std::size_t components, std::size_t tuples, std::vector<ParticleColumn>& out) {
    ParticleColumn c{name, static_cast<int>(components), {}};
    for (std::size_t k = 0; k < components * tuples; ++k) {
      double v = 0;
      if (!t_.next() || !to_number(t_.token(), v)) {
        problem(name, fmt::format("must hold {} numbers; number {} is not one", components * tuples, k + 1));
        return false;
      }
      c.values.push_back(v);
    }
    out.push_back(std::move(c));
    return true;
  }

  Tokens t_;
  const std::string& file_;
  std::vector<Problem>& problems_;
};

// --- XML ------------------------------------------------------------------------------------------------------------
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string key = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(key);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = at + key.size();
  return tag.substr(begin, tag.find('"', begin) - begin);
}

// Decodes whole groups of four characters; stops at what is none, and after padding if `one_block`.
std::string from_base64(std::string_view text, std::size_t* used = nullptr, std::size_t most = ~std::size_t{0}) {
  static const std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::size_t at = 0;
  while (at + 4 <= text.size() && out.size() < most) {
    int bytes = 3;
    std::uint32_t bits = 0;
    for (int k = 0; k < 4; ++k) {
      const char c = text[at + k];
      const std::size_t d = kDigits.find(c);
      if (c == '=') --bytes;
      else if (d == std::string_view::npos) return out;
      bits = bits << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : d);
    }
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(bits >> (16 - 8 * k) & 0xff);
    at += 4;
    if (bytes < 3) break;
  }
  if (used) *used = at;
  return out;
}

class XmlParser {
 public:
  XmlParser(std::string_view text, const std::string& file, std::vector<Problem>& problems)
      : text_(text), file_(file), problems_(problems) {}

  void parse(std::vector<ListedParticle>& particles) {
    const std::size_t appended = text_.find("<AppendedData");
    std::string_view head = text_.substr(0, appended);
    if (appended != std::string_view::npos) {
      const std::size_t end = text_.find('>', appended), mark = text_.find('_', end);
      if (mark == std::string_view::npos) return problem("AppendedData", "", "is cut short");
      raw_ = attribute(text_.substr(appended, end - appended), "encoding") != "base64";
      appended_ = text_.substr(mark + 1);
    }
    std::vector<ParticleColumn> columns;
    std::size_t points = 0, pieces = 0;
    std::string section;
    for (std::size_t at = 0; (at = head.find('<', at)) != std::string_view::npos;) {
      const std::size_t end = head.find('>', at);
      if (end == std::string_view::npos) break;
      line_ += static_cast<int>(std::count(head.begin() + static_cast<std::ptrdiff_t>(seen_),
                                           head.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
      seen_ = at;
      const std::string_view tag = head.substr(at + 1, end - at - 1);
      at = end + 1;
      const std::string_view kind = tag.substr(0, tag.find_first_of(" />\n"));
      if (kind == "VTKFile") {
        const std::string_view type = attribute(tag, "type");
        if (type != "PolyData" && type != "UnstructuredGrid")
          return problem("VTKFile", type, "must be PolyData or UnstructuredGrid");
        if (attribute(tag, "byte_order") == "BigEndian")
          return problem("byte_order", "BigEndian", "must be LittleEndian");
        wide_ = attribute(tag, "header_type") == "UInt64";
        const std::string_view compressor = attribute(tag, "compressor");
        compressed_ = !compressor.empty();
        if (compressed_ && compressor != "vtkZLibDataCompressor")
          return problem("compressor", compressor, "must be vtkZLibDataCompressor, or none");
      } else if (kind == "Piece") {
        if (++pieces > 1) return problem("Piece", "", "only files of one piece are read");
        if (!to_number(attribute(tag, "NumberOfPoints"), points) || points > kMostPoints)
          return problem("NumberOfPoints", attribute(tag, "NumberOfPoints"), "must be a whole number");
      } else if (kind == "DataArray" && (section == "Points" || section == "PointData")) {
        const std::string name = section == "Points" ? "points" : std::string(attribute(tag, "Name"));
        int components = 1;
        if (const auto n = attribute(tag, "NumberOfComponents");
            !n.empty() && (!to_number(n, components) || components < 1))
          return problem(name, n, "must have a positive number of components");
        const std::size_t close = head.find('<', at);
        ParticleColumn c{name, components, {}};
        const std::string_view body = head.substr(at, close == std::string_view::npos ? 0 : close - at);
        if (!values(tag, body, c.values)) return;
        if (c.values.size() != points * static_cast<std::size_t>(components))
          return problem(
              name, fmt::format("{} numbers", c.values.size()),
              fmt::format("must have {} for {} points", points * static_cast<std::size_t>(components), points));
        columns.push_back(std::move(c));
      } else if (kind == "Points" || kind == "PointData" || kind == "CellData" || kind == "FieldData" ||
                 kind == "Verts" || kind == "Lines" || kind == "Strips" || kind == "Polys" || kind == "Cells") {
        section = kind;
      }
    }
    if (columns.empty()) return problem("Points", "", "the file holds no points");
    particles_from_columns(columns, points, file_, particles, problems_);
  }

 private:
  void problem(std::string key, std::string_view value, std::string rule) {
    fail(problems_, file_, line_, std::move(key), value, std::move(rule));
  }

  std::uint64_t header_word(std::string_view bytes, std::size_t k) const {
    if (wide_) {
      std::uint64_t v = 0;
      std::memcpy(&v, bytes.data() + 8 * k, 8);
      return v;
    }
    std::uint32_t v = 0;
    std::memcpy(&v, bytes.data() + 4 * k, 4);
    return v;
  }

  // The bytes of an array that begins here, raw or in base64: a header, then one block or several compressed ones.
  bool block(std::string_view from, bool raw, std::string& out) {
    const std::size_t word = wide_ ? 8 : 4;
    std::size_t used = 0;
    const auto take = [&](std::size_t n, std::string& bytes) {  // n bytes from here on; base64 runs in groups
      if (raw) {
        if (from.size() - used < n) return false;
        bytes.assign(from.substr(used, n));
        used += n;
        return true;
      }
      std::size_t taken = 0;
      bytes = from_base64(from.substr(used), &taken, n);
      used += taken;
      return bytes.size() >= n;
    };
    std::string head;
    if (!compressed_) {
      if (raw) {
        if (!take(word, head)) return false;
        return header_word(head, 0) <= from.size() && take(header_word(head, 0), out);
      }
      // header and data are one run of base64
      std::string all;
      if (!take(word, all)) return false;
      const std::uint64_t n = header_word(all, 0);
      used = 0;
      if (n > from.size() || !take(word + n, all)) return false;
      out = all.substr(word, n);
      return true;
    }
    if (!take(3 * word, head)) return false;
    const std::uint64_t blocks = header_word(head, 0), full = header_word(head, 1), last = header_word(head, 2);
    if (blocks > from.size() || full > (1u << 30) || last > (1u << 30)) return false;
    used = 0;
    if (!take((3 + blocks) * word, head)) return false;
    std::uint64_t total = 0;
    for (std::uint64_t k = 0; k < blocks; ++k) total += header_word(head, 3 + k);
    std::string data;
    if (total > from.size() || !take(total, data)) return false;
    std::size_t at = 0;
    for (std::uint64_t k = 0; k < blocks; ++k) {
      uLongf size = k + 1 == blocks && last > 0 ? last : full;
      std::string plain(size, '\0');
      const std::uint64_t packed = header_word(head, 3 + k);
      if (uncompress(reinterpret_cast<Bytef*>(plain.data()), &size, reinterpret_cast<const Bytef*>(data.data() + at),
                     packed) != Z_OK)
        return false;
      out += plain.substr(0, size);
      at += packed;
    }
    return true;
  }

  template <class T>
  static void convert(const std::string& bytes, std::vector<double>& values) {
    for (std::size_t k = 0; k + sizeof(T) <= bytes.size(); k += sizeof(T)) {
      T v;
      std::memcpy(&v, bytes.data() + k, sizeof(T));
      values.push_back(static_cast<double>(v));
    }
  }

  bool values(std::string_view tag, std::string_view body, std::vector<double>& out) {
    const std::string_view format = attribute(tag, "format"), type = attribute(tag, "type");
    const std::string name(attribute(tag, "Name"));
    if (format == "ascii" || format.empty()) {
      for (std::size_t at = 0; (at = body.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(body.find_first_of(" \t\r\n", at), body.size());
        double v = 0;
        if (!to_number(body.substr(at, end - at), v)) {
          problem(name, body.substr(at, end - at), "must be a number");
          return false;
        }
        out.push_back(v);
        at = end;
      }
      return true;
    }
    std::string bytes;
    bool good = false;
    if (format == "appended") {
      std::uint64_t offset = 0;
      good = to_number(attribute(tag, "offset"), offset) && offset < appended_.size() &&
             block(appended_.substr(offset), raw_, bytes);
    } else {
      const std::size_t begin = body.find_first_not_of(" \t\r\n");
      good = begin != std::string_view::npos && block(body.substr(begin), false, bytes);
    }
    if (!good) {
      problem(name, "", "its data are cut short or damaged");
      return false;
    }
    if (type == "Float64") convert<double>(bytes, out);
    else if (type == "Float32") convert<float>(bytes, out);
    else if (type == "Int64") convert<std::int64_t>(bytes, out);
    else if (type == "UInt64") convert<std::uint64_t>(bytes, out);
    else if (type == "Int32") convert<std::int32_t>(bytes, out);
    else if (type == "UInt32") convert<std::uint32_t>(bytes, out);
    else if (type == "Int16") convert<std::int16_t>(bytes, out);
    else if (type == "UInt16") convert<std::uint16_t>(bytes, out);
    else if (type == "Int8") convert<std::int8_t>(bytes, out);
    else if (type == "UInt8") convert<std::uint8_t>(bytes, out);
    else {
      problem(name, type, "is a type this program does not know");
      return false;
    }
    return true;
  }

  std::string_view text_, appended_;
  const std::string& file_;
  std::vector<Problem>& problems_;
  bool raw_ = true, wide_ = false, compressed_ = false;
  int line_ = 1;
  std::size_t seen_ = 0;
};

}  // namespace

void parse_vtk_legacy(std::string_view text, const std::string& file, std::vector<ListedParticle>& particles,
                      std::vector<Problem>& problems) {
  LegacyParser(text, file, problems).parse(particles);
}

void parse_vtk_xml(std::string_view text, const std::string& file, std::vector<ListedParticle>& particles,
                   std::vector<Problem>& problems) {
  XmlParser(text, file, problems).parse(particles);
}

}  // namespace areia::io
