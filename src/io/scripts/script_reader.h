// The commands of a LAMMPS or LIGGGHTS script, one after the other: lines joined at `&`, comments left out, variables
// put in, other scripts included, quotes removed.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/scripts/expression.h"

namespace areia::io {

struct Command {
  std::string file;
  int line = 0;                    // of its beginning
  std::string text;                // as written, on one line
  std::vector<std::string> words;  // with variables put in
  std::string trouble;             // why it cannot be understood; "": it can
  std::size_t number = 0;          // among the commands
};

// The content of a file that a script names, or why it cannot be had.
using ReadText = std::function<std::optional<std::string>(const std::filesystem::path& file, std::string& why)>;

class ScriptReader {
 public:
  // `variables` are those of the command line; a script does not give them other values by `index`.
  ScriptReader(std::string text, std::string file, const std::map<std::string, std::string>& variables, ReadText read);

  // Commands `variable` and `include` come only when there is trouble with them.
  std::optional<Command> next();

  // A keyword of formulas that has a value before the run, such as dt.
  void set_keyword(const std::string& name, double value) { keywords_[name] = value; }
  // Of a variable that stands for a number. Throws NoValue.
  double value_of(const std::string& variable) {
    depth_ = 0;
    return value(variable);
  }

 private:
  struct Source {
    std::string file, text;
    std::size_t at = 0;
    int line = 0;
  };
  struct Variable {
    bool is_formula = false, by_index = false;
    std::string text;
  };

  bool logical_line(Command& c, std::string& line);
  std::string substituted(std::string_view line);
  std::string text_of(const std::string& variable);
  double value(const std::string& variable);
  double named_value(const std::string& name);
  void define(Command& c);
  void include(Command& c);

  std::vector<Source> sources_;  // the script, and those that are being included
  std::map<std::string, Variable> variables_;
  std::map<std::string, double> keywords_;
  ReadText read_;
  std::size_t included_ = 0, evaluated_ = 0, depth_ = 0;
};

}  // namespace areia::io
