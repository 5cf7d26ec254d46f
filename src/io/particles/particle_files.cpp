#include "io/particles/particle_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "core/range.h"
#include "io/files/line_pieces.h"
#include "io/particles/particle_csv.h"

namespace areia::io {
namespace {

constexpr std::size_t kMostProblems = 20;

// The lines of a text, one after the other, with their numbers.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  bool next() {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line_ = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return true;
  }
  std::string_view line() const { return line_; }
  int number() const { return number_; }

 private:
  std::string_view rest_, line_;
  int number_ = 0;
};

class Parser {
 public:
  Parser(std::string_view text, const std::string& file, std::vector<Problem>& problems)
      : lines_(text), file_(file), problems_(problems), before_(problems.size()) {}

 protected:
  bool good() const { return problems_.size() == before_; }
  void problem(std::string key, std::string_view value, std::string rule) {
    if (problems_.size() < before_ + kMostProblems)
      problems_.push_back({file_, lines_.number(), std::move(key), std::string(value.substr(0, 80)), std::move(rule)});
  }
  // The present line as numbers; `least` of them at least.
  bool numbers(std::vector<double>& values, std::size_t least, const char* what) {
    split_at_blanks(lines_.line(), words_);
    values.clear();
    for (std::string_view w : words_) {
      if (w.starts_with('#')) break;
      double v = 0;
      if (!read_number(w, v) || !is_usable(v)) {
        problem(what, w, kUsableRule);
        return false;
      }
      values.push_back(v);
    }
    if (values.size() >= least) return true;
    problem(what, lines_.line(), fmt::format("must have {} numbers at least", least));
    return false;
  }

  Lines lines_;
  const std::string& file_;
  std::vector<Problem>& problems_;
  std::size_t before_;
  std::vector<std::string_view> words_;
};

// --- LAMMPS and LIGGGHTS dumps: blocks of "ITEM: ..." lines, one group per time step --------------------------------
class DumpParser : Parser {
 public:
  using Parser::Parser;

  void parse(std::optional<std::int64_t> step, std::vector<ListedParticle>& particles) {
    std::vector<std::int64_t> seen;
    std::vector<ParticleColumn> columns, kept;
    std::size_t count = 0, kept_count = 0;
    bool found = false;
    std::int64_t now = 0;
    double low[3] = {0, 0, 0}, size[3] = {1, 1, 1};
    while (good() && lines_.next()) {
      const std::string_view line = lines_.line();
      if (line.empty()) continue;
      if (!line.starts_with("ITEM:")) return problem("dump", line, "must be a line that begins with ITEM:");
      const std::string_view item = trimmed(line.substr(5));
      if (item == "TIMESTEP") {
        if (!lines_.next() || !read_number(lines_.line(), now))
          return problem("TIMESTEP", lines_.line(), "must be followed by the number of the time step");
        seen.push_back(now);
      } else if (item == "NUMBER OF ATOMS") {
        if (!lines_.next() || !read_number(lines_.line(), count))
          return problem("NUMBER OF ATOMS", lines_.line(), "must be followed by a number");
      } else if (item.starts_with("BOX BOUNDS")) {
        std::vector<double> ends;
        for (int a = 0; a < 3; ++a) {
          if (!lines_.next()) return problem("BOX BOUNDS", "", "the file ends inside the box");
          if (!numbers(ends, 2, "BOX BOUNDS")) return;
          low[a] = ends[0];
          size[a] = ends[1] - ends[0];
        }
      } else if (item.starts_with("ATOMS")) {
        const bool wanted = !step || *step == now;
        if (!atoms(item.substr(5), count, wanted, columns)) return;
        if (!wanted) continue;
        unscale(columns, low, size);
        kept = std::move(columns);
        kept_count = count;
        found = true;
      } else if (item == "UNITS" || item == "TIME") {
        lines_.next();
      } else {
        return problem("dump", line, "is an item this program does not know");
      }
    }
    if (!good()) return;
    if (!found) {
      if (step)
        return problem("file_step", fmt::format("{}", *step),
                       seen.empty() ? "the file holds no time step"
                                    : fmt::format("the file holds no such time step; it holds {} from {} to {}",
                                                  seen.size(), seen.front(), seen.back()));
      return problem("dump", "", "holds no ITEM: ATOMS");
    }
    particles_from_columns(kept, kept_count, file_, particles, problems_);
  }

