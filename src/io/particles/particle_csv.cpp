#include "io/particles/particle_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/range.h"
#include "core/suggest.h"
#include "io/files/line_pieces.h"

namespace areia::io {
namespace {

struct Column {
  const char* name;
  bool required;
  bool own;       // left empty or out, the set's value serves
  bool positive;  // must be
  double& (*of)(ListedParticle&);
};

constexpr Column kColumns[] = {
    {"x", true, false, false, [](ListedParticle& p) -> double& { return p.x.x; }},
    {"y", true, false, false, [](ListedParticle& p) -> double& { return p.x.y; }},
    {"z", true, false, false, [](ListedParticle& p) -> double& { return p.x.z; }},
    {"radius", false, true, true, [](ListedParticle& p) -> double& { return p.radius; }},
    {"vx", false, false, false, [](ListedParticle& p) -> double& { return p.v.x; }},
    {"vy", false, false, false, [](ListedParticle& p) -> double& { return p.v.y; }},
    {"vz", false, false, false, [](ListedParticle& p) -> double& { return p.v.z; }},
    {"wx", false, false, false, [](ListedParticle& p) -> double& { return p.w.x; }},
    {"wy", false, false, false, [](ListedParticle& p) -> double& { return p.w.y; }},
    {"wz", false, false, false, [](ListedParticle& p) -> double& { return p.w.z; }},
    {"mass", false, true, true, [](ListedParticle& p) -> double& { return p.mass; }},
    {"charge", false, true, false, [](ListedParticle& p) -> double& { return p.charge; }},
};

// One wrong column makes every line wrong; after so many problems the rest is only counted.
constexpr int kMostProblems = 20;

class CsvParser {
 public:
  CsvParser(const std::string& file, std::vector<Problem>& problems) : file_(file), problems_(problems) {}

  void header(int line, const std::vector<std::string_view>& pieces) {
    std::vector<std::string> known;
    for (const Column& c : kColumns) known.emplace_back(c.name);
    std::array<bool, std::size(kColumns)> seen{};
    for (const std::string_view name : pieces) {
      std::size_t k = 0;
      while (k < std::size(kColumns) && name != kColumns[k].name) ++k;
      if (k == std::size(kColumns)) {
        problem(line, "header", name, "unknown column" + suggestion(name, known));
      } else if (seen[k]) {
        problem(line, "header", name, "column given twice");
      } else {
        seen[k] = true;
      }
      columns_.push_back(k < std::size(kColumns) ? &kColumns[k] : nullptr);
    }
    for (std::size_t k = 0; k < std::size(kColumns); ++k)
      if (kColumns[k].required && !seen[k])
        problem(line, "header", "", fmt::format("column `{}` is missing", kColumns[k].name));
  }

  bool particle(int line, const std::vector<std::string_view>& pieces, ListedParticle& p) {
    if (pieces.size() != columns_.size()) {
      problem(line, "line", fmt::format("{} fields", pieces.size()),
              fmt::format("must have {} fields, as the header", columns_.size()));
      return false;
    }
    bool good = true;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      if (!columns_[k]) continue;
      const bool positive = columns_[k]->positive;
      if (columns_[k]->own && pieces[k].empty()) continue;
      const std::string_view f = pieces[k].starts_with('+') ? pieces[k].substr(1) : pieces[k];
      double value = 0;
      const auto [end, code] = std::from_chars(f.data(), f.data() + f.size(), value);
      const std::string_view name = columns_[k]->name;
      std::string rule;
      if (f.empty()) {
        rule = "is missing";
      } else if (code != std::errc() || end != f.data() + f.size()) {
        rule = "must be a number, in SI units, without unit";
      } else if (!is_usable(value)) {
        rule = kUsableRule;
      } else if (positive && !(value > 0)) {
        rule = "must be positive";
      }
      if (rule.empty()) columns_[k]->of(p) = value;
      else problem(line, name, pieces[k], rule);
      good = good && rule.empty();
    }
    return good;
  }

  bool has_header() const { return !columns_.empty(); }
  void problem(int line, std::string_view key, std::string_view value, std::string rule) {
    if (++found_ <= kMostProblems)
      problems_.push_back({file_, line, std::string(key), std::string(value), std::move(rule)});
  }
  void finish(int line) {
    if (!has_header()) problem(line, "header", "", "is missing: the first line names the columns, as in x,y,z,radius");
    if (found_ > kMostProblems)
      problems_.push_back({file_, line, "lines", "", fmt::format("and {} more problems", found_ - kMostProblems)});
  }

 private:
  const std::string& file_;
  std::vector<Problem>& problems_;
  std::vector<const Column*> columns_;
  int found_ = 0;
};

}  // namespace

void parse_particle_csv(std::string_view text, const std::string& file, int first_line,
                        std::vector<ListedParticle>& particles, std::vector<Problem>& problems) {
  CsvParser parser(file, problems);
  std::vector<std::string_view> pieces;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of spreadsheet programs
  particles.reserve(particles.size() + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  bool commas = true;
  int line = first_line;
  for (; !text.empty(); line += first_line > 0) {
    const std::size_t end = text.find('\n');
    std::string_view content = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    content = trimmed(content.substr(0, content.find('#')));
    if (content.empty()) continue;
    // The header decides: names without a comma between them are separated by blanks, and so are all lines below.
    if (!parser.has_header()) commas = content.find(',') != std::string_view::npos;
    if (commas) split_at_commas(content, pieces);
    else split_at_blanks(content, pieces);
    if (!parser.has_header()) {
      parser.header(line, pieces);
    } else {
      ListedParticle p;
      if (parser.particle(line, pieces, p)) particles.push_back(p);
    }
  }
  parser.finish(line);
}

std::string write_particle_csv(const std::vector<ListedParticle>& particles) {
  std::array<bool, std::size(kColumns)> used{};
  for (std::size_t k = 0; k < std::size(kColumns); ++k) {
    used[k] = kColumns[k].required;
    for (ListedParticle p : particles) used[k] = used[k] || kColumns[k].of(p) != 0 || std::signbit(kColumns[k].of(p));
  }
  std::string text;
  for (std::size_t k = 0; k < std::size(kColumns); ++k)
    if (used[k]) text.append(k ? "," : "").append(kColumns[k].name);
  text += '\n';
  for (ListedParticle p : particles) {
    for (std::size_t k = 0; k < std::size(kColumns); ++k) {
      if (!used[k]) continue;
      if (k) text += ',';
      const double value = kColumns[k].of(p);
      if (!(kColumns[k].own && value == 0)) fmt::format_to(std::back_inserter(text), "{}", value);
    }
    text += '\n';
  }
  return text;
}

std::optional<std::string> read_text_file(const std::filesystem::path& file, std::string& why) {
  std::error_code code;
  const auto status = std::filesystem::status(file, code);
  if (!std::filesystem::exists(status)) {
    why = code && code != std::errc::no_such_file_or_directory ? code.message() : "there is no such file";
    return std::nullopt;
  }
  if (!std::filesystem::is_regular_file(status)) {  // reading a device might never end
    why = std::filesystem::is_directory(status) ? "it is a folder" : "it is not a regular file";
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    why = std::strerror(errno);
    return std::nullopt;
  }
  try {
    return std::string(std::istreambuf_iterator<char>(in), {});
  } catch (const std::ios_base::failure&) {  // which an iterator throws whatever the stream was told
    why = "reading failed";
    return std::nullopt;
  }
}

}  // namespace areia::io
