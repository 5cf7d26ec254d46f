#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "areia/version.h"
#include "verify/report.h"

namespace areia::verify {

using Json = nlohmann::ordered_json;

namespace {

// As many digits as the pages write; nothing for what is not finite.
Json rounded(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double v : values)
    all.push_back(std::isfinite(v) ? Json(std::strtod(number_text(v).c_str(), nullptr)) : Json(nullptr));
  return all;
}

Json plot_json(const Plot& p) {
  Json curves = Json::array();
  for (const Curve& c : p.curves)
    curves.push_back({{"label", c.label},
                      {"look", c.look == Curve::Look::points ? "points" : "line"},
                      {"x", rounded(c.x)},
                      {"y", rounded(c.y)}});
  return {{"title", p.title}, {"x_label", p.x_label}, {"y_label", p.y_label}, {"log_x", p.log_x}, {"curves", curves}};
}

Json example_json(const Outcome& o) {
  Json e = outcome_json(o);
  for (std::size_t k = 0; k < o.sheet.rows.size(); ++k)
    e["rows"][k]["ran"] = o.sheet.rows[k].ran < 0 ? Json(nullptr) : Json(o.sheet.rows[k].ran);
  e["quick"] = o.entry->quick;
  Json works = Json::array(), plots = Json::array(), ran = Json::array(), references = Json::array();
  for (const Work* w : works_in(o.entry->source)) works.push_back(w->key);
  for (const Plot& p : o.sheet.plots) plots.push_back(plot_json(p));
  for (const RanCase& c : o.sheet.ran) ran.push_back({{"lab", c.lab}, {"text", c.text}, {"set", c.set}});
  for (const std::string& name : o.entry->cases) references.push_back(Json(reference_case(name)));
  e["works"] = works;
  e["sketch"] = o.sheet.picture;
  e["plots"] = plots;
  e["ran"] = ran;
  e["references"] = references;
  return e;
}

}  // namespace

// The works that the examples name.
std::vector<const Work*> works_of(const std::vector<Outcome>& outcomes) {
  std::set<const Work*> named;
  for (const Outcome& o : outcomes)
    for (const Work* w : works_in(o.entry->source)) named.insert(w);
  std::vector<const Work*> list;
  for (const Work& w : works())
    if (named.contains(&w)) list.push_back(&w);
  return list;
}

Json report_json(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  std::vector<Row> all;
  for (const Outcome& o : outcomes) all.insert(all.end(), o.sheet.rows.begin(), o.sheet.rows.end());
  const Counts counts(all);
  Json sources = Json::array(), examples = Json::array();
  for (const Work* w : works_of(outcomes))
    sources.push_back({{"key", w->key}, {"name", w->name}, {"citation", w->citation}, {"doi", w->doi}});
  for (const Outcome& o : outcomes) examples.push_back(example_json(o));
  return {{"areia_verification", 1},  // version of this format
          {"version", kVersion},
          {"command", head.command},
          {"machine", head.machine},
          {"date", head.date},
          {"seconds", head.seconds},
          {"pass", counts[Verdict::pass]},
          {"explained", counts[Verdict::explained]},
          {"not_reproduced", counts[Verdict::not_reproduced]},
          {"fail", counts[Verdict::fail]},
          {"sources", sources},
          {"examples", examples}};
}

}  // namespace areia::verify
