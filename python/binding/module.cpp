// The compiled part of the Python module. What users see is the package around it, in python/areia.
#include <filesystem>
#include <system_error>

#include "areia/version.h"
#include "binding.h"
#include "core/units.h"

namespace areia::python {

std::vector<Problem> told_here(std::vector<Problem> problems) {
  for (Problem& p : problems)
    if (p.file == io::kOverrideFile || p.file == kHere) {
      p.file = kHere;
      p.line = 0;
    }
  return problems;
}

double seconds(const py::object& value, const char* key) {
  if (!py::isinstance<py::str>(value)) return value.cast<double>();
  const auto text = value.cast<std::string>();
  std::string error;
  const std::optional<double> time = parse_quantity(text, "s", error);
  if (!time) throw InputError(key, text, error);
  return *time;
}

py::object to_python(const nlohmann::json& value) {
  using Type = nlohmann::json::value_t;
  switch (value.type()) {
    case Type::object: {
      py::dict out;
      for (const auto& [key, one] : value.items()) out[py::str(key)] = to_python(one);
      return out;
    }
    case Type::array: {
      py::list out;
      for (const auto& one : value) out.append(to_python(one));
      return out;
    }
    case Type::string:
      return py::str(value.get<std::string>());
    case Type::boolean:
      return py::bool_(value.get<bool>());
    case Type::number_integer:
    case Type::number_unsigned:
      return py::int_(value.get<std::int64_t>());
    case Type::number_float:
      return py::float_(value.get<double>());
    default:
      return py::none();
  }
}

namespace {

// The classes are written in Python, where they have their place in the hierarchy of its exceptions.
void raise(const char* type, const std::string& what, const py::object& problems = {}) {
  const py::object error = py::module_::import("areia.errors").attr(type);
  const py::object raised = problems ? error(what, problems) : error(what);
  PyErr_SetObject(error.ptr(), raised.ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(std::move(thrown));
  } catch (const InputError& e) {
    const InputError here(told_here(e.problems));
    raise("InputError", here.what(), py::cast(here.problems));
  } catch (const StoppedError& e) { raise("StoppedError", e.what()); } catch (const FileError& e) {
    raise("FileError", e.what());
  } catch (const Error& e) { raise("Error", e.what()); } catch (const std::filesystem::filesystem_error& e) {
    raise("FileError", e.what());
  } catch (const std::system_error& e) {
    if (e.code() != std::errc::resource_unavailable_try_again) throw;
    raise("StoppedError", std::string("the system gives no more threads: ") + e.what());
  }
}

}  // namespace

void add_errors(py::module_& m) {
  py::class_<Problem>(m, "Problem",
                      "One broken rule of an input: where it stands, what was written, which rule it breaks.")
      .def_readonly("file", &Problem::file, "of the case; \"Python\" for a value that was set there")
      .def_readonly("line", &Problem::line, "from 1; 0 where there is none")
      .def_readonly("key", &Problem::key, "full path, such as materials.grain.young")
      .def_readonly("value", &Problem::value, "as written")
      .def_readonly("rule", &Problem::rule, "the rule and, where possible, what would be right")
      .def("__str__", [](const Problem& p) { return to_string(p); })
      .def("__repr__", [](const Problem& p) { return "<Problem " + to_string(p) + ">"; });
  py::register_exception_translator(&translate);
}

}  // namespace areia::python

PYBIND11_MODULE(_areia, m) {
  using namespace areia::python;
  m.doc() = "The compiled part of areia.";
  m.attr("version") = areia::kVersion;
  add_errors(m);
  add_case(m);
  add_frame(m);
  add_simulation(m);
  add_results(m);
  add_lab(m);
}