 private:
  bool atoms(std::string_view header, std::size_t count, bool wanted, std::vector<ParticleColumn>& columns) {
    columns.clear();
    split_at_blanks(header, words_);
    for (std::string_view w : words_) columns.push_back({std::string(w), 1, {}});
    const std::size_t width = columns.size();
    std::vector<std::string_view> words;
    for (std::size_t k = 0; k < count; ++k) {
      if (!lines_.next()) {
        problem("ATOMS", "", fmt::format("the file ends after {} of {} atoms", k, count));
        return false;
      }
      if (!wanted) continue;
      split_at_blanks(lines_.line(), words);
      if (words.size() != width) {
        problem("ATOMS", lines_.line(), fmt::format("must have {} fields, as ITEM: ATOMS says", width));
        return false;
      }
      for (std::size_t c = 0; c < width; ++c) {
        double v = std::numeric_limits<double>::quiet_NaN();  // a word such as an element's name
        if (!read_number(words[c], v) && std::string("0123456789+-.").find(words[c][0]) != std::string::npos)
          problem(columns[c].name, words[c], "must be a number");
        columns[c].values.push_back(v);
      }
    }
    return good();
  }

  // xs, ys, zs are fractions of the box.
  static void unscale(std::vector<ParticleColumn>& columns, const double* low, const double* size) {
    for (ParticleColumn& c : columns)
      for (int a = 0; a < 3; ++a)
        if (c.name == std::string(1, "xyz"[a]) + "s" || c.name == std::string(1, "xyz"[a]) + "su") {
          for (double& v : c.values) v = low[a] + v * size[a];
          c.name = std::string(1, "xyz"[a]);
        }
  }
};

// --- LAMMPS data files, atom_style sphere ---------------------------------------------------------------------------
class DataParser : Parser {
 public:
  using Parser::Parser;

  LammpsData parse() {
    lines_.next();  // a title
    std::size_t count = 0;
    bool counted = false;
    LammpsData data;
    std::map<std::int64_t, LammpsData::Atom> atoms;
    read_sections(count, counted, atoms, data);
    if (good() && atoms.empty()) problem("Atoms", "", "the file holds no section Atoms");
    for (const auto& [id, a] : atoms) data.atoms.push_back(a);
    return data;
  }

 private:
  using Atoms = std::map<std::int64_t, LammpsData::Atom>;

  void read_sections(std::size_t& count, bool& counted, Atoms& atoms, LammpsData& data) {
    Box box;
    unsigned ends = 0;
    while (good() && lines_.next()) {
      std::string_view line = lines_.line();
      const std::size_t hash = line.find('#');
      const std::string_view style = hash == std::string_view::npos ? "" : trimmed(line.substr(hash + 1));
      line = trimmed(line.substr(0, hash));
      if (line.empty()) continue;
      split_at_blanks(line, words_);
      if (words_.size() == 2 && words_[1] == "atoms") {
        counted = read_number(words_[0], count);
        if (!counted) return problem("atoms", words_[0], "must be a number");
      } else if (words_.size() == 3 && words_[1] == "atom" && words_[2] == "types") {
        if (!read_number(words_[0], data.types)) return problem("atom types", words_[0], "must be a number");
      } else if (words_.size() == 4 && words_[2].size() == 3 && words_[2].ends_with("lo") &&
                 std::string_view("xyz").find(words_[2][0]) != std::string_view::npos) {
        const int axis = words_[2][0] - 'x';
        double low = 0, high = 0;
        if (!read_number(words_[0], low) || !read_number(words_[1], high) || !is_usable(low) || !is_usable(high))
          return problem(std::string(words_[2]), line, kUsableRule);
        (axis == 0 ? box.min.x : axis == 1 ? box.min.y : box.min.z) = low;
        (axis == 0 ? box.max.x : axis == 1 ? box.max.y : box.max.z) = high;
        ends |= 1U << axis;
        if (ends == 7) data.box = box;
      } else if (line == "Atoms") {
        if (!counted) return problem("Atoms", "", "comes before the line with the number of atoms");
        if (!style.empty() && style != "sphere" && style != "granular")
          return problem("Atoms", style, "only atom_style sphere has radii and densities");
        read_atoms(count, atoms);
      } else if (line == "Velocities") {
        read_velocities(atoms);
      } else if (line == "Masses" || line.find("Coeffs") != std::string_view::npos) {
        skip_section();
      } else if (words_[0].find_first_not_of("0123456789+-.eE") != std::string_view::npos) {
        if (line == "Bonds" || line == "Bodies" || line == "Ellipsoids" || line == "Lines" || line == "Triangles")
          return problem(std::string(line), "", "only spheres without bonds are read");
        skip_section();
      }
    }
  }

  // Goes to the first line of a section's body: one blank line stands between.
  bool first_line() {
    while (lines_.next())
      if (!lines_.line().empty()) return true;
    return false;
  }
  void skip_section() {
    if (!first_line()) return;
    while (lines_.next() && !lines_.line().empty()) {}
  }

