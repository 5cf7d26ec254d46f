// What the parts of the Python module share.
#pragma once
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "areia/error.h"
#include "io/case/case_document.h"

namespace areia::python {

namespace py = pybind11;

void add_errors(py::module_& m);
void add_case(py::module_& m);
void add_frame(py::module_& m);
void add_simulation(py::module_& m);
void add_results(py::module_& m);
void add_lab(py::module_& m);

// Values that were given in Python have no line in any file.
inline constexpr const char* kHere = "Python";
std::vector<Problem> told_here(std::vector<Problem> problems);

py::object to_python(const toml::node& node);
py::object to_python(const nlohmann::json& value);

// A time in s, given as a number or as a text with unit. Throws InputError.
double seconds(const py::object& value, const char* key);

}  // namespace areia::python
