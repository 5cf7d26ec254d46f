// What the datasets of a checkpoint are, for those who open one with other programs: units, columns, meaning. They
// stand beside the data as attributes.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace areia {

struct ArrayDescription {
  std::string_view name;     // one that ends with '.' or '[' stands for all that begin with it
  std::string_view unit;     // SI; "1": a number without one, or an index; "": by column
  std::string_view columns;  // names, separated by ", "; "": a row is one number
  std::string_view meaning;

  std::size_t column_count() const;  // at least 1
};

// Of an array or text of an Archive by its name; of one that is not listed, all but the name is empty.
const ArrayDescription& description_of(std::string_view name);

}  // namespace areia
