// What a law tells about itself: its slot, name, parameters with unit, range and meaning. The schema of case files,
// the reference manual and the checks all come from these tables; each law's header holds its own.
#pragma once
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "areia/case.h"

namespace areia {

inline constexpr double kRequired = std::numeric_limits<double>::quiet_NaN();  // no default
inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();
inline constexpr double kLeastPositive = 1e-300;  // least of a range without zero

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
  const char* excludes = "";  // "slot" or "slot.law" that must not stand beside this law: "adhesion"
  const char* why = "";       // the reason, for the message to the user: "it holds the adhesion of the contact already"
  std::size_t pair_bytes = 0;  // size of the law's constants for two materials; set by the registry
};

// The row of a law's table with this name. It is looked up by the compiler, and a name that is not in the table does
// not compile; so `prepare` has names and defaults from the table alone.
template <std::size_t kRows>
consteval const ParameterInfo& row(const ParameterInfo (&table)[kRows], std::string_view name) {
  for (const ParameterInfo& p : table)
    if (name == p.name) return p;
  throw "the law has no such parameter";
}

// One of the words of a parameter; it must be in the row.
struct Word {
  const char* parameter;
  const char* word;
  bool preset;  // the first of the row: chosen where the case says nothing
};
consteval Word word(const ParameterInfo& p, const char* choice) {
  std::string_view rest = p.words;
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t end = rest.find('|');
    if (rest.substr(0, end) == choice) return {p.name, choice, first};
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  }
  throw "the parameter has no such word";
}
template <std::size_t kRows>
consteval Word word(const ParameterInfo (&table)[kRows], std::string_view name, const char* choice) {
  return word(row(table, name), choice);
}

// What a case says about a parameter, or its default.
inline bool is_given(const LawChoice& c, const ParameterInfo& p) { return c.numbers.contains(p.name); }
inline double number(const LawChoice& c, const ParameterInfo& p) {
  const auto at = c.numbers.find(p.name);
  if (at != c.numbers.end()) return at->second;
  if (std::isnan(p.preset)) throw std::logic_error(c.law + " without its parameter " + p.name);  // validate asks for it
  return p.preset;
}
// For a parameter in whose place something else may serve.
inline double number_or(const LawChoice& c, const ParameterInfo& p, double instead) {
  return is_given(c, p) ? number(c, p) : instead;
}
inline bool chosen(const LawChoice& c, const Word& w) {
  const auto at = c.words.find(w.parameter);
  return at == c.words.end() ? w.preset : at->second == w.word;
}

// All laws, in the order of the manual. Defined in laws.cpp from the registry in laws.h.
std::span<const LawInfo> all_laws();

}  // namespace areia
