#include "impact/models.h"

#include <fmt/format.h>

#include <cmath>

#include "core/suggest.h"

namespace areia::impact {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

constexpr Coefficient kE{"e", &Model::e, 0, 1, true, "", "restitution of the normal velocity (Newton): D_NE = -e D_NA"};
constexpr Coefficient kPoisson{
    "e", &Model::e, 0, 1, true, "", "restitution of the normal impulse (Poisson): I_NE = e I_NC"};
constexpr Coefficient kMu{"mu", &Model::mu, 0, kNoLimit, true, "", "Coulomb friction: |I_T| <= mu I_N"};
constexpr Coefficient kMomentLaw{
    "moment_law", nullptr, 0, 0, false, "resisting", "reading of the moment coefficient", "resisting|source|brach"};

constexpr Coefficient kNewton[] = {
    kE, {"mu", &Model::mu, 0, kNoLimit, false, "0", "without effect; taken so that all models may be given the same"}};
constexpr Coefficient kKane[] = {
    kE,
    kMu,
    {"mu0", &Model::mu0, 0, kNoLimit, false, "mu", "static friction, which decides whether the contact sticks"}};
constexpr Coefficient kBrach[] = {
    kE,
    {"mu", &Model::mu, -kNoLimit, kNoLimit, true, "", "ratio of impulses with its sign: I_T = mu I_N"},
    {"em", &Model::em, -1, 1, false, "-1", "moment coefficient; -1: no moment impulse, 0: the rotation stops"},
    kMomentLaw,
    {"clamp", nullptr, 0, 0, false, "none",
     "admissible: the ratio is kept where the slip is not driven past zero and no "
     "energy is made",
     "none|admissible"}};
constexpr Coefficient kGp1[] = {kPoisson, kMu};
constexpr Coefficient kGp2[] = {
    kPoisson,
    kMu,
    {"et", &Model::et, 0, 1, false, "0", "reversible part of the tangential impulse of compression"},
    {"nu", &Model::nu, 0, 1, false, "0", "reversible part of the friction bound in expansion"}};
constexpr Coefficient kNewtonFriction[] = {kE, kMu};
constexpr Coefficient kStronge[] = {
    {"e", &Model::e, 0, 1, true, "", "energetic restitution: the normal work of expansion is e^2 that of compression"},
    kMu};
constexpr Coefficient kCs[] = {
    kPoisson,
    kMu,
    {"et", &Model::et, 0, 1, false, "0", "reversible part of the tangential impulse of compression"},
    {"nu", &Model::nu, 0, 1, false, "0", "reversible part of the friction bound in expansion"},
    {"emC", &Model::emC, -1, 1, false, "-1", "moment coefficient of compression; -1: no moment impulse"},
    {"emE", &Model::emE, -1, 1, false, "-1", "moment coefficient of expansion; -1: no moment impulse"},
    kMomentLaw};
constexpr Coefficient kWalton[] = {
    kE, {"et", &Model::et, -1, 1, false, "0", "restitution of the tangential velocity: D_TE = -et D_TA"}, kMu};
constexpr Coefficient kFremond[] = {
    {"e", &Model::e, 0, 1, false, "", "sets K_N = (1+e)/(A(1-e)); this or KN must be given"},
    {"et", &Model::et, -1, 1, false, "0", "sets K_T = (1+et)/(C(1-et)); -1: no friction"},
    kMu,
    {"KN", &Model::KN, std::numeric_limits<double>::min(), kNoLimit, false, "from e",
     "normal viscosity (kg), in place of e"},
    {"KT", &Model::KT, 0, kNoLimit, false, "from et", "tangential viscosity (kg), in place of et"}};

constexpr ModelInfo kModels[] = {
    {Law::newton, "newton", "Newton without friction", "D_NE = -e D_NA and I_T = 0.", kNewton,
     "Every other model without friction and moment impulse.", "Never gains energy: dT = -(1-e^2) D_NA^2/(2A).", true,
     false, false},
    {Law::kane, "kane", "Kane (Whittaker)",
     "Newton's coefficient and Coulomb's law on the total impulses: the contact sticks after the impact if friction "
     "allows "
     "it, otherwise it slides with |I_T| = mu I_N.",
     kKane, "mu = 0: newton. D_TA = 0 and mu0 = mu: smith. e = 0: gp1.",
     "One solution for Delta > 0. May create energy (Kane's paradox).", false, false, false},
    {Law::brach, "brach", "Brach",
     "Newton's coefficient, a given ratio of impulses and a moment coefficient: I_T = mu I_N, I_th opposes the final "
     "rotation.",
     kBrach, "mu = 0, em = -1: newton. The ratio of any other solution with Newton's coefficient gives that solution.",
     "Never gains energy with clamp = admissible and em = -1; may gain with a free ratio or an active moment "
     "coefficient.",
     false, false, true},
    {Law::gp1, "gp1", "Glocker-Pfeiffer, first case",
     "Poisson's coefficient; Coulomb's law on the impulses of compression and of expansion separately.", kGp1,
     "mu = 0: newton. Equals wm_poisson unless the slip reverses.", "Never gains energy.", true, true, false},
    {Law::gp2, "gp2", "Glocker-Pfeiffer, second case",
     "As gp1, and part of the tangential impulse of compression is given back in expansion: the friction interval is "
     "shifted by 2 I_TS = mu nu I_NE sign(I_TC) + e et I_TC.",
     kGp2, "et = nu = 0: gp1. e = et = nu = 1, sticking, B = 0: superball, D_TE = -D_TA.", "Never gains energy.", true,
     true, false},
    {Law::wm_newton, "wm_newton", "Routh's path, Newton's coefficient (Wang-Mason)",
     "Coulomb's law on the increments of the impulse; the path ends at D_N = -e D_NA.", kNewtonFriction,
     "mu = 0: newton. The three Routh models agree where the slip goes on or the contact sticks from the start.",
     "One solution for Delta > 0. May create energy.", false, true, false},
    {Law::wm_poisson, "wm_poisson", "Routh's path, Poisson's coefficient (Wang-Mason)",
     "Coulomb's law on the increments of the impulse; the path ends at I_N = (1+e) I_NC.", kGp1,
     "mu = 0: newton. gp1 unless the slip reverses.",
     "One solution for Delta > 0. Never gains energy; the normal work alone may be positive.", true, true, false},
    {Law::stronge, "stronge", "Routh's path, energetic coefficient (Stronge)",
     "Coulomb's law on the increments of the impulse; the path ends when the normal work of expansion is e^2 times "
     "that "
     "of compression.",
     kStronge, "mu = 0: newton.", "One solution for Delta > 0. Never gains energy, and neither does the normal work.",
     true, true, false},
    {Law::smith, "smith", "Smith",
     "Newton's coefficient and friction weighted with the slip before and after: I_T = -mu I_N (D_TA |D_TA| + D_TE "
     "|D_TE|)/(D_TA^2 + D_TE^2).",
     kNewtonFriction, "mu = 0: newton. D_TA = 0: kane. Forward slip throughout: kane.",
     "One solution for Delta > 0. Never gains energy.", true, false, false},
    {Law::cs, "cs", "C-S (Cataldo-Sampaio)",
     "Poisson's coefficient, Coulomb's law in each stage with the reversible shift of gp2, and a moment coefficient in "
     "each "
     "stage.",
     kCs,
     "emC = emE = -1: gp2; also et = nu = 0: gp1; also mu = 0: newton. With emC = emE = -1 and et = nu = 0 it agrees "
     "with "
     "wm_poisson in sliding, C-sticking and E-sticking, not where the slip reverses.",
     "Never gains energy with emC = emE = -1; may gain with active moment coefficients.", false, true, true},
    {Law::walton, "walton", "Walton (three coefficients)",
     "D_NE = -e D_NA and D_TE = -et D_TA, unless that asks for more than mu I_N. The law of hard spheres.", kWalton,
     "et = 0: kane. B = 0: fremond.", "No gain for B = 0; may gain otherwise. Needs Delta > 0.", false, false, false},
    {Law::fremond, "fremond", "Fremond (viscous)",
     "I_N = -K_N (D_NA + D_NE), I_T = -K_T (D_TA + D_TE) within |I_T| <= mu I_N, and a reaction where the bodies would "
     "enter each other.",
     kFremond, "B = 0: walton.", "Never gains energy: dT = -(I_N^2/K_N + I_T^2/K_T)/2 in the viscous case.", true,
     false, false},
};

std::string listed(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

std::vector<std::string> split(std::string_view words) {
  std::vector<std::string> all;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    all.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return all;
}

}  // namespace

std::span<const ModelInfo> all_models() { return kModels; }

const ModelInfo& info(Law law) { return kModels[static_cast<int>(law)]; }

const ModelInfo* find_model(std::string_view name) {
  for (const ModelInfo& m : kModels)
    if (name == m.name) return &m;
  return nullptr;
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelInfo& m : kModels) names.emplace_back(m.name);
  return names;
}

