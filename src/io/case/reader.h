// Reads values out of a parsed TOML tree: converts, checks, and remembers where every key stands, so that later
// checks, which know only key paths, can be told with file and line.
#pragma once
#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/vec3.h"
#include "core/range.h"

namespace areia::io {

class Reader {
 public:
  explicit Reader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Text of a source, so that values can be quoted as written; `path` is the pointer that its nodes carry.
  void add_source(const toml::source_path_ptr& path, std::string_view text);

  KeyPlace place(const toml::node& node) const;
  void remember(const std::string& path, const toml::node& node) { places_[path] = &node; }
  bool knows(const std::string& path) const { return places_.contains(path); }
  void problem(const toml::node& node, std::string key, std::string rule);

  // Values. Nothing is returned after a problem was noted.
  std::optional<double> number(const toml::node& node, const std::string& path, const std::string& unit,
                               const Range& range, const std::string& word = "", double word_value = 0);
  std::optional<std::int64_t> integer(const toml::node& node, const std::string& path, const Range& range,
                                      const std::string& word = "", std::int64_t word_value = 0);
  std::optional<bool> boolean(const toml::node& node, const std::string& path);
  std::optional<std::string> text(const toml::node& node, const std::string& path);
  std::optional<Vec3d> vector(const toml::node& node, const std::string& path, const std::string& unit);
  // Index into `words`.
  std::optional<std::size_t> word(const toml::node& node, const std::string& path,
                                  const std::vector<std::string>& words);
  std::vector<std::string> texts(const toml::node& node, const std::string& path);
  const toml::table* table(const toml::node& node, const std::string& path, const std::string& what = "a table");

  // Gives a problem found by key only the place of that key, or of its nearest enclosing table.
  void locate(Problem& p) const;
  // Every key with its place.
  KeyPlaces places(const std::string& file) const;
  // `key` and everything below stands for `written` when the key itself was not written (contact pairs, `like`).
  void alias(const std::string& key, const std::string& written) { aliases_[key] = written; }

  // What `key` holds is wrong in a way that was told elsewhere; later complaints about it say nothing new.
  void excuse(std::string key) { excused.push_back(std::move(key)); }

  const std::filesystem::path& folder() const { return folder_; }

  // A file of particles and the time step to take from it: two keys that may come in either order.
  struct ParticleFile {
    const toml::node* name = nullptr;
    std::optional<std::int64_t> step;
  };
  std::map<std::string, ParticleFile> particle_files;  // by the path of the set

  std::vector<Problem> problems;
  std::vector<std::string> excused;
  std::vector<std::string> unused;       // tables that are sound and serve nothing
  const toml::node* contacts = nullptr;  // the contact tables; read last, because they need materials and walls

 private:
  std::filesystem::path folder_;
  std::map<const std::string*, std::vector<std::string_view>> sources_;
  std::map<std::string, const toml::node*> places_;
  std::map<std::string, std::string> aliases_;
};

// Keys of a table in the order of the file; TOML tables are unordered, but particle ids follow the order of the sets.
std::vector<std::pair<std::string, const toml::node*>> in_file_order(const toml::table& table);

// The file name under which problems of command line overrides are reported.
inline constexpr std::string_view kOverrideFile = "--set";

}  // namespace areia::io
