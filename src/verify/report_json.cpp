#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "areia/error.h"
#include "areia/version.h"
#include "io/files/atomic_file.h"
#include "verify/report.h"

namespace areia::verify {

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
  e["part"] = 0;
  for (std::size_t k = 0; k < o.sheet.rows.size(); ++k)
    e["rows"][k]["ran"] = o.sheet.rows[k].ran < 0 ? Json(nullptr) : Json(o.sheet.rows[k].ran);
  e["quick"] = o.entry->quick;
  Json works = Json::array(), plots = Json::array(), ran = Json::array(), references = Json::array();
  for (const Work* w : works_in(o.entry->source)) works.push_back(w->key);
  for (const Plot& p : o.sheet.plots) plots.push_back(plot_json(p));
  for (const RanCase& c : o.sheet.ran) ran.push_back({{"lab", c.lab}, {"text", c.text}, {"set", c.set}});
  for (const std::string& name : o.entry->cases) references.push_back(Json(reference_case(name)));
  e["works"] = works;
  e["sketch"] = o.sheet.picture.empty() ? Sketch().svg() : o.sheet.picture;
  e["plots"] = plots;
  e["ran"] = ran;
  e["references"] = references;
  return e;
}

Json part_of(const Json& report) {
  return {{"command", report.at("command")},
          {"version", report.at("version")},
          {"machine", report.at("machine")},
          {"date", report.at("date")},
          {"seconds", report.at("seconds")}};
}

// Around examples, whose parts it does not know yet.
Json report_of(Json examples, const ReportHead& head) {
  Counts counts;
  for (const Json& e : examples) counts += Counts(e.at("rows"));
  Json report{{"areia_verification", 1},  // version of this format
              {"version", kVersion},     {"command", head.command}, {"machine", head.machine},
              {"date", head.date},       {"seconds", head.seconds}};
  for (const Verdict v : {Verdict::pass, Verdict::explained, Verdict::not_reproduced, Verdict::fail})
    report[v == Verdict::not_reproduced ? "not_reproduced" : verdict_key(v)] = counts[v];
  report["parts"] = Json::array({part_of(report)});
  report["sources"] = Json::array();
  report["examples"] = std::move(examples);
  for (const Work* w : works_of(report))
    report["sources"].push_back({{"key", w->key}, {"name", w->name}, {"citation", w->citation}, {"doi", w->doi}});
  return report;
}

std::size_t place_of(const Json& example) {
  const auto at = std::find_if(entries().begin(), entries().end(),
                               [&](const Entry& e) { return e.name == example.at("name").get<std::string>(); });
  return static_cast<std::size_t>(at - entries().begin());
}

}  // namespace

Json outcome_json(const Outcome& o) {
  Json rows = Json::array();
  const auto number = [](double v) { return std::isfinite(v) ? Json(v) : Json(); };
  for (const Row& r : o.sheet.rows) {
    Json claims = Json::array(), tried = Json::array();
    for (const Claim& c : r.claims)
      claims.push_back(
          {{"claim", c.text()}, {"value", number(c.value)}, {"other", number(c.other)}, {"holds", c.holds()}});
    for (const Attempt& a : r.attempts) tried.push_back({{"what", a.what}, {"value", number(a.value)}});
    rows.push_back({{"quantity", r.quantity},
                    {"source", number(r.source)},
                    {"ours", number(r.ours)},
                    {"difference", number(r.ours - r.source)},
                    {"tolerance", r.tolerance},
                    {"verdict", verdict_key(r.verdict)},
                    {"note", r.note},
                    {"claims", claims},
                    {"tried", tried}});
  }
  return {{"name", o.entry->name},
          {"title", o.entry->title},
          {"source", source_text(o.entry->source)},
          {"cases", o.entry->cases},
          {"seconds", o.seconds},
          {"rows", rows},
          {"remarks", o.sheet.remarks},
          {"verdict", verdict_key(o.verdict())}};
}

std::vector<const Work*> works_of(const Json& report) {
  std::set<std::string> named;
  for (const Json& e : report.at("examples"))
    for (const Json& key : e.at("works")) named.insert(key.get<std::string>());
  std::vector<const Work*> list;
  for (const Work& w : works())
    if (named.contains(w.key)) list.push_back(&w);
  return list;
}

Json report_json(const std::vector<Outcome>& outcomes, const ReportHead& head) {
  Json examples = Json::array();
  for (const Outcome& o : outcomes) examples.push_back(example_json(o));
  return report_of(std::move(examples), head);
}

Json joined(const std::vector<Json>& reports, const ReportHead& head) {
  std::map<std::size_t, Json> by_place;
  Json all_parts = Json::array();
  for (const Json& report : reports) {
    for (Json e : report.at("examples")) {
      e["part"] = all_parts.size() + e.at("part").get<std::size_t>();
      by_place.insert_or_assign(place_of(e), e);
    }
    for (const Json& part : report.at("parts")) all_parts.push_back(part);
  }
  // parts that still have an example, numbered anew
  Json examples = Json::array(), parts = Json::array();
  std::map<std::size_t, std::size_t> number;
  ReportHead sum = head;
  for (auto& [place, e] : by_place) {
    const std::size_t part = e.at("part");
    if (number.emplace(part, number.size()).second) parts.push_back(all_parts[part]);
    e["part"] = number[part];
    examples.push_back(std::move(e));
  }
  for (const Json& part : parts) sum.seconds += part.at("seconds").get<double>();
  Json report = report_of(std::move(examples), sum);
  report["parts"] = parts;
  return report;
}

Json read_report(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kReportData;
  const auto refuse = [&](const std::string& rule) {
    return InputError(std::vector<Problem>{{file.string(), 0, "", "", rule}});
  };
  if (!std::filesystem::is_regular_file(file)) throw refuse("is no file; `areia verify --report` makes it");
  Json report = Json::parse(read_file(file), nullptr, false);
  try {
    if (report.is_discarded() || report.at("areia_verification") != 1) throw Error("not of this version");
    if (!report.contains("parts")) {  // before reports could be joined
      report["parts"] = Json::array({part_of(report)});
      for (Json& e : report.at("examples")) e["part"] = 0;
    }
    for (const Json& e : report.at("examples"))
      if (e.at("part").get<std::size_t>() >= report.at("parts").size()) throw Error("an example of no part");
    report_files(report);  // has all that the pages ask for
  } catch (const std::exception& e) { throw refuse(std::string("is no report of `areia verify` (") + e.what() + ")"); }
  for (const Json& e : report["examples"])
    if (place_of(e) == entries().size())
      throw refuse("has the example " + e["name"].get<std::string>() + ", which this version does not");
  return report;
}

}  // namespace areia::verify
