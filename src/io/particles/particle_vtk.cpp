// Particles in VTK files: a point each, with arrays for radius, velocity and the like.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "io/frames/vtk_xml.h"
#include "io/particles/particle_files.h"

namespace areia::io {
namespace {

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
  // Words take a character and a blank each; no more of them can follow.
  std::size_t most_words_left() const { return (text_.size() - at_ + 1) / 2; }
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
        if (!columns.empty()) return problem("POINTS", "must stand once, before all data");
        if (!count(points)) return;
        t_.next();  // type
        if (!array("points", 3, points, &columns)) return;
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
        if (!array(name, components, tuples, on_points ? &columns : nullptr)) return;
      } else if (word == "FIELD") {
        t_.next();  // name of the field
        std::size_t arrays = 0;
        if (!count(arrays)) return;
        for (std::size_t k = 0; k < arrays; ++k) {
          t_.next();
          if (t_.token() == "METADATA") skip_metadata();  // of the array before
          const std::string name(t_.token());
          std::size_t components = 0, entries = 0;
          if (!count(components) || !count(entries)) return;
          t_.next();
          if (t_.token() == "string" || t_.token() == "variant") {
            for (std::size_t e = 0; e < entries * components; ++e)
              if (!t_.next()) return problem(name, "the file ends within its texts");
          } else if (!array(name, components, entries, on_points && entries == points ? &columns : nullptr)) {
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
  // A number of things to come, each of which takes a word at least.
  bool count(std::size_t& n) {
    t_.next();
    if (!to_number(t_.token(), n)) {
      problem("count", "must be a whole number");
    } else if (n > t_.most_words_left()) {
      problem("count", "is more than the file can hold");
    } else {
      return true;
    }
    return false;
  }
  // Up to a line that is no longer about the array before.
  void skip_metadata() {
    while (t_.next())
      if (t_.token() == "INFORMATION") {
        std::size_t n = 0;
        if (!count(n)) return;
        bool more = t_.next();
        for (; n > 0 && more; --n) {  // NAME x LOCATION y / DATA ...
          while (more && t_.token() != "DATA") more = t_.next();
          t_.rest_of_line();
          more = t_.next();
        }
        return;
      }
  }
  // Numbers that nobody asks for are looked at and not kept.
  bool array(const std::string& name, std::size_t components, std::size_t tuples, std::vector<ParticleColumn>* out) {
    const std::size_t numbers = components * tuples;  // both are below the length of the file: no overflow
    if (numbers > t_.most_words_left()) {
      problem(name, fmt::format("must hold {} numbers, more than the file can hold", numbers));
      return false;
    }
    const bool kept = out && components <= 9 && serves_particles(name, static_cast<int>(components));
    std::vector<double> values;
    for (std::size_t k = 0; k < numbers; ++k) {
      double v = 0;
      if (!t_.next() || !to_number(t_.token(), v)) {
        problem(name, fmt::format("must hold {} numbers; number {} is not one", numbers, k + 1));
        return false;
      }
      if (kept) values.push_back(v);
    }
    if (kept) out->push_back({name, static_cast<int>(components), std::move(values)});
    return true;
  }

  Tokens t_;
  const std::string& file_;
  std::vector<Problem>& problems_;
};

// --- XML ------------------------------------------------------------------------------------------------------------
template <class T>
void convert(const std::string& bytes, std::vector<double>& values) {
  values.reserve(bytes.size() / sizeof(T));
  for (std::size_t k = 0; k + sizeof(T) <= bytes.size(); k += sizeof(T)) {
    T v;
    std::memcpy(&v, bytes.data() + k, sizeof(T));
    values.push_back(static_cast<double>(v));
  }
}

struct NumberType {
  std::string_view name;
  std::size_t size;
  void (*to_doubles)(const std::string& bytes, std::vector<double>& values);
};
constexpr NumberType kNumberTypes[] = {{"Float64", 8, convert<double>},     {"Float32", 4, convert<float>},
                                       {"Int64", 8, convert<std::int64_t>}, {"UInt64", 8, convert<std::uint64_t>},
                                       {"Int32", 4, convert<std::int32_t>}, {"UInt32", 4, convert<std::uint32_t>},
                                       {"Int16", 2, convert<std::int16_t>}, {"UInt16", 2, convert<std::uint16_t>},
                                       {"Int8", 1, convert<std::int8_t>},   {"UInt8", 1, convert<std::uint8_t>}};

class XmlParser {
 public:
  XmlParser(std::string_view text, const std::string& file, std::vector<Problem>& problems)
      : text_(text), file_(file), problems_(problems) {}

  void parse(std::vector<ListedParticle>& particles) {
    try {
      head_ = read_vtk_head(text_);
    } catch (VtkXmlError& e) { return fail(problems_, file_, e.line, std::move(e.key), e.value, std::move(e.rule)); }
    if (head_.data_set != "PolyData" && head_.data_set != "UnstructuredGrid")
      return fail(problems_, file_, 1, "VTKFile", head_.data_set, "must be PolyData or UnstructuredGrid");
    std::vector<ParticleColumn> columns;
    for (const VtkXmlArray& array : head_.arrays) {
      const bool places = array.section == "Points";
      if (!places && array.section != "PointData") continue;
      const std::string name = places ? "points" : array.name;
      int components = 1;
      if (!array.components.empty() && (!to_number(array.components, components) || components < 1))
        return problem(array, array.components, "must have a positive number of components");
      if (places && components != 3) return problem(array, array.components, "must have 3 components");
      const auto same = [&](const ParticleColumn& c) { return c.name == name && c.components == components; };
      if (!serves_particles(name, components) || std::any_of(columns.begin(), columns.end(), same)) continue;
      ParticleColumn c{name, components, {}};
      if (!values(array, head_.points * static_cast<std::size_t>(components), c.values)) return;
      columns.push_back(std::move(c));
    }
    if (columns.empty()) return fail(problems_, file_, 0, "Points", "", "the file holds no points");
    particles_from_columns(columns, head_.points, file_, particles, problems_);
  }

 private:
  void problem(const VtkXmlArray& array, std::string_view value, std::string rule) {
    fail(problems_, file_, array.line, array.section == "Points" ? "points" : array.name, value, std::move(rule));
  }

  bool values(const VtkXmlArray& array, std::size_t wanted, std::vector<double>& out) {
    const std::string_view body = text_.substr(array.text_begin, array.text_end - array.text_begin);
    const bool ascii = array.format == "ascii" || array.format.empty();
    if (ascii ? ascii_values(array, body, out) : binary_values(array, body, wanted, out)) {
      if (out.size() == wanted) return true;
      problem(array, fmt::format("{} numbers", out.size()),
              fmt::format("must have {} for {} points", wanted, head_.points));
    }
    return false;
  }

  bool ascii_values(const VtkXmlArray& array, std::string_view body, std::vector<double>& out) {
    for (std::size_t at = 0; (at = body.find_first_not_of(" \t\r\n", at)) != std::string_view::npos;) {
      const std::size_t end = std::min(body.find_first_of(" \t\r\n", at), body.size());
      double v = 0;
      if (!to_number(body.substr(at, end - at), v)) {
        problem(array, body.substr(at, end - at), "must be a number");
        return false;
      }
      out.push_back(v);
      at = end;
    }
    return true;
  }

  // Arrays that share their data could ask for many times what a file can hold: what was unpacked so far counts.
  bool binary_values(const VtkXmlArray& array, std::string_view body, std::size_t wanted, std::vector<double>& out) {
    const NumberType* type = std::find_if(std::begin(kNumberTypes), std::end(kNumberTypes),
                                          [&](const NumberType& t) { return t.name == array.type; });
    if (type == std::end(kNumberTypes)) {
      problem(array, array.type, "is a type this program does not know");
      return false;
    }
    std::optional<std::string> bytes;
    unpacked_ += wanted * type->size;
    if (unpacked_ > kMostUnpacked * text_.size()) {
      problem(array, "", fmt::format("must have {} numbers, more than the file can hold", wanted));
      return false;
    }
    if (array.format == "appended") {
      std::uint64_t offset = 0;
      const std::string_view appended = head_.appended(text_);
      if (to_number(array.offset, offset) && offset < appended.size())
        bytes = vtk_array_bytes(appended.substr(offset), head_, head_.appended_raw, wanted * type->size);
    } else if (const std::size_t begin = body.find_first_not_of(" \t\r\n"); begin != std::string_view::npos) {
      bytes = vtk_array_bytes(body.substr(begin), head_, false, wanted * type->size);
    }
    if (!bytes) {
      problem(array, "", fmt::format("its data are cut short or damaged, or are not {} numbers", wanted));
      return false;
    }
    type->to_doubles(*bytes, out);
    return true;
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Problem>& problems_;
  VtkXmlHead head_;
  std::uint64_t unpacked_ = 0;
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
