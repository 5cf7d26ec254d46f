// Materials and contacts. LIGGGHTS has material data by type and a model by its parts; LAMMPS has coefficients of
// springs and dashpots. Where a law of theirs depends on masses, sizes or speeds and ours does not, the means of the
// types and a speed of reference stand for them, and a note tells so.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scripts/contact_model.h"
#include "io/scripts/translation.h"
#include "physics/hertz.h"

namespace areia::io {
namespace {

using Elastic = ContactModel::Elastic;
using Damping = ContactModel::Damping;
using Tangential = ContactModel::Tangential;

constexpr double kLeastRestitution = 1e-6;
constexpr const char* kNoRubbing =
    "linear tangential springs: a contact does not rub while its dashpot pulls; in the script it does, by the "
    "magnitude of "
    "the normal force";

// E of two equal bodies with this effective modulus.
double young_of(double e_star, double poisson) { return 2 * (1 - poisson * poisson) * e_star; }
// 8 G* of two equal bodies, G* = G/(2 (2 - nu)), G = E/(2 (1 + nu)).
double mindlin_stiffness(double young, double poisson) { return 2 * young / ((1 + poisson) * (2 - poisson)); }

bool is_on(const std::vector<std::string>& words, const char* option, bool preset) {
  for (std::size_t k = 0; k + 1 < words.size(); ++k)
    if (words[k] == option) return words[k + 1] == "on";
  return preset;
}
std::string part(const std::vector<std::string>& words, const char* name) {
  for (std::size_t k = 0; k + 1 < words.size(); ++k)
    if (words[k] == name) return words[k + 1] == "off" || words[k + 1] == "none" ? "" : words[k + 1];
  return "";
}

}  // namespace

// --- properties of LIGGGHTS -----------------------------------------------------------------------------------------
void Translation::property(const ScriptFix& f) {
  Arguments a(*this, f.command, 4);
  const std::string name = a.word("property");
  Property p;
  p.kind = a.word("kind");
  p.command = f.command;
  const bool pairs = p.kind == "peratomtypepair" || p.kind == "atomtypepair" || p.kind == "matrix";
  if (!pairs && p.kind != "peratomtype" && p.kind != "atomtype" && p.kind != "scalar" && p.kind != "vector")
    throw NotTakenOver{fmt::format("a property of kind `{}`", p.kind)};
  const std::int64_t width = pairs ? a.whole("types") : 0;
  const double unit = name == "youngsModulus" || name == "cohesionEnergyDensity" ? units.pressure()
                      : name == "characteristicVelocity"                         ? units.velocity()
                      : name == "kn" || name == "kt"                             ? units.stiffness()
                      : name == "gamman" || name == "gammat"                     ? 1 / units.time
                      : name == "gamman_abs" || name == "gammat_abs"             ? units.mass / units.time
                                                                                 : 1;
  while (!a.done()) p.values.push_back(a.number(name.c_str(), unit));
  if (pairs && static_cast<std::int64_t>(p.values.size()) != width * width)
    a.wrong(name.c_str(), f.command.text, fmt::format("must have {} values for {} types", width * width, width));
  if (p.values.empty()) a.wrong(name.c_str(), "", "has no value");
  static const std::set<std::string> used{"youngsModulus",
                                          "poissonsRatio",
                                          "coefficientRestitution",
                                          "coefficientFriction",
                                          "coefficientRollingFriction",
                                          "coefficientRollingViscousDamping",
                                          "cohesionEnergyDensity",
                                          "characteristicVelocity",
                                          "kn",
                                          "kt",
                                          "gamman",
                                          "gammat",
                                          "gamman_abs",
                                          "gammat_abs"};
  if (!used.contains(name))
    throw NotTakenOver{fmt::format("the property `{}` belongs to no law that is taken over", name)};
  properties_[name] = std::move(p);
}

double Translation::global(const char* name, int i, int j, std::optional<double> preset) {
  const auto at = properties_.find(name);
  if (at == properties_.end()) {
    if (preset) return *preset;
    throw WrongArgument{name, "", fmt::format("is missing: fix ... property/global {}", name)};
  }
  const Property& p = at->second;
  const bool pairs = p.kind == "peratomtypepair" || p.kind == "atomtypepair" || p.kind == "matrix";
  const auto width = static_cast<std::size_t>(pairs ? std::lround(std::sqrt(static_cast<double>(p.values.size()))) : 0);
  const auto place = static_cast<std::size_t>(pairs                ? (i - 1) * static_cast<int>(width) + j - 1
                                              : p.kind == "scalar" ? 0
                                                                   : i - 1);
  if (place >= p.values.size() || (pairs && static_cast<std::size_t>(j) > width))
    throw WrongArgument{name, p.command.text, fmt::format("has no value for type {}", std::max(i, j))};
  return p.values[place];
}

// --- LIGGGHTS -------------------------------------------------------------------------------------------------------
ContactPair Translation::contact_of_liggghts(int i, int j, bool at_wall) {
  const std::vector<std::string>& words = pair_style_->words;
  std::string model = part(words, "model"), tangential = part(words, "tangential");
  bool damped = is_on(words, "tangential_damping", true);
  std::string cohesion = part(words, "cohesion");
  if (model.empty()) {  // of earlier versions: gran/hertz/history DAMPING COHESION
    model = words[1].find("hertz") != std::string::npos ? "hertz" : "hooke";
    tangential = "history";
    if (words.size() > 2 && words[2] == "0") damped = false;
    if (words.size() > 3 && words[3] == "1") cohesion = "sjkr";
  }
  const bool limited = is_on(words, "limitForce", false);
  const double e =
      std::clamp(global("coefficientRestitution", i, j, model == "hooke/stiffness" ? std::optional(1.0) : std::nullopt),
                 kLeastRestitution, 1.0);
  const double mu = tangential.empty() ? 0 : global("coefficientFriction", i, j);
  ContactPair p;
  p.normal.words["clamp"] = limited ? "on" : "off";
  if (model == "hertz") {
    p.normal.law = "hertz";
    p.normal.numbers["restitution"] = e;
    p.normal.words["xi_from_e"] = "exact_noclamp";
    if (mu > 0) {
      p.tangential.law = "coulomb_history";
      p.tangential.numbers["mu"] = mu;
      p.tangential.words["cap"] = "spring";
      if (damped) p.tangential.words["dashpot"] = "normal_ratio";
      if (!limited) p.tangential.words["limit"] = "magnitude";
    }
  } else if (model == "hooke" || model == "hooke/stiffness") {
    const MeetingBodies b = bodies(i, at_wall ? 0 : j);
    double kn = 0, kt = 0, beta = 0, beta_t = 0;
    if (model == "hooke") {
      const double y = 1 / ((1 - std::pow(global("poissonsRatio", i, i), 2)) / global("youngsModulus", i, i) +
                            (1 - std::pow(global("poissonsRatio", j, j), 2)) / global("youngsModulus", j, j));
      const double v = global("characteristicVelocity", 1, 1), root = std::sqrt(b.r_star) * y;
      kn = 16.0 / 15 * root * std::pow(15 * b.m_star * v * v / (16 * root), 0.2);
      kt = is_on(words, "ktToKnUser", false) ? 2.0 / 7 * kn : kn;
      beta = ratio_without_clamp(e);
      beta_t = damped ? beta * std::sqrt(kn / kt) : 0;
      note("hooke: the stiffness follows from the mean mass and radius of each type and the characteristic velocity");
    } else {
      const bool absolute = is_on(words, "absolute_damping", false);
      kn = global("kn", i, j);
      kt = global("kt", i, j);
      if (!(kn > 0) || !(kt > 0)) throw WrongArgument{"kn", fmt::format("{}", kn), "must be positive, as kt"};
      const double cn = absolute ? global("gamman_abs", i, j) : b.m_star * global("gamman", i, j);
      const double ct = absolute ? global("gammat_abs", i, j) : b.m_star * global("gammat", i, j);
      beta = cn / (2 * std::sqrt(b.m_star * kn));
      beta_t = damped ? ct / (2 * std::sqrt(b.m_star * kt)) : 0;
      note("hooke/stiffness: damping ratios are those of the mean mass of each type");
    }
    p.normal.law = "linear";
    p.normal.numbers = {{"stiffness", kn}, {"beta", beta}};
    if (mu > 0) {
      p.tangential.law = "coulomb_time";
      p.tangential.numbers = {{"stiffness", kt}, {"mu", mu}, {"beta", beta_t}};
      if (!limited) note(kNoRubbing);
      if (beta_t > 0)
        note("hooke: the limit of friction holds spring and dashpot together; in LIGGGHTS it holds the spring alone");
    }
  } else {
    throw WrongArgument{"model", model, "must be hertz, hooke or hooke/stiffness to be taken over"};
  }
  if (tangential == "no_history") note("tangential no_history: friction has memory here");
  else if (!tangential.empty() && tangential != "history")
    note(fmt::format("tangential {}: taken as `history`", tangential));

  const std::string rolling = part(words, "rolling_friction");
  if (!rolling.empty()) {
    const double mu_r = global("coefficientRollingFriction", i, j);
    if (mu_r > 0) {
      p.rolling.law = rolling == "cdt" ? "constant" : "epsd";
      p.rolling.numbers["mu"] = mu_r;
      if (rolling != "cdt")
        p.rolling.numbers["eta"] = rolling == "epsd" ? global("coefficientRollingViscousDamping", i, j) : 0;
    }
    if (rolling == "cdt")
      note(
          "rolling_friction cdt: the torque follows the whole normal force; in LIGGGHTS its elastic part, which is the "
          "same "
          "at rest and another in impacts");
    if (rolling == "epsd" && model == "hertz")
      note(
          "rolling_friction epsd: the spring follows the tangent stiffness of the contact, 3/2 of the secant that "
          "LIGGGHTS takes; its limit is the same");
    if (rolling != "epsd" && rolling != "cdt")
      note(fmt::format("rolling_friction {}: taken as epsd without its dashpot, whose spring is another", rolling));
  }
  if (!cohesion.empty()) {
    if (cohesion != "sjkr" && cohesion != "sjkr2") {
      note(fmt::format("cohesion {} is not taken over: see the laws of adhesion", cohesion));
    } else if (const double k = global("cohesionEnergyDensity", i, j); k > 0) {
      // k times the area of the contact: 2 pi r* delta of the lens, 4 pi r* delta; ours is pi r* delta
      p.adhesion.law = "bond_area";
      p.adhesion.numbers = {{"K_nb", (cohesion == "sjkr" ? 2 : 4) * k}, {"P_p", 0}};
      note("cohesion: the area of contact is that of small overlaps, 2 pi r* delta (sjkr) or 4 pi r* delta (sjkr2)");
    }
  }
  return p;
}

// --- LAMMPS ---------------------------------------------------------------------------------------------------------
// The coefficients of a style, from pair_style, pair_coeff or fix wall/gran.
ContactModel Translation::model_of(Arguments& a, const std::string& style) {
  ContactModel m;
  if (style.starts_with("hooke") || style.starts_with("hertz/history")) {
    const bool hertz = style.starts_with("hertz");
    const double unit = hertz ? units.pressure() : units.stiffness();
    const double kn = a.positive("Kn", unit);
    const auto kt = a.number_or_null("Kt");
    const double gamma_n = a.number("gamma_n", 1 / units.time / (hertz ? units.length : 1));
    const auto gamma_t = a.number_or_null("gamma_t");
    m.mu = a.number("xmu");
    const bool damped = a.whole("dampflag") != 0;
    m.elastic = hertz ? Elastic::hertz : Elastic::linear;
    (hertz ? m.e_star : m.stiffness) = hertz ? 0.75 * kn : kn;
    m.damping = hertz ? Damping::viscoelastic : Damping::mass_velocity;
    m.eta = gamma_n;
    m.tangential = hertz ? Tangential::mindlin : Tangential::linear;
    m.kt = kt ? *kt * unit : 2.0 / 7 * kn;
    if (damped && gamma_n > 0)
      m.tangential_damper = gamma_t ? *gamma_t / (units.time * (hertz ? units.length : 1)) / gamma_n : 0.5;
    m.pulls = !a.take("limit_damping");
    if (style == "hooke") note("gran/hooke without history: friction has memory here");
    return m;
  }
  const std::string normal = a.word("normal");
  if (normal == "hooke") {
    m.stiffness = a.positive("k_n", units.stiffness());
    m.eta = a.number("eta_n");
  } else if (normal == "hertz") {
    m.elastic = Elastic::hertz;
    m.e_star = 0.75 * a.positive("k_n", units.pressure());
    m.eta = a.number("eta_n");
  } else if (normal == "hertz/material" || normal == "dmt" || normal == "jkr") {
    m.elastic = normal == "dmt" ? Elastic::dmt : normal == "jkr" ? Elastic::jkr : Elastic::hertz;
    const double young = a.positive("E", units.pressure());
    m.eta = a.number("eta_n");
    m.poisson = a.number("nu");
    if (m.poisson < 0 || m.poisson > 0.5) a.wrong("nu", fmt::format("{}", m.poisson), "must be from 0 to 0.5");
    m.e_star = young / (2 * (1 - m.poisson * m.poisson));
    if (normal != "hertz/material") m.surface_energy = a.number("gamma", units.stiffness());
  } else {
    throw WrongArgument{"normal", normal, "must be hooke, hertz, hertz/material, dmt or jkr to be taken over"};
  }
  std::string damping = "viscoelastic";
  while (!a.done()) {
    const std::string key = a.word("keyword");
    if (key == "damping") damping = a.word("damping");
    else if (key == "limit_damping") m.pulls = false;
    else if (key == "tangential") {
      const std::string t = a.word("tangential");
      if (t == "linear_nohistory") {
        m.tangential = m.stiffness > 0 ? Tangential::linear : Tangential::mindlin;
        m.tangential_damper = a.number("x_gamma_t");
        if (m.stiffness > 0) m.kt = 2.0 / 7 * m.stiffness;
        note("linear_nohistory: friction has memory here, on a spring of 2/7 of the normal stiffness, or Mindlin's");
      } else if (t == "linear_history") {
        m.tangential = Tangential::linear;
        m.kt = a.positive("k_t", units.stiffness());
        m.tangential_damper = a.number("x_gamma_t");
      } else if (t.starts_with("mindlin")) {
        m.tangential = Tangential::mindlin;
        if (const auto kt = a.number_or_null("k_t")) m.kt = *kt * units.pressure();
        m.tangential_damper = a.number("x_gamma_t");
        m.keeps_force = t.ends_with("/force");
        m.rescales = t.starts_with("mindlin_rescale");
      } else {
        throw WrongArgument{"tangential", t, "must be linear_nohistory, linear_history or mindlin to be taken over"};
      }
      m.mu = a.number("mu_t");
    } else if (key == "rolling") {
      const std::string r = a.word("rolling");
      m.rolls = r == "sds";
      if (!m.rolls) continue;
      m.roll_stiffness = a.number("k_roll", units.stiffness());
      m.roll_damper = a.number("gamma_roll", units.mass / units.time);
      m.roll_mu = a.number("mu_roll");
    } else if (key == "twisting") {
      const std::string t = a.word("twisting");
      if (t != "none") note(fmt::format("twisting {} is not taken over: see the laws of twisting", t));
      if (t == "sds") a.vector("twisting");
    } else if (key == "cutoff") {
      a.number("cutoff");
    } else if (key == "heat") {
      a.word("heat");
      a.word("heat");
    } else if (key == "xplane" || key == "yplane" || key == "zplane" || key == "zcylinder" || key == "region") {
      break;  // the shape of the wall
    } else {
      throw WrongArgument{"keyword", key, "is not a part of a granular style that can be taken over"};
    }
  }
  m.damping = damping == "velocity"            ? Damping::velocity
              : damping == "mass_velocity"     ? Damping::mass_velocity
              : damping == "viscoelastic"      ? Damping::viscoelastic
              : damping == "tsuji"             ? Damping::tsuji
              : damping == "coeff_restitution" ? Damping::restitution
                                               : throw WrongArgument{"damping", damping, "is not known"};
  m.eta *= m.damping == Damping::velocity        ? units.mass / units.time
           : m.damping == Damping::mass_velocity ? 1 / units.time
           : m.damping == Damping::viscoelastic  ? 1 / (units.time * units.length)
                                                 : 1;
  if (m.eta < 0) throw WrongArgument{"eta_n", fmt::format("{}", m.eta), "must not be negative"};
  return m;
}

void Translation::pair_coeff(const Command& c, Arguments& a) {
  if (!pair_style_ || pair_style_->words.size() < 2 || pair_style_->words[1] != "granular") return;
  const auto [i0, i1] = type_range(a.word("type"), a);
  const auto [j0, j1] = type_range(a.word("type"), a);
  for (int i = i0; i <= i1; ++i)
    for (int j = j0; j <= j1; ++j) pair_coeffs_[{std::min(i, j), std::max(i, j)}] = c;
}

ContactModel Translation::model_for(int i, int j) {
  const std::string& style = pair_style_->words[1];
  if (style != "granular") {
    Arguments a(*this, *pair_style_, 2);
    return model_of(a, style.substr(5));
  }
  const auto at = pair_coeffs_.find({std::min(i, j), std::max(i, j)});
  if (at != pair_coeffs_.end()) {
    Arguments a(*this, at->second, 3);
    return model_of(a, style);
  }
  if (i == j) throw WrongArgument{"", "", fmt::format("no pair_coeff for type {}", i)};
  return mixed(model_for(i, i), model_for(j, j));
}

MeetingBodies Translation::bodies(int i, int j) {
  const auto mean = [&](int type) {
    const TypeMeans& m = means_[type];
    return m.count > 0 ? m : means_.begin()->second;
  };
  const TypeMeans a = mean(i);
  if (j == 0) return {a.mass, a.radius, reference_speed(a.radius)};
  const TypeMeans b = mean(j);
  return {a.mass * b.mass / (a.mass + b.mass), a.radius * b.radius / (a.radius + b.radius),
          reference_speed(0.5 * (a.radius + b.radius))};
}

// What a grain gains by falling through its diameter; without gravity the largest speed of the particles.
double Translation::reference_speed(double radius) const {
  const double g = norm(gravity_);
  if (g > 0) return std::sqrt(4 * g * radius);
  double v = 0;
  for (const ScriptAtom& p : atoms_) v = std::max(v, norm(p.v));
  for (const ParticleSet& s : case_.particles) v = std::max(v, norm(s.velocity));
  return v > 0 ? v : 0.1;
}

ContactPair Translation::contact_of_lammps(const ContactModel& m, int i, int j, const Material& of_i) {
  const MeetingBodies b = bodies(i, j);
  ContactPair p;
  const auto ratio = damping_ratio(m, b);
  const char* clamp = m.pulls ? "off" : "on";
  if (m.elastic == Elastic::linear) {
    p.normal.law = "linear";
    p.normal.numbers["stiffness"] = m.stiffness;
    p.normal.words["clamp"] = clamp;
    if (ratio) p.normal.numbers["beta"] = *ratio;
    else p.normal.numbers["restitution"] = restitution_of(m, b);
    if (m.damping == Damping::mass_velocity || m.damping == Damping::velocity)
      note(
          "damping ratios are those of the mean mass of each type: the dashpot of the script does not follow the mass "
          "as "
          "ours does");
  } else {
    const bool jkr = m.elastic == Elastic::jkr;
    p.normal.law = jkr ? "jkr" : "hertz";
    if (!jkr) p.normal.words["clamp"] = clamp;
    if (ratio) {
      p.normal.numbers["xi"] = *ratio;
    } else {
      const double e = restitution_of(m, b);
      note(fmt::format(
          "damping: the dashpot of the script has another restitution at each speed; ours is that at {:.3g} "
          "m/s{}: {:.3g} for {}",
          b.speed, norm(gravity_) > 0 ? ", a fall through one diameter" : "", e,
          j == 0 ? fmt::format("type {} at a wall", i) : fmt::format("types {} and {}", i, j)));
      if (jkr) {
        p.normal.numbers["xi"] = Hertz::xi_from_restitution(e, "exact_noclamp");
      } else {
        p.normal.numbers["restitution"] = e;
        p.normal.words["xi_from_e"] = m.pulls ? "exact_noclamp" : "exact_clamp";
      }
    }
    if (jkr) p.normal.numbers["work"] = 2 * m.surface_energy;
    if (m.elastic == Elastic::dmt && m.surface_energy > 0) {
      p.adhesion.law = "dmt";
      p.adhesion.numbers["work"] = 2 * m.surface_energy;
    }
  }
  if (m.mu > 0 && m.tangential == Tangential::linear) {
    p.tangential.law = "coulomb_time";
    p.tangential.numbers = {{"stiffness", *m.kt}, {"mu", m.mu}};
    if (m.pulls) note(kNoRubbing);
    if (m.elastic == Elastic::linear && m.tangential_damper > 0) {
      // c_t = x c_n, and c = 2 beta sqrt(m k) for both
      const double beta = ratio ? *ratio : ratio_without_clamp(p.normal.numbers["restitution"]);
      p.tangential.numbers["beta"] = m.tangential_damper * beta * std::sqrt(m.stiffness / *m.kt);
      note("the limit of friction leaves the spring at it; in the script it leaves what remains beside the dashpot");
    } else if (m.tangential_damper > 0) {
      note("a linear tangential spring beside Hertz's law has no dashpot here");
    }
  } else if (m.mu > 0 && m.tangential == Tangential::mindlin) {
    p.tangential.law = "coulomb_history";
    p.tangential.numbers["mu"] = m.mu;
    p.tangential.words["cap"] = "remainder";
    if (m.pulls) p.tangential.words["limit"] = "magnitude";
    if (m.tangential_damper > 0) {
      p.tangential.words["dashpot"] = "normal";
      p.tangential.numbers["dashpot_factor"] = m.tangential_damper;
    }
    if (m.kt) {
      const double factor = *m.kt / mindlin_stiffness(of_i.young, of_i.poisson);
      if (std::fabs(factor - 1) > 1e-12) p.tangential.numbers["stiffness_factor"] = std::clamp(factor, 0.001, 1000.0);
    }
    if (m.keeps_force) p.tangential.words["history"] = "force";
    if (m.rescales) p.tangential.words["rescale"] = "on";
  }
  if (m.rolls && m.roll_mu > 0) {
    const double k = m.roll_stiffness * b.r_star * b.r_star, inertia = 1.4 * b.m_star * b.r_star * b.r_star;
    p.rolling.law = "epsd";
    p.rolling.numbers = {{"mu", m.roll_mu}, {"stiffness", k}, {"eta", 0}};
    if (k > 0) p.rolling.numbers["eta"] = m.roll_damper * b.r_star * b.r_star / (2 * std::sqrt(inertia * k));
    note("rolling sds: the spring and its dashpot are those of the mean radius and mass of each type");
  }
  return p;
}

// --- all pairs ------------------------------------------------------------------------------------------------------
void Translation::finish_contacts() {
  if (!pair_style_)
    return impossible("pair_style", "no `pair_style` is there: a case needs to know what acts between particles");
  guarded(*pair_style_, [&] {
    const std::string style = pair_style_->words.size() > 1 ? pair_style_->words[1] : "";
    const bool liggghts = style == "gran" || (style.starts_with("gran/") && properties_.contains("youngsModulus"));
    if (!liggghts && style != "granular" && !style.starts_with("gran/hooke") && style != "gran/hertz/history")
      throw WrongArgument{"style", style,
                          "must be gran, granular, gran/hooke, gran/hooke/history or gran/hertz/history"};
    if (means_.empty()) means_[1] = {1, 1e-3, 1e-5};
    liggghts ? finish_contacts_of_liggghts() : finish_contacts_of_lammps();
  });
}

void Translation::finish_contacts_of_liggghts() {
  const bool stiffnesses = part(pair_style_->words, "model") == "hooke/stiffness";
  struct Made {
    std::string name;
    int type;
    bool particles;
  };
  std::vector<Made> made;
  for (const auto& [key, name] : materials_) {
    Material m;
    m.name = name;
    m.density = key.second;
    m.young = global("youngsModulus", key.first, key.first, stiffnesses ? std::optional(0.0) : std::nullopt);
    m.poisson = global("poissonsRatio", key.first, key.first, stiffnesses ? std::optional(0.25) : std::nullopt);
    case_.materials.push_back(m);
    made.push_back({name, key.first, key.second > 0});
  }
  for (std::size_t x = 0; x < made.size(); ++x)
    for (std::size_t y = x; y < made.size(); ++y) {
      const bool particles = made[x].particles && made[y].particles;
      if (!made[x].particles && !made[y].particles) continue;
      const bool swapped = !made[x].particles;
      ContactPair p = contact_of_liggghts(made[swapped ? y : x].type, made[swapped ? x : y].type, !particles);
      p.a = made[x].name;
      p.b = made[y].name;
      case_.contacts.push_back(std::move(p));
    }
  // walls of LIGGGHTS name their model again; there is one contact table for a pair of materials
  for (const ScriptFix& f : fixes_) {
    const std::vector<std::string>& own = f.command.words;
    if (f.style != "wall/gran" || part(own, "model").empty()) continue;
    bool same = true;
    for (const char* name : {"model", "tangential", "rolling_friction", "cohesion"})
      same = same && part(own, name) == part(pair_style_->words, name);
    for (const char* option : {"limitForce", "tangential_damping"})
      same = same && is_on(own, option, option[0] == 't') == is_on(pair_style_->words, option, option[0] == 't');
    if (!same) note(fmt::format("fix {}: the wall acts by the laws of pair_style, though it names others", f.id));
  }
  // laws of linear springs follow the masses, so that a wall is not met as a particle of its type is
  if (!part(pair_style_->words, "model").starts_with("hooke")) return;
  for (const Made& m : made) {
    std::string name;
    for (Wall& w : case_.walls) {
      if (!m.particles || w.material != m.name) continue;
      if (name.empty()) name = unique_name(m.name + "_wall");
      w.material = name;
    }
    if (name.empty()) continue;
    Material copy = *std::find_if(case_.materials.begin(), case_.materials.end(),
                                  [&](const Material& of) { return of.name == m.name; });
    copy.name = name;
    case_.materials.push_back(copy);
    for (const Made& grain : made) {
      if (!grain.particles) continue;
      ContactPair p = contact_of_liggghts(grain.type, m.type, true);
      p.a = grain.name;
      p.b = name;
      case_.contacts.push_back(std::move(p));
    }
  }
}

void Translation::finish_contacts_of_lammps() {
  struct Made {
    Material material;
    int type;
  };
  std::vector<Made> made;
  for (const auto& [key, name] : materials_) {
    const ContactModel m = model_for(key.first, key.first);
    Material material;
    material.name = name;
    material.density = key.second;
    material.poisson = m.poisson;
    if (m.elastic != Elastic::linear) material.young = young_of(m.e_star, m.poisson);
    case_.materials.push_back(material);
    made.push_back({material, key.first});
  }
  for (std::size_t x = 0; x < made.size(); ++x)
    for (std::size_t y = x; y < made.size(); ++y) {
      const ContactModel m = model_for(made[x].type, made[y].type);
      ContactPair p = contact_of_lammps(m, made[x].type, made[y].type, made[x].material);
      p.a = made[x].material.name;
      p.b = made[y].material.name;
      case_.contacts.push_back(std::move(p));
    }
  for (const OwnWall& own : own_walls_)
    guarded(own.command, [&] {
      const std::string style = own.command.words.size() > 4 ? own.command.words[4] : "";
      Arguments a(*this, own.command, 5);
      const ContactModel m = model_of(a, style == "hertz/history" || style.starts_with("hooke") ? style : "granular");
      Material w;
      w.name = own.material;
      w.rigid = true;
      if (m.elastic != Elastic::linear && !made.empty()) {
        // 1/E* is the sum of (1 - nu^2)/E over both
        const Material& grain = made[0].material;
        const double rest = 1 / m.e_star - (1 - grain.poisson * grain.poisson) / grain.young;
        w.poisson = m.poisson;
        w.rigid = !(rest > 0);
        if (!w.rigid) w.young = (1 - w.poisson * w.poisson) / rest;
        if (made.size() > 1 || w.rigid)
          note(fmt::format("{}: its modulus is such that it meets {} as the script says{}", own.material, grain.name,
                           w.rigid ? ", as far as a rigid wall does" : ""));
      }
      case_.materials.push_back(w);
      for (const Made& g : made) {
        ContactPair p = contact_of_lammps(m, g.type, 0, g.material);
        p.a = g.material.name;
        p.b = own.material;
        case_.contacts.push_back(std::move(p));
      }
    });
}

}  // namespace areia::io
