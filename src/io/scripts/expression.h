// Formulas of LAMMPS and LIGGGHTS scripts, as `variable NAME equal` and $(...) have them: numbers, constants,
// arithmetic, comparisons, functions of numbers, and variables as v_NAME. What follows from the state of a run
// (computes, fixes, thermodynamic keywords, functions of groups) has no value before it.
#pragma once
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace areia::io {

struct NoValue : std::runtime_error {  // the message tells what has none
  using std::runtime_error::runtime_error;
};

// The value of a word that stands for a number: v_NAME, or a keyword such as dt. Throws NoValue.
using NamedValue = std::function<double(const std::string& name)>;

// Throws NoValue.
double evaluate(std::string_view formula, const NamedValue& named);

}  // namespace areia::io