std::string range_text(const Coefficient& c) {
  if (*c.words) {
    std::string words(c.words);
    for (std::size_t at; (at = words.find('|')) != std::string::npos;) words.replace(at, 1, " or ");
    return words;
  }
  const bool lower = c.min > -kNoLimit, upper = c.max < kNoLimit;
  if (lower && upper) return fmt::format("from {} to {}", c.min, c.max);
  if (lower) return c.min > 0 ? "> 0" : fmt::format(">= {}", c.min);
  return "any number";
}

void unknown_model(std::string_view name, const std::string& key, std::vector<Problem>& problems) {
  const auto names = model_names();
  problems.push_back({"", 0, key, std::string(name),
                      fmt::format("there is no such model{}; models: {}", suggestion(name, names), listed(names))});
}

void unknown_coefficient(const ModelInfo& model, std::string_view name, std::string_view value, const std::string& key,
                         std::vector<Problem>& problems) {
  std::vector<std::string> names;
  for (const Coefficient& c : model.coefficients) names.emplace_back(c.name);
  problems.push_back({"", 0, key, std::string(value),
                      fmt::format("the model `{}` has no such coefficient{}; it has {}", model.name,
                                  suggestion(name, names), listed(names))});
}

void take(const Coefficient& c, const Written& w, Model& model, const std::string& key,
          std::vector<Problem>& problems) {
  if (*c.words) {
    const std::vector<std::string> words = split(c.words);
    for (std::size_t i = 0; i < words.size(); ++i)
      if (w.is_word && w.word == words[i]) {
        if (std::string_view(c.name) == kMomentLaw.name) model.moment_law = static_cast<MomentLaw>(i);
        else model.clamp = static_cast<Clamp>(i);
        return;
      }
    problems.push_back({"", 0, key, w.is_word ? w.word : fmt::format("{}", w.number),
                        fmt::format("must be {}{}", range_text(c), w.is_word ? suggestion(w.word, words) : "")});
    return;
  }
  if (w.is_word) {
    problems.push_back({"", 0, key, w.word, "must be a number, " + range_text(c)});
  } else if (!std::isfinite(w.number) || w.number < c.min || w.number > c.max) {
    problems.push_back({"", 0, key, fmt::format("{}", w.number), fmt::format("must be {}: {}", range_text(c), c.text)});
  } else {
    model.*c.number = w.number;
  }
}

