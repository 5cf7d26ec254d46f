#include "studio/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "areia/error.h"
#include "impact/models.h"
#include "lab/case_json.h"
#include "lab/lab_case.h"
#include "lab/results.h"
#include "studio/message.h"
#include "verify/embedded.h"

namespace areia::studio {

namespace {

using nlohmann::ordered_json;

constexpr int kDeepest = 8;             // of the JSON of a request
constexpr std::size_t kLongest = 16;    // lists in a case: coins, coordinates, contacts
constexpr double kMostSamples = 20000;  // of the series
constexpr std::size_t kMostImpacts = 2000;
constexpr const char* kFile = "case.toml";  // what problems call the case

ordered_json or_null(double v) { return std::isfinite(v) ? ordered_json(v) : ordered_json(nullptr); }

ordered_json key_json(const lab::LabKey& k) {
  return {{"path", k.path},
          {"type", k.type},
          {"unit", k.unit},
          {"min", or_null(k.range.min)},
          {"max", or_null(k.range.max)},
          {"open_min", k.range.open_min},
          {"open_max", k.range.open_max},
          {"text", k.text},
          {"value", k.value},
          {"preset", k.preset}};
}

ordered_json keys_json(const lab::LabCase& c) {
  ordered_json all = ordered_json::array();
  for (const lab::LabKey& k : c.keys)
    if (!k.path.starts_with("diagram.")) all.push_back(key_json(k));
  return all;
}

ordered_json coefficient_json(const impact::Coefficient& c) {
  return {{"name", c.name},     {"min", or_null(c.min)}, {"max", or_null(c.max)}, {"required", c.required},
          {"preset", c.preset}, {"text", c.text},        {"words", c.words}};
}

ordered_json model_json(const impact::ModelInfo& m) {
  ordered_json coefficients = ordered_json::array();
  for (const impact::Coefficient& c : m.coefficients) coefficients.push_back(coefficient_json(c));
  return {{"name", m.name},
          {"title", m.title},
          {"text", m.text},
          {"special_cases", m.special_cases},
          {"guarantees", m.guarantees},
          {"never_gains", m.never_gains},
          {"coefficients", coefficients}};
}

// All problems of a case, as `areia impact run` would tell them.
Answer problems_answer(const InputError& e) {
  ordered_json all = ordered_json::array();
  for (const Problem& p : e.problems)
    all.push_back({{"line", p.line}, {"key", p.key}, {"value", p.value}, {"rule", p.rule}});
  return ordered_answer({{"error", e.what()}, {"problems", all}}, 422);
}

bool has_long_lists(const ordered_json& value) {
  if (value.is_array() && value.size() > kLongest) return true;
  return value.is_structured() && std::any_of(value.begin(), value.end(), has_long_lists);
}

// What the program warns of, each with how often it happened.
ordered_json warnings_of(const impact::Trajectory& t) {
  int gains = 0, several = 0, without_moment = 0;
  double gained = 0;
  for (const impact::Event& e : t.events) {
    const auto hit = std::find_if(e.hits.begin(), e.hits.end(), [](const auto& h) { return h.impact.energy_gain; });
    if (hit != e.hits.end()) {
      ++gains;
      gained += hit->impact.dT;
    }
    several += e.substituted;
    without_moment += e.moment_suppressed;
  }
  ordered_json all = ordered_json::array();
  if (gains) all.push_back({{"kind", "energy_gain"}, {"events", gains}, {"energy", gained}});
  if (several) all.push_back({{"kind", "simultaneous"}, {"events", several}});
  if (without_moment) all.push_back({{"kind", "moment_suppressed"}, {"events", without_moment}});
  if (!t.complete()) all.push_back({{"kind", "stopped"}, {"reason", t.reason}});
  return all;
}

struct Wanted {
  ordered_json keys;  // of the case
  std::string text;
  std::optional<std::size_t> plane;
};

// Throws InputError.
Wanted read_request(std::string_view body) {
  bool deep = false;
  ordered_json request = ordered_json::parse(
      body,
      [&deep](int depth, ordered_json::parse_event_t, ordered_json&) {
        deep = deep || depth > kDeepest;
        return !deep;
      },
      false);
  if (deep) throw InputError("body", "", "is nested too deeply");
  if (!request.is_object()) throw InputError("body", std::string(body.substr(0, 40)), "must be an object in JSON");
  for (const auto& [key, value] : request.items())
    if (key != "case" && key != "plane") throw InputError(key, "", "is not a known key here: there are case and plane");
  if (!request.contains("case")) throw InputError("case", "", "is missing");
  const ordered_json& given = request["case"];
  Wanted wanted;
  wanted.text = given.is_string() ? given.get<std::string>() : lab::lab_case_text(given);
  wanted.keys = given.is_string() ? lab::lab_case_json(wanted.text, kFile) : given;
  if (has_long_lists(wanted.keys))
    throw InputError("case", "",
                     fmt::format("the studio takes lists of up to {} entries; "
                                 "`areia impact run` takes longer ones",
                                 kLongest));
  if (const auto plane = request.find("plane"); plane != request.end() && !plane->is_null()) {
    if (!plane->is_number_unsigned())
      throw InputError("plane", plane->dump().substr(0, 40), "must be the number of an event");
    wanted.plane = plane->get<std::size_t>();
  }
  return wanted;
}

Message run_message(const Wanted& wanted, const std::function<bool()>& enough) {
  lab::LabCase c = lab::parse_lab_case(wanted.text, kFile);
  impact::Options& o = c.options;
  if (o.sample_step > 0 && (o.t_end - c.start.t) / o.sample_step > kMostSamples)
    throw InputError("run.sample_step", fmt::format("{}", o.sample_step),
                     fmt::format("the studio takes up to {} samples; `areia impact run` takes more", kMostSamples));
  o.most_impacts = std::min(o.most_impacts, kMostImpacts);
  o.enough = enough;
  const impact::Trajectory t = impact::simulate(*c.system, c.start, o);

  Message message;
  message.head = {{"title", c.title},
                  {"case", wanted.keys},
                  {"text", c.text},
                  {"keys", keys_json(c)},
                  {"run", lab::run_json(c, t)},
                  {"warnings", warnings_of(t)},
                  {"events", lab::events_json(c, t)},
                  {"arrays", ordered_json::object()}};
  const lab::Table series = lab::series_of(c, t);
  message.head["names"] = series.names;
  for (std::size_t k = 0; k < series.columns.size(); ++k)
    message.add(fmt::format("series {}", k), 1, series.columns[k]);
  const lab::Animation moving = lab::animation_of(c, t);
  message.add("times", 1, moving.t);
  ordered_json shapes = ordered_json::array();
  for (std::size_t k = 0; k < moving.shapes.size(); ++k) {
    const impact::Shape& s = moving.shapes[k].first;
    shapes.push_back({{"name", s.name},
                      {"kind", lab::name(s.kind)},
                      {"radius", s.radius},
                      {"through", {s.a[0], s.a[1], s.b[0], s.b[1]}}});
    message.add(fmt::format("shape {}", k), moving.shapes[k].components(), moving.shapes[k].places);
  }
  message.head["shapes"] = shapes;
  message.head["plane"] = nullptr;
  if (wanted.plane && *wanted.plane < t.events.size())
    if (const auto plane = lab::plane_of(c, t.events[*wanted.plane])) message.head["plane"] = lab::to_json(*plane);
  return message;
}

}  // namespace

Answer lab_choices() {
  ordered_json systems = ordered_json::array(), models = ordered_json::array(), examples = ordered_json::array();
  for (const lab::SystemKind& k : lab::system_kinds()) systems.push_back({{"kind", k.name}, {"text", k.text}});
  for (const impact::ModelInfo& m : impact::all_models()) models.push_back(model_json(m));
  constexpr std::string_view kFolder = "impact/";
  for (const std::string& name : verify::embedded_names())
    if (name.starts_with(kFolder)) {
      const std::string_view text = verify::embedded_file(name);
      const lab::LabCase c = lab::parse_lab_case(text, name);
      examples.push_back({{"name", name.substr(kFolder.size(), name.rfind('.') - kFolder.size())},
                          {"title", c.title},
                          {"case", lab::lab_case_json(text, name)},
                          {"keys", keys_json(c)}});
    }
  return ordered_answer({{"systems", systems}, {"models", models}, {"examples", examples}});
}

Answer lab_run(std::string_view body, const std::function<bool()>& enough) {
  try {
    return {200, "application/octet-stream", run_message(read_request(body), enough).bytes()};
  } catch (const InputError& e) { return problems_answer(e); } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {  // an integrator that finds no step, a root that is none
    return ordered_answer({{"error", fmt::format("this motion cannot be computed: {}", e.what())}}, 422);
  }
}

}  // namespace areia::studio
