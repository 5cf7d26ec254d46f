// Every rule of a case: values by themselves as their keys declare them, then what they have to do with each other.
#include "scene/rules/validate.h"
#include "areia/case.h"
#include "areia/error.h"
#include "io/schema/schema.h"
#include "observe/measures.h"
#include "observe/watched_value.h"

namespace areia {

std::vector<Problem> validate(const Case& c) {
  Rules values(c);
  io::check_table(io::case_table(), c, values, "");
  check_measures(values);
  check_watched_values(values);
  std::vector<Problem> problems = std::move(values).problems();
  for (Problem& p : check_relations(c)) problems.push_back(std::move(p));
  return problems;
}

}  // namespace areia
