#include "verify/sheet.h"

#include <cmath>

#include "areia/error.h"
#include "verify/embedded.h"

namespace areia::verify {

void Sheet::near(std::string quantity, double source, double ours, double tolerance, std::string note) {
  const bool good = std::fabs(source - ours) <= tolerance;  // false for NaN
  rows.push_back({std::move(quantity), source, ours, tolerance, good ? Verdict::pass : Verdict::fail, std::move(note)});
}

void Sheet::explained(std::string quantity, double source, double ours, double tolerance, std::string reason) {
  const bool good = std::fabs(source - ours) <= tolerance;
  rows.push_back(
      {std::move(quantity), source, ours, tolerance, good ? Verdict::pass : Verdict::explained, std::move(reason)});
}

Simulation Sheet::small(std::string_view toml, const std::vector<std::string>& set) const {
  Case c = parse_case(toml, "verify", set);
  c.numerics.threads = 1;
  return Simulation(c);
}

Simulation Sheet::large(std::string_view toml, const std::vector<std::string>& set) const {
  Case c = parse_case(toml, "verify", set);
  c.numerics.threads = options_.threads;
  return Simulation(c);
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
