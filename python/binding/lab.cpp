// The impact lab and the verification, as JSON that becomes dictionaries.
#include "lab/results.h"

#include <algorithm>

#include "binding.h"
#include "core/suggest.h"
#include "impact/simulate.h"
#include "impact/solve_text.h"
#include "verify/report.h"
#include "waiting.h"

namespace areia::python {
namespace {

std::string solve(const std::string& text, const std::string& name) {
  const py::gil_scoped_release free;
  std::string answer;
  impact::solve_text(text, name, {}, [&](std::string_view piece) { answer += piece; });
  return answer;
}

// What `areia impact run` writes into its folder.
py::dict run_lab(const std::string& text, const std::string& name, const std::vector<std::string>& set,
                 const std::string& out) {
  nlohmann::json run, events;
  lab::Table series;
  {
    const py::gil_scoped_release free;
    lab::LabCase c = lab::parse_lab_case(text, name, set);
    const impact::Trajectory t = impact::simulate(*c.system, c.start, c.options);
    if (!out.empty()) lab::write_results(out, c, t);
    run = lab::run_json(c, t);
    events = lab::events_json(c, t);
    series = lab::series_of(c, t);
  }
  py::dict out_dict, columns;
  for (std::size_t k = 0; k < series.names.size(); ++k) columns[py::str(series.names[k])] = series.columns[k];
  out_dict["run"] = to_python(run);
  out_dict["events"] = to_python(events);
  out_dict["series"] = columns;
  return out_dict;
}

py::list examples() {
  py::list all;
  for (const verify::Entry& e : verify::entries()) {
    py::dict one;
    one["name"] = e.name;
    one["title"] = e.title;
    one["quick"] = e.quick;
    all.append(one);
  }
  return all;
}

py::object verify_one(const std::string& name, int threads) {
  const std::vector<verify::Entry>& all = verify::entries();
  const auto found = std::find_if(all.begin(), all.end(), [&](const verify::Entry& e) { return e.name == name; });
  if (found == all.end()) {
    std::vector<std::string> known;
    for (const verify::Entry& e : all) known.push_back(e.name);
    throw InputError("verify", name, "no such example" + suggestion(name, known));
  }
  nlohmann::json outcome;
  {
    const py::gil_scoped_release free;
    verify::Options options;
    options.threads = std::max(1, threads);
    outcome = verify::outcome_json(verify::run_entry(*found, options));
  }
  look_at_signals();
  return to_python(outcome);
}

}  // namespace

void add_lab(py::module_& m) {
  m.def("solve_impacts", &solve, py::arg("text"), py::arg("name"));
  m.def("run_lab", &run_lab, py::arg("text"), py::arg("name"), py::arg("set"), py::arg("out"));
  m.def("verify_examples", &examples);
  m.def("verify_one", &verify_one, py::arg("name"), py::arg("threads"));
}

}  // namespace areia::python
