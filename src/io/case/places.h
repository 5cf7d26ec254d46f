// Finding the line of a key that is known by its path only.
#pragma once
#include <map>
#include <optional>
#include <string>

#include "areia/case_file.h"

namespace areia::io {

// Follows aliases as long as the key itself was not written: contacts.grain-floor.normal.xi may be inherited from
// contacts.grain-grain, and that from contacts.default. Changes `key` to the one that was found.
template <class Find>
std::optional<KeyPlace> chase(std::string& key, const std::map<std::string, std::string>& aliases, const Find& find) {
  for (std::size_t hops = 0; hops <= aliases.size(); ++hops) {
    if (auto place = find(key)) return place;
    auto alias = aliases.end();
    std::size_t end = key.size();
    while (alias == aliases.end() && end != std::string::npos && end > 0) {
      alias = aliases.find(key.substr(0, end));
      if (alias == aliases.end()) end = key.rfind('.', end - 1);
    }
    if (alias == aliases.end()) return std::nullopt;
    key = alias->second + key.substr(end);
  }
  return std::nullopt;
}

// `find` gives the place of a key, if it was written.
template <class Find>
void locate_key(Problem& p, const std::map<std::string, std::string>& aliases, const Find& find) {
  if (!p.file.empty()) return;
  // Where the key is not there, the table in which it is missing.
  for (std::size_t end = p.key.size(); end != std::string::npos && end > 0; end = p.key.rfind('.', end - 1)) {
    std::string key = p.key.substr(0, end);
    const std::optional<KeyPlace> at = chase(key, aliases, find);
    if (!at) continue;
    if (end == p.key.size() && !at->value.empty()) p.value = at->value;
    p.key = key + p.key.substr(end);
    p.file = at->file;
    p.line = at->line;
    return;
  }
}

}  // namespace areia::io