  void read_atoms(std::size_t count, Atoms& atoms) {
    std::vector<double> v;
    for (std::size_t k = 0; k < count; ++k) {
      if (!(k == 0 ? first_line() : lines_.next()) || lines_.line().empty())
        return problem("Atoms", "", fmt::format("holds {} of {} atoms", k, count));
      if (!numbers(v, 7, "Atoms")) return;
      if (v.size() != 7 && v.size() != 10)
        return problem("Atoms", lines_.line(), "must be: id type diameter density x y z, as atom_style sphere has it");
      if (!(v[2] > 0)) return problem("diameter", fmt::format("{}", v[2]), "must be positive");
      if (!(v[3] > 0)) return problem("density", fmt::format("{}", v[3]), "must be positive");
      const auto id = as_id(v[0]), type = as_id(v[1]);
      if (!id) return problem("id", fmt::format("{}", v[0]), "must be a whole number");
      if (!type || *type < 1) return problem("type", fmt::format("{}", v[1]), "must be a positive whole number");
      LammpsData::Atom a{*id, *type, {}, v[3]};
      a.particle.radius = v[2] / 2;
      a.particle.mass = v[3] * std::numbers::pi / 6 * v[2] * v[2] * v[2];
      a.particle.x = {v[4], v[5], v[6]};
      if (!atoms.emplace(*id, a).second) return problem("id", fmt::format("{}", v[0]), "is given twice");
    }
  }
  void read_velocities(Atoms& atoms) {
    std::vector<double> v;
    const std::size_t count = atoms.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (!(k == 0 ? first_line() : lines_.next()) || lines_.line().empty())
        return problem("Velocities", "", fmt::format("holds {} of {} atoms", k, count));
      if (!numbers(v, 4, "Velocities")) return;
      const auto id = as_id(v[0]);
      const auto at = id ? atoms.find(*id) : atoms.end();
      if (at == atoms.end()) return problem("id", fmt::format("{}", v[0]), "is not among the Atoms");
      at->second.particle.v = {v[1], v[2], v[3]};
      if (v.size() >= 7) at->second.particle.w = {v[4], v[5], v[6]};
    }
  }
};

