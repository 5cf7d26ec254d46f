#include "verify/sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "areia/error.h"
#include "verify/embedded.h"

namespace areia::verify {

bool Claim::holds() const {
  switch (relation) {
    case Relation::equal:
      return std::fabs(value - other) <= tolerance;
    case Relation::more:
      return value > other && std::isfinite(value) && std::isfinite(other);
    case Relation::less:
      return value < other && std::isfinite(value) && std::isfinite(other);
  }
  return false;
}

std::string Claim::text() const { return fmt::format(fmt::runtime(what), number_text(value), number_text(other)); }

std::string number_text(double v) { return std::isnan(v) ? "-" : fmt::format("{:.7g}", v); }

Claim equal(std::string what, double value, double other, double tolerance) {
  return {std::move(what), value, other, Claim::Relation::equal, tolerance};
}
Claim more(std::string what, double value, double other) {
  return {std::move(what), value, other, Claim::Relation::more, 0};
}
Claim less(std::string what, double value, double other) {
  return {std::move(what), value, other, Claim::Relation::less, 0};
}

void Sheet::row(Row r) {
  r.ran = last_ran_;
  rows.push_back(std::move(r));
}

void Sheet::note(RanCase c) const {
  const auto known = std::find(ran.begin(), ran.end(), c);
  last_ran_ = static_cast<int>(known - ran.begin());
  if (known != ran.end()) return;
  if (ran.size() < kMostCases) ran.push_back(std::move(c));
  else last_ran_ = -1;
}

void Sheet::near(std::string quantity, double source, double ours, double tolerance, std::string note) {
  const bool good = std::fabs(source - ours) <= tolerance;  // false for NaN
  row({std::move(quantity), source, ours, tolerance, good ? Verdict::pass : Verdict::fail, std::move(note), {}, {}});
}

void Sheet::explained(std::string quantity, double source, double ours, double tolerance, const Proof& proof) {
  Row row{std::move(quantity), source, ours, tolerance, Verdict::explained, proof.reason, proof.claims, {}};
  if (std::fabs(source - ours) <= tolerance) row.verdict = Verdict::pass;
  else if (proof.claims.empty()) {
    row.verdict = Verdict::fail;
    row.note += "; no number shows it";
  }
  for (const Claim& c : proof.claims) {
    if (c.holds()) continue;
    row.verdict = Verdict::fail;
    row.note += "; this does not hold: " + c.text();
  }
  this->row(std::move(row));
}

void Sheet::attempted(std::string quantity, double source, double ours, double tolerance,
                      std::vector<Attempt> attempts) {
  const bool good = std::fabs(source - ours) <= tolerance;
  const bool told = !attempts.empty() && std::isfinite(ours);
  const Verdict verdict = good ? Verdict::pass : told ? Verdict::not_reproduced : Verdict::fail;
  row({std::move(quantity), source, ours, tolerance, verdict, "", {}, std::move(attempts)});
}

void Sheet::statistical(std::string quantity, double source, const Spread& ours, double least,
                        std::vector<Attempt> attempts) {
  attempted(std::move(quantity), source, ours.mean(), std::max(least, 2 * ours.std()), std::move(attempts));
}

namespace {

// The first case of an example is what its sketch shows.
Simulation sketched(Case c, int threads, std::string& picture) {
  c.numerics.threads = threads;
  Simulation s(c);
  if (picture.empty()) {
    Vec3d gravity;
    for (const ForceField& f : c.fields)
      if (f.kind == ForceField::Kind::gravity) gravity += f.value;
    picture = sketch_of(s.frame(), gravity).svg();
  }
  return s;
}

}  // namespace

Simulation Sheet::small(std::string_view toml, const std::vector<std::string>& set) const {
  note({std::string(toml), set});
  return sketched(parse_case(toml, "verify", set), 1, picture);
}

Simulation Sheet::large(std::string_view toml, const std::vector<std::string>& set) const {
  note({std::string(toml), set});
  return sketched(parse_case(toml, "verify", set), options_.threads, picture);
}

namespace {

const nlohmann::json& reference_file() {
  static const nlohmann::json all = nlohmann::json::parse(embedded_file("dem.json"));
  return all;
}

}  // namespace

const nlohmann::json& reference_case(const std::string& name) {
  for (const auto& c : reference_file()["cases"])
    if (c["case"] == name) return c;
  throw Error("no reference case " + name);
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  for (const auto& c : reference_file()["cases"]) names.push_back(c["case"]);
  return names;
}

const nlohmann::json& impact_references() {
  static const nlohmann::json all = nlohmann::json::parse(embedded_file("impact.json"));
  return all;
}

std::string_view case_text(const std::string& name) { return embedded_file(name + ".toml"); }

}  // namespace areia::verify
