#include "io/schema/parts.h"

namespace areia::io {
namespace {

Key<BondSet> pairs_key() {
  Rule rule{.range = kNotNegative, .text = "Pairs of particle ids, such as [[0, 1], [1, 2]]; for `list`."};
  Key<BondSet> f = declare<BondSet>("pairs", KeyInfo::Form::integer_pairs, rule);
  f.preset = "[]";
  f.read = [](BondSet& b, const toml::node& node, Reader& r, const std::string& path) {
    const toml::array* all = node.as_array();
    if (!all) return r.problem(node, path, "must be an array of pairs of ids, such as [[0, 1], [1, 2]]");
    for (const toml::node& one : *all) {
      const toml::array* pair = one.as_array();
      if (!pair || pair->size() != 2) {
        r.problem(one, path, "must be a pair of ids, such as [0, 1]");
        continue;
      }
      const auto i = r.integer((*pair)[0], path, kNotNegative), j = r.integer((*pair)[1], path, kNotNegative);
      if (i && j) b.pairs.push_back({*i, *j});
    }
  };
  f.write = [](const BondSet& b) {
    std::string list;
    for (const auto& p : b.pairs) list += fmt::format("{}[{}, {}]", list.empty() ? "" : ", ", p[0], p[1]);
    return "[" + list + "]";
  };
  return f;
}

// Another way to say `shear_ratio`, and written as that.
Key<BondSet> poisson_key() {
  const Rule rule{.range = {-1, 0.5, true, false},
                  .text = "Poisson's ratio of the cement, in place of `shear_ratio`: 1/(2 (1 + poisson))."};
  Key<BondSet> f = declare<BondSet>("poisson", KeyInfo::Form::number, rule);
  f.read = [=](BondSet& b, const toml::node& node, Reader& r, const std::string& path) {
    if (const auto v = r.number(node, path, rule.unit, rule.range, rule.word, rule.word_value))
      b.shear_ratio = 1 / (2 * (1 + *v));
  };
  f.write = [](const BondSet&) { return ""; };
  return f;
}

Key<BondSet> strength_key(std::string name, double BondSet::*member, const char* unit, std::string text) {
  return number(
      std::move(name), member,
      {.unit = unit, .range = kPositive, .word = "unbreakable", .word_value = kForever, .text = std::move(text)});
}

}  // namespace

const Table<BondSet>& bond_table() {
  using B = BondSet;
  static const Table<B> table{
      "A set of geometric bonds: springs between anchors that are fixed in the bodies. A bond that breaks never heals.",
      {word("between", &B::between,
            {{"touching", B::Between::touching}, {"near", B::Between::near}, {"list", B::Between::list}},
            {.text = "Which bodies are joined: those with a gap of at most `max_gap`, those with centres within "
                     "`max_distance`, or the listed `pairs`."}),
       text("group_a", &B::group_a, {.text = "Group of particles; without it all of them."}),
       text("group_b", &B::group_b, {.text = "The partners' group; without it the bonds are among `group_a`."}),
       text("wall", &B::wall, {.text = "The partner is the nearest point of this wall, and moves with it."}),
       number("max_gap", &B::max_gap,
              {.unit = "m", .range = kNotNegative, .text = "touching: largest gap between the surfaces."}),
       number("max_distance", &B::max_distance,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "near: largest distance of the centres, or of a centre from the wall."}),
       pairs_key(),
       integer("anchors", &B::anchors,
               {.range = {1, 1000},
                .text = "Anchors per pair. One, on the line of centres, is a ball joint; several, on a ring in the "
                        "contact plane, resist bending and twist."}),
       number("ring_radius", &B::ring_radius,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Radius of that ring; with a radius of the cement it is that over sqrt(2), so that the joint "
                       "bends and twists as a cylinder."}),
       number("radius", &B::radius,
              {.unit = "m",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Radius of the cement between two bodies; its area is pi radius^2."}),
       number("radius_factor", &B::radius_factor,
              {.range = kPositive,
               .unset_is_zero = true,
               .text = "The same as a multiple of the smaller of the two radii; at a wall, of the particle's."}),
       number("stiffness", &B::stiffness,
              {.unit = "N/m", .range = kPositive, .unset_is_zero = true, .text = "Spring k of one anchor."}),
       number("young", &B::young,
              {.unit = "Pa",
               .range = kPositive,
               .unset_is_zero = true,
               .text = "Young's modulus of the cement, in place of `stiffness`: k = young area/(length anchors), with "
                       "the distance of the centres, or of a centre from the wall, for the length."}),
       number("shear_ratio", &B::shear_ratio,
              {.range = kPositive,
               .text = "Spring across the line of centres over the spring along it. 1 as in the source."}),
       poisson_key(),
       word("damping", &B::damping, {{"value", B::Damping::value}, {"critical", B::Damping::critical}},
            {.text = "The damper of one anchor: as given by `damper`, or so that a pair is critically damped along the "
                     "line of centres, 2 sqrt(k m*/anchors), with the same damper across it."}),
       number("damper", &B::damper, {.unit = "N s/m", .range = kNotNegative, .text = "Damper c of one anchor."}),
       number("damping_ratio", &B::damping_ratio,
              {.range = kPositive,
               .unset_is_zero = true,
               .text = "In place of these: the damping of a pair over its critical damping, along the line of centres "
                       "and across it alike."}),
       strength_key("strength", &B::strength, "N", "Force of one anchor beyond which it breaks, in every direction."),
       strength_key("tensile_strength", &B::tensile_strength, "N",
                    "In place of `strength`: pull along the line of centres at which an anchor breaks."),
       strength_key("shear_strength", &B::shear_strength, "N", "Force across the line of centres at which it breaks."),
       strength_key("compressive_strength", &B::compressive_strength, "N",
                    "Push along the line of centres at which it breaks."),
       strength_key("tensile_stress", &B::tensile_stress, "Pa",
                    "The tensile strength as a stress, on the anchor's share of the cement's area."),
       strength_key("shear_stress", &B::shear_stress, "Pa", "The shear strength as a stress."),
       strength_key("compressive_stress", &B::compressive_stress, "Pa", "The compressive strength as a stress."),
       number("weibull_modulus", &B::weibull_modulus,
              {.range = {0.1, kInfinity},
               .unset_is_zero = true,
               .text = "Scatter of all strengths by one factor per joint: a share of 1 - exp(-x^modulus) of the joints "
                       "has a factor below x. Without it all are alike."}),
       word("break_on", &B::break_on_elastic, {{"total", false}, {"elastic", true}},
            {.text = "The force that counts: with the damper, or of the spring alone."}),
       word("anchor", &B::anchor, {{"common", B::Anchor::common}, {"surface", B::Anchor::surface}},
            {.text = "Both anchors midway between the surfaces, without force at first; or each on its own surface, so "
                     "that a gap is pulled together."}),
       word("point", &B::point, {{"midpoint", B::Point::midpoint}, {"anchors", B::Point::anchors}},
            {.text =
                 "Where forces act: midway between the anchors, which conserves angular momentum; or at each anchor, "
                 "as in the source."}),
       boolean("contact", &B::contact, {.text = "Bonded bodies also touch as others do."}),
       text("start_stage", &B::start_stage,
            {.text = "The bonds are made when this stage begins; without it at the start."})},
      {{{"shear_ratio", "poisson"}, false}}};
  return table;
}

}  // namespace areia::io
