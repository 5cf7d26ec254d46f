// Laws of random cases.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "areia/case.h"
#include "core/random.h"
#include "physics/law_info.h"

namespace areia::test {

// A law of the slot with random words, and numbers with which it matters.
inline LawChoice random_law(const std::string& slot, Random& random) {
  const auto in = [&](double a, double b) { return random.uniform(a, b); };
  const auto chance = [&](double p) { return random.uniform() < p; };
  const auto one_of = [&](std::size_t n) {
    return static_cast<std::size_t>(static_cast<double>(n) * random.uniform());
  };
  static const std::map<std::string, std::pair<double, double>> numbers = {
      {"hertz.xi", {0, 0.4}},
      {"hertz.restitution", {0.3, 1}},
      {"linear.stiffness", {3e4, 1e5}},
      {"linear.beta", {0, 0.4}},
      {"linear.restitution", {0.3, 1}},
      {"linear.attraction", {1e3, 3e3}},
      {"linear.range", {1e-4, 5e-4}},
      {"penalty.K", {1e8, 3e8}},
      {"penalty.P", {0.8, 1.2}},
      {"penalty.c", {0, 1e6}},
      {"jkr.work", {0.3, 5}},
      {"jkr.xi", {0, 0.4}},
      {"coulomb_history.mu", {0.1, 1}},
      {"coulomb_history.xi", {0, 0.3}},
      {"coulomb_history.stiffness_factor", {0.5, 1}},
      {"coulomb_history.dashpot_factor", {0.1, 1}},
      {"coulomb_time.stiffness", {2e4, 5e4}},
      {"coulomb_time.mu", {0.1, 1}},
      {"coulomb_time.beta", {0, 0.3}},
      {"rate.K_f", {3e9, 3e10}},
      {"rate.mu", {0.1, 1}},
      {"constant.mu", {0.01, 0.2}},
      {"viscous.c", {1e-5, 1e-4}},
      {"viscous.mu", {0.05, 0.2}},
      {"epsd.mu", {0.01, 0.2}},
      {"epsd.stiffness", {0.1, 1}},
      {"epsd.eta", {0, 0.5}},
      {"spring.mu", {0.1, 1}},
      {"spring.xi", {0, 0.3}},
      {"strain.k", {10, 60}},
      {"strain.beta", {0.6, 1.4}},
      {"strain.eps_c", {0, 0.005}},
      {"bond_area.K_nb", {2e6, 6e6}},
      {"bond_area.K_rb", {1e8, 3e9}},
      {"bond_area.P_p", {0.6, 1.4}},
      {"bond_area.eps_star", {0, 5e-3}},
      {"dmt.work", {1, 20}},
      {"capillary.tension", {0.07, 1}},
      {"capillary.volume", {1e-10, 1e-8}},
      {"capillary.angle", {0, 1}},
  };
  std::vector<const LawInfo*> known;
  for (const LawInfo& l : all_laws())
    if (l.slot == slot) known.push_back(&l);
  const LawInfo& chosen = *known[one_of(known.size())];
  LawChoice choice{chosen.name, {}, {}};
  for (const ParameterInfo& p : chosen.parameters) {
    if (*p.words) {
      std::vector<std::string> words(1);
      for (const char* at = p.words; *at; ++at)
        if (*at == '|') words.emplace_back();
        else words.back() += *at;
      choice.words[p.name] = words[one_of(words.size())];
      continue;
    }
    const auto range = numbers.find(fmt::format("{}.{}", chosen.name, p.name));
    if (range == numbers.end() || choice.numbers.contains(p.instead)) continue;
    const bool needed = std::isnan(p.preset) && p.instead != std::string("materials");
    if (needed || chance(0.5)) choice.numbers[p.name] = in(range->second.first, range->second.second);
  }
  if (choice.numbers.contains("mu") && slot == "tangential" && chosen.name != std::string("coulomb_time") &&
      chance(0.3))
    choice.numbers["mu_dynamic"] = 0.7 * choice.numbers["mu"];
  if (const auto dashpot = choice.words.find("dashpot"); dashpot != choice.words.end())
    choice.numbers.erase(dashpot->second == "own" ? "dashpot_factor" : "xi");
  if (choice.numbers.contains("attraction") != choice.numbers.contains("range")) {
    choice.numbers.erase("attraction");
    choice.numbers.erase("range");
  }
  return choice;
}

}  // namespace areia::test