bool looks_like_data(std::string_view text) {
  Lines lines(text.substr(0, 4096));
  std::vector<std::string_view> words;
  lines.next();
  for (int k = 0; k < 20 && lines.next(); ++k) {
    split_at_blanks(lines.line(), words);
    if (words.size() >= 2 && words[1] == "atoms" && words[0].find_first_not_of("0123456789") == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

namespace {

// What a column holds, by the names that programs give it; the first that is there counts.
struct KnownColumn {
  int components;
  std::array<std::string_view, 4> names;
};
constexpr KnownColumn kPlace{3, {"points"}}, kX{1, {"x", "xu"}}, kY{1, {"y", "yu"}}, kZ{1, {"z", "zu"}};
constexpr KnownColumn kVelocity{3, {"v", "velocity", "Velocity"}}, kVx{1, {"vx"}}, kVy{1, {"vy"}}, kVz{1, {"vz"}};
constexpr KnownColumn kSpin{3, {"w", "omega", "spin", "angular_velocity"}}, kWx{1, {"omegax", "wx"}},
    kWy{1, {"omegay", "wy"}}, kWz{1, {"omegaz", "wz"}};
constexpr KnownColumn kRadius{1, {"radius", "Radius", "r"}}, kDiameter{1, {"diameter", "Diameter"}},
    kMass{1, {"mass", "Mass"}}, kDensity{1, {"density", "Density", "rho"}}, kCharge{1, {"q", "charge"}},
    kId{1, {"id", "ID"}};
constexpr const KnownColumn* kKnownColumns[] = {&kPlace,  &kX,    &kY,       &kZ,      &kVelocity, &kVx,
                                                &kVy,     &kVz,   &kSpin,    &kWx,     &kWy,       &kWz,
                                                &kRadius, &kMass, &kDensity, &kCharge, &kDiameter, &kId};

}  // namespace

bool serves_particles(std::string_view name, int components) {
  return !name.empty() &&
         std::any_of(std::begin(kKnownColumns), std::end(kKnownColumns), [&](const KnownColumn* known) {
           return known->components == components &&
                  std::find(known->names.begin(), known->names.end(), name) != known->names.end();
         });
}

void particles_from_columns(const std::vector<ParticleColumn>& columns, std::size_t count, const std::string& file,
                            std::vector<ListedParticle>& particles, std::vector<Problem>& problems) {
  const auto find = [&](const KnownColumn& known) -> const ParticleColumn* {
    for (std::string_view name : known.names)
      for (const ParticleColumn& c : columns)
        if (!name.empty() && c.name == name && c.components == known.components) {
          if (c.values.size() != count * static_cast<std::size_t>(c.components))
            throw Error(
                fmt::format("{}: column {} has {} numbers for {} particles", file, c.name, c.values.size(), count));
          return &c;
        }
    return nullptr;
  };
  const std::size_t before = problems.size();
  const auto add = [&](const char* key, std::string value, std::string rule) {
    if (problems.size() < before + kMostProblems) problems.push_back({file, 0, key, std::move(value), std::move(rule)});
  };
  struct Vector {
    const ParticleColumn* whole;
    const ParticleColumn* part[3];
    bool found() const { return whole || (part[0] && part[1] && part[2]); }
    Vec3d at(std::size_t k) const {
      if (whole) return {whole->values[3 * k], whole->values[3 * k + 1], whole->values[3 * k + 2]};
      return {part[0]->values[k], part[1]->values[k], part[2]->values[k]};
    }
  };
  const Vector x{find(kPlace), {find(kX), find(kY), find(kZ)}};
  const Vector v{find(kVelocity), {find(kVx), find(kVy), find(kVz)}};
  const Vector w{find(kSpin), {find(kWx), find(kWy), find(kWz)}};
  const ParticleColumn *radius = find(kRadius), *diameter = find(kDiameter), *mass = find(kMass),
                       *density = find(kDensity), *charge = find(kCharge), *id = find(kId);
  if (!x.found()) return add("columns", "", "x, y and z are missing");

  std::vector<std::size_t> order(count);
  for (std::size_t k = 0; k < count; ++k) order[k] = k;
  if (id && std::any_of(id->values.begin(), id->values.end(), [](double v) { return std::isnan(v); }))
    return add("id", "", "must be a number");  // what is none has no place in an order
  if (id)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return id->values[a] < id->values[b]; });
  for (std::size_t k : order) {
    ListedParticle p;
    p.x = x.at(k);
    if (v.found()) p.v = v.at(k);
    if (w.found()) p.w = w.at(k);
    if (radius || diameter) p.radius = radius ? radius->values[k] : diameter->values[k] / 2;
    if (mass) p.mass = mass->values[k];
    else if (density && p.radius > 0)
      p.mass = density->values[k] * 4.0 / 3 * std::numbers::pi * p.radius * p.radius * p.radius;
    if (charge) p.charge = charge->values[k];
    if ((radius || diameter) && !(p.radius > 0)) add("radius", fmt::format("{}", p.radius), "must be positive");
    if ((mass || density) && !(p.mass > 0)) add("mass", fmt::format("{}", p.mass), "must be positive");
    if (!is_usable(std::fabs(p.x.x) + std::fabs(p.x.y) + std::fabs(p.x.z)) ||
        !is_usable(std::fabs(p.v.x) + std::fabs(p.v.y) + std::fabs(p.v.z)) ||
        !is_usable(std::fabs(p.w.x) + std::fabs(p.w.y) + std::fabs(p.w.z)) ||
        !is_usable(std::fabs(p.charge) + std::fabs(p.radius) + std::fabs(p.mass)))
      add("particle", fmt::format("number {}", k + 1), "must have finite numbers, at most 1e100");
    particles.push_back(p);
  }
}

LammpsData parse_lammps_data(std::string_view text, const std::string& file, std::vector<Problem>& problems) {
  return DataParser(text, file, problems).parse();
}

void parse_particle_file(std::string_view text, const std::string& file, std::optional<std::int64_t> step,
                         std::vector<ListedParticle>& particles, std::vector<Problem>& problems) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == std::string_view::npos ? "" : text.substr(first, 200);
  const bool dump = start.starts_with("ITEM:");
  if (step && !dump) {
    problems.push_back({file, 0, "file_step", fmt::format("{}", *step), "only a dump holds several time steps"});
    return;
  }
  if (dump) return DumpParser(text, file, problems).parse(step, particles);
  if (start.starts_with("# vtk DataFile")) return parse_vtk_legacy(text, file, particles, problems);
  if (start.starts_with("<?xml") || start.starts_with("<VTKFile"))
    return parse_vtk_xml(text, file, particles, problems);
  if (looks_like_data(text)) {
    for (const LammpsData::Atom& a : parse_lammps_data(text, file, problems).atoms) particles.push_back(a.particle);
    return;
  }
  parse_particle_csv(text, file, 1, particles, problems);
}

}  // namespace areia::io
