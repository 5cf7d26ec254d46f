// The case file of the impact lab: a system, its start, a collision model and an interval, in TOML with strict keys.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/range.h"
#include "impact/simulate.h"
#include "impact/system.h"

namespace areia::lab {

// A key that a case may have, as its reader declares it, and what it holds in this case.
struct LabKey {
  std::string path;  // "system.mass"
  std::string type;  // "number", "integer", "boolean", "text", "numbers", "matrix", "texts", "tables"
  std::string unit;  // of a number; "" : none
  Range range;
  std::string text;                      // meaning
  nlohmann::ordered_json value, preset;  // in SI units; null where it is not given and the system knows better
};

struct LabCase {
  std::string title;
  std::string text;  // of the file, with what was set on the command line as comments: it goes with the results
  std::unique_ptr<impact::System> system;
  impact::State start;
  impact::Options options;
  std::string model;                          // name of options.model
  std::vector<impact::Model> diagram_models;  // whose end points a diagram shows besides
  int most_diagrams = 20;
  std::vector<LabKey> keys;  // of [system], [start] and [run], in the order of their readers
};

// All problems at once with file, line, key, value and rule (InputError). `set`: path=value, as on the command line.
LabCase read_lab_case(const std::string& file, const std::vector<std::string>& set = {});
LabCase parse_lab_case(std::string_view text, const std::string& name, const std::vector<std::string>& set = {});

struct SystemKind {
  std::string name, text;  // "bar", "a slender bar and a fixed floor"
};
std::vector<SystemKind> system_kinds();

}  // namespace areia::lab
