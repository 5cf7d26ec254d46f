// A choice of a law with numbers that make it matter for grains of 10 mm: every number given, every word its default.
#pragma once
#include <string>
#include <type_traits>

#include "physics/coulomb_stick_slip.h"
#include "physics/law_info.h"

namespace areia::test {

inline LawChoice some(const LawInfo& law) {
  LawChoice c{law.name, {}, {}};
  for (const ParameterInfo& p : law.parameters) {
    const std::string name = p.name, unit = p.unit;
    if (*p.words || name == "restitution" || name.starts_with("mu_")) continue;
    const double size = unit == "N/m" || unit == "Pa" ? 1e5 : unit == "N/m^3" ? 1e9 : unit == "m^3" ? 1e-9 : 0.3;
    c.numbers[name] = unit == "m" ? 1e-4 : size;
  }
  if (std::string(law.slot) == "impact") c.numbers["restitution"] = 0.6;
  return c;
}

// Every number at the middle of what some() gives, and of each word the last choice.
inline LawChoice other(const LawInfo& law) {
  LawChoice c = some(law);
  for (auto& [name, value] : c.numbers) value *= 0.7;
  for (const ParameterInfo& p : law.parameters) {
    const std::string words = p.words;
    if (!words.empty()) c.words[p.name] = words.substr(words.rfind('|') + 1);
  }
  return c;
}

// The same of a type of law, which may ask for more than its name.
template <class Law>
LawChoice of_type(LawChoice (*choice)(const LawInfo&)) {
  LawChoice c = choice(Law::kInfo);
  if constexpr (std::is_same_v<Law, CoulombStickSlip>) c.numbers["mu_dynamic"] = 0.6 * c.numbers.at("mu");
  return c;
}

}  // namespace areia::test
