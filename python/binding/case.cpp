// Cases: the document that the mapping in python/areia/case.py shows, and what can be told about it without running it.
#include <sstream>

#include "areia/simulation.h"
#include "binding.h"
#include "case_of.h"
#include "engine/prepare.h"
#include "io/case/located.h"
#include "scene/rules/doubts.h"

namespace areia::python {

using io::CaseDocument;
using Path = CaseDocument::Path;

py::object to_python(const toml::node& node) {
  if (const toml::table* table = node.as_table()) {
    py::dict out;
    for (const auto& [key, value] : io::in_file_order(*table)) out[py::str(key)] = to_python(*value);
    return out;
  }
  if (const toml::array* array = node.as_array()) {
    py::list out;
    for (const toml::node& value : *array) out.append(to_python(value));
    return out;
  }
  if (const auto* v = node.as_string()) return py::str(v->get());
  if (const auto* v = node.as_boolean()) return py::bool_(v->get());
  if (const auto* v = node.as_integer()) return py::int_(v->get());
  if (const auto* v = node.as_floating_point()) return py::float_(v->get());
  return py::none();  // dates, which no case has
}

namespace {

const toml::node& node_at(const CaseDocument& d, const Path& path) {
  const toml::node* node = d.find(path);
  if (!node) throw py::key_error(path.empty() ? "" : path.back());
  return *node;
}

std::vector<std::string> keys(const CaseDocument& d, const Path& path) {
  std::vector<std::string> names;
  if (const toml::table* table = node_at(d, path).as_table())
    for (const auto& [key, value] : io::in_file_order(*table)) names.push_back(key);
  return names;
}

const char* kind(const CaseDocument& d, const Path& path) {
  const toml::node* node = d.find(path);
  return !node ? "" : node->is_table() ? "table" : node->is_array() ? "array" : "value";
}

std::size_t size(const CaseDocument& d, const Path& path) {
  const toml::node& node = node_at(d, path);
  return node.is_table() ? node.as_table()->size() : node.is_array() ? node.as_array()->size() : 0;
}

// What `areia check --skip-packings` finds.
std::vector<Problem> problems(const CaseDocument& d) {
  const py::gil_scoped_release free;
  try {
    const ReadCase read(d);
    const Case& c = read.settings;
    located(read.places, [&] {
      if (needs_preparation(c) && c.numerics.collisions == Collisions::hard) return;  // nothing to place
      const Simulation s(needs_preparation(c) ? without_packings(c) : c);
    });
  } catch (const InputError& e) { return told_here(e.problems); }
  return {};
}

std::vector<std::string> warnings(const CaseDocument& d) {
  const py::gil_scoped_release free;
  const ReadCase read(d);
  std::vector<std::string> all = doubts(read.settings);
  for (const std::string& table : read.places.unused) all.push_back(table + " is used by no two things that can meet");
  return all;
}

}  // namespace

void add_case(py::module_& m) {
  py::class_<CaseDocument, std::shared_ptr<CaseDocument>>(m, "CaseDocument", "A case file in memory.")
      .def(py::init<std::string, std::string>(), py::arg("text"), py::arg("name"))
      .def_static(
          "read", [](const std::string& file) { return std::make_shared<CaseDocument>(io::read_case_text(file)); },
          py::arg("file"))
      .def("copy", [](const CaseDocument& d) { return std::make_shared<CaseDocument>(d); })
      .def_property_readonly("name", &CaseDocument::name)
      .def("kind", &kind, py::arg("path"), "\"table\", \"array\", \"value\", or \"\" where there is nothing")
      .def("keys", &keys, py::arg("path"))
      .def("size", &size, py::arg("path"))
      .def(
          "value", [](const CaseDocument& d, const Path& path) { return to_python(node_at(d, path)); }, py::arg("path"))
      .def("assign", &CaseDocument::assign, py::arg("path"), py::arg("value"))
      .def("insert", &CaseDocument::insert, py::arg("path"), py::arg("value"))
      .def("erase", &CaseDocument::erase, py::arg("path"))
      .def("set", &CaseDocument::set, py::arg("assignment"))
      .def("text", &CaseDocument::text)
      .def("complete_text",
           [](const CaseDocument& d) {
             const py::gil_scoped_release free;
             return to_toml(ReadCase(d).settings);
           })
      .def("problems", &problems)
      .def("warnings", &warnings);
  m.def("starter_case", &starter_case);
  m.def("json_schema", &json_schema);
}

}  // namespace areia::python
