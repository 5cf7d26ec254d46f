// The case file of the impact lab: a system, its start, a collision model and an interval, in TOML with strict keys.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "impact/simulate.h"
#include "impact/system.h"

namespace areia::lab {

struct LabCase {
  std::string title;
  std::string text;  // of the file, with what was set on the command line as comments: it goes with the results
  std::unique_ptr<impact::System> system;
  impact::State start;
  impact::Options options;
  std::string model;                          // name of options.model
  std::vector<impact::Model> diagram_models;  // whose end points a diagram shows besides
  int most_diagrams = 20;
};

// All problems at once with file, line, key, value and rule (InputError). `set`: path=value, as on the command line.
LabCase read_lab_case(const std::string& file, const std::vector<std::string>& set = {});
LabCase parse_lab_case(std::string_view text, const std::string& name, const std::vector<std::string>& set = {});

// Names of the systems, and of their keys.
std::vector<std::string> system_kinds();

}  // namespace areia::lab