void check_complete(const ModelInfo& model, unsigned given, const std::string& key, std::vector<Problem>& problems) {
  const auto has = [&](const char* name) {
    for (std::size_t i = 0; i < model.coefficients.size(); ++i)
      if (std::string_view(model.coefficients[i].name) == name) return (given >> i & 1) != 0;
    return false;
  };
  for (std::size_t i = 0; i < model.coefficients.size(); ++i) {
    const Coefficient& c = model.coefficients[i];
    if (c.required && !(given >> i & 1))
      problems.push_back(
          {"", 0, key + "." + c.name, "", fmt::format("the model `{}` needs it: {}", model.name, c.text)});
  }
  if (model.law != Law::fremond) return;
  if (!has("e") && !has("KN")) problems.push_back({"", 0, key + ".e", "", "the model `fremond` needs e or KN"});
  if (has("e") && has("KN")) problems.push_back({"", 0, key + ".KN", "", "e and KN exclude each other"});
  if (has("et") && has("KT")) problems.push_back({"", 0, key + ".KT", "", "et and KT exclude each other"});
}

Model make_model(std::string_view name, const std::map<std::string, Written>& params, const std::string& key,
                 std::vector<Problem>& problems) {
  const ModelInfo* found = find_model(name);
  if (!found) {
    unknown_model(name, key + "model", problems);
    return {};
  }
  Model model{.law = found->law};
  unsigned given = 0;
  for (const auto& entry : params) {
    const std::string where = key + "params." + entry.first;
    const Coefficient* c = nullptr;
    for (std::size_t i = 0; i < found->coefficients.size(); ++i)
      if (entry.first == found->coefficients[i].name) {
        c = &found->coefficients[i];
        given |= 1u << i;
      }
    if (c) take(*c, entry.second, model, where, problems);
    else
      unknown_coefficient(*found, entry.first,
                          entry.second.is_word ? entry.second.word : fmt::format("{}", entry.second.number), where,
                          problems);
  }
  check_complete(*found, given, key + "params", problems);
  return model;
}

Model make_model(std::string_view name, const std::map<std::string, double>& params) {
  std::map<std::string, Written> written;
  for (const auto& p : params) written[p.first] = {p.second, "", false};
  std::vector<Problem> problems;
  const Model model = make_model(name, written, "", problems);
  if (!problems.empty()) throw InputError(std::move(problems));
  return model;
}

}  // namespace areia::impact
