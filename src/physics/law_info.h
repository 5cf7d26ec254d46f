// What a law tells about itself: its slot, name, parameters with unit, range and meaning. The schema of case files,
// the reference manual and the checks all come from these tables; each law's header holds its own.
#pragma once
#include <limits>
#include <span>
#include <string>

#include "areia/case.h"

namespace areia {

inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();  // no default
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct ParameterInfo {
  const char* name;
  const char* unit;        // "" for a pure number; else as in case files: "N/m", "Pa"
  double min, max;         // closed range
  double preset;           // default; kRequired = there is none, the parameter must be given unless `instead` serves
  const char* text;        // meaning, one sentence
  const char* words = "";  // non-empty: a choice of words, "a|b|c", the first is the default; numbers unused
  // What serves in place of this parameter: another parameter of the law (two that name each other exclude each other:
  // `xi` and `restitution`), or "materials": the property of this name of both materials.
  const char* instead = "";
};

struct LawInfo {
  const char* slot;  // "normal", "tangential", "rolling", "twisting", "adhesion", "impact"
  const char* name;
  const char* text;    // one or two sentences
  const char* source;  // "000 (2.55)"
  std::span<const ParameterInfo> parameters;
  const char* needs = "";     // property that materials must have, unless rigid: "young"
  const char* excludes = "";  // "slot" or "slot.law" that makes no sense beside this law: "adhesion"
  const char* why = "";       // it makes none
};

// A parameter of a chosen law, or its default.
inline double number(const LawChoice& c, const char* name, double preset) {
  const auto at = c.numbers.find(name);
  return at == c.numbers.end() ? preset : at->second;
}
inline std::string word(const LawChoice& c, const char* name, const char* preset) {
  const auto at = c.words.find(name);
  return at == c.words.end() ? preset : at->second;
}

// All laws, in the order of the manual. Defined in laws.cpp from the registry in laws.h.
std::span<const LawInfo> all_laws();

}  // namespace areia
