// TOML text of any kind of case file: parsing with our problems, and values set on the command line.
#pragma once
#include <list>
#include <string>
#include <string_view>

#include "io/case/reader.h"

namespace areia::io {

// Throws InputError with the line that is not TOML.
toml::table parse_toml(std::string_view text, const std::string& name);

// Values of `--set path=value` put into a parsed file. Lives as long as problems are to be told.
class Overrides {
 public:
  Overrides(toml::table& root, Reader& reader) : root_(root), reader_(reader) {}
  void apply(const std::string& text);

 private:
  void problem(const std::string& key, const std::string& value, std::string rule);
  toml::table* step(toml::table& parent, const std::string& part, const std::string& path, std::size_t& begin,
                    std::size_t dot);
  void assign(toml::table& parent, const std::string& key, const std::string& path, const std::string& value);

  toml::table& root_;
  Reader& reader_;
  std::list<std::string> texts_;
  std::string why_;  // step() has found no table, where there is more to say than that
};

}  // namespace areia::io
