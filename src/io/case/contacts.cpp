#include "io/case/contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/suggest.h"
#include "io/schema/schema.h"
#include "physics/law_info.h"
#include "scene/material_library.h"
#include "scene/meeting_pairs.h"

namespace areia::io {
namespace {

constexpr int kLongestLikeChain = 50;

struct Slot {
  const char* name;
  LawChoice ContactPair::*choice;
};
constexpr std::array<Slot, 6> kSlots{{{"normal", &ContactPair::normal},
                                      {"tangential", &ContactPair::tangential},
                                      {"rolling", &ContactPair::rolling},
                                      {"twisting", &ContactPair::twisting},
                                      {"adhesion", &ContactPair::adhesion},
                                      {"impact", &ContactPair::impact}}};

std::vector<std::string> split_words(std::string_view words) {
  std::vector<std::string> all;
  for (;;) {
    const std::size_t bar = words.find('|');
    all.emplace_back(words.substr(0, bar));
    if (bar == std::string_view::npos) return all;
    words.remove_prefix(bar + 1);
  }
}

const LawInfo* find_law(std::string_view slot, std::string_view name) {
  for (const LawInfo& law : all_laws())
    if (law.slot == slot && law.name == name) return &law;
  return nullptr;
}

void read_law(const std::string& slot, LawChoice& choice, const toml::node& node, Reader& reader,
              const std::string& path) {
  std::vector<std::string> laws{"none"};
  for (const LawInfo& law : all_laws())
    if (law.slot == slot) laws.emplace_back(law.name);

  const toml::table* table = node.as_table();
  const toml::node* law_node = table ? table->get("law") : &node;
  if (!table && !node.is_string())
    return reader.problem(node, path, fmt::format("must be a table such as {{ law = \"{}\" }}", laws.back()));
  if (law_node) {
    const std::string law_path = table ? path + ".law" : path;
    reader.remember(law_path, *law_node);
    const auto index = reader.word(*law_node, law_path, laws);
    if (!index) return;
    if (choice.law != laws[*index]) choice = {laws[*index], {}, {}};
  }
  if (!table) return;
  if (choice.law.empty() && laws.size() == 2) choice.law = laws.back();  // there is only one
  if (choice.law.empty()) return reader.problem(node, path + ".law", "is missing: the name of the law");
  const LawInfo* law = find_law(slot, choice.law);

  for (const auto& [key, value] : in_file_order(*table)) {
    if (key == "law") continue;
    const std::string value_path = path + "." + key;
    const ParameterInfo* parameter = nullptr;
    std::vector<std::string> known{"law"};
    if (law)
      for (const ParameterInfo& p : law->parameters) {
        known.emplace_back(p.name);
        if (key == p.name) parameter = &p;
      }
    if (!parameter) {
      reader.problem(*value, value_path,
                     fmt::format("unknown parameter of the law `{}`{}", choice.law, suggestion(key, known)));
      continue;
    }
    reader.remember(value_path, *value);
    // An inherited value gives way to the parameter that stands in its place.
    if (*parameter->instead && !table->contains(parameter->instead)) choice.numbers.erase(parameter->instead);
    if (*parameter->words) {
      const std::vector<std::string> words = split_words(parameter->words);
      if (const auto index = reader.word(*value, value_path, words)) choice.words[key] = words[*index];
    } else if (const auto v = reader.number(*value, value_path, parameter->unit, {parameter->min, parameter->max})) {
      choice.numbers[key] = *v;
    }
  }
}

// Writes the defaults of a law out, except where another parameter stands in the place of one.
void fill_presets(const std::string& slot, LawChoice& choice) {
  if (choice.law.empty()) choice.law = "none";
  const LawInfo* law = find_law(slot, choice.law);
  if (!law) return;
  for (const ParameterInfo& p : law->parameters) {
    if (*p.words) choice.words.try_emplace(p.name, split_words(p.words).front());
    else if (!std::isnan(p.preset) && !choice.numbers.contains(p.instead)) choice.numbers.try_emplace(p.name, p.preset);
  }
}

// (a, b) and (b, a) are the same pair.
std::string canonical(const std::string& key) {
  const std::size_t dash = key.find('-');
  if (dash == std::string::npos) return key;
  const std::string a = key.substr(0, dash), b = key.substr(dash + 1);
  return a <= b ? a + "-" + b : b + "-" + a;
}

class ContactTables {
 public:
  ContactTables(const Case& c, Reader& reader) : reader_(reader) {
    if (!reader.contacts) return;
    const toml::table* all = reader.table(*reader.contacts, "contacts");
    if (!all) return;
    for (const auto& [key, node] : in_file_order(*all)) {
      const std::string path = "contacts." + key;
      reader.remember(path, *node);
      const toml::table* table = reader.table(*node, path);
      if (!table || !check_key(c, key, path, *node)) continue;
      if (!tables_.try_emplace(canonical(key), Entry{key, table, {}}).second)
        reader.problem(*node, path, "this pair has a table already");
    }
    for (auto& [name, entry] : tables_) resolve(entry, 0);
  }

  // Tables that no pair has asked for, and no other table is like.
  void tell_unused() const {
    for (const auto& [name, entry] : tables_)
      if (!entry.used) reader_.unused.push_back("contacts." + entry.key);
  }

  // The pair's laws, from its own table or the first of the others that exists.
  bool find(const std::string& key, const std::vector<std::string>& others, ContactPair& pair) {
    auto found = tables_.find(canonical(key));
    for (const std::string& other : others)
      if (found == tables_.end()) found = tables_.find(canonical(other));
    if (found == tables_.end()) return false;
    found->second.used = true;
    for (const Slot& slot : kSlots) {
      pair.*slot.choice = found->second.pair.*slot.choice;
      fill_presets(slot.name, pair.*slot.choice);
    }
    pair.table.name = found->second.key;
    if (found->second.broken) reader_.excuse("contacts." + key);
    if (found->second.key != key) reader_.alias("contacts." + key, "contacts." + found->second.key);
    return true;
  }

 private:
  enum class State { unread, reading, done };
  struct Entry {
    std::string key;  // as written
    const toml::table* table;
    ContactPair pair;
    State state = State::unread;
    bool broken = false;  // it, or a table it is like, could not be read
    bool used = false;
  };

  bool check_key(const Case& c, const std::string& key, const std::string& path, const toml::node& node) {
    if (key == "default") return true;
    const std::size_t dash = key.find('-');
    if (dash == std::string::npos || key.find('-', dash + 1) != std::string::npos) {
      reader_.problem(node, path, "must be named after two materials, as [contacts.grain-wall], or `default`");
      return false;
    }
    bool good = true;
    for (const std::string& name : {key.substr(0, dash), key.substr(dash + 1)}) {
      if (!good ||
          std::any_of(c.materials.begin(), c.materials.end(), [&](const Material& m) { return m.name == name; }))
        continue;
      good = false;
      std::vector<std::string> known;
      for (const Material& m : c.materials) known.push_back(m.name);
      std::string hint = suggestion(name, known);
      for (const Wall& w : c.walls)
        if (w.name == name && !w.material.empty())
          hint = fmt::format("; the wall `{}` is made of `{}`, use that name", name, w.material);
      reader_.problem(node, path, fmt::format("there is no material or rigid wall `{}`{}", name, hint));
    }
    return good;
  }

  void resolve(Entry& entry, int depth) {
    if (entry.state == State::done) return;
    entry.state = State::reading;
    const std::string path = "contacts." + entry.key;
    if (const toml::node* like = entry.table->get("like")) {
      reader_.remember(path + ".like", *like);
      if (const auto other = reader_.text(*like, path + ".like")) inherit(entry, *like, *other, depth);
    }
    if (const toml::node* library = entry.table->get("library")) {
      reader_.remember(path + ".library", *library);
      if (const auto name = reader_.text(*library, path + ".library")) use_library(entry, *library, *name);
    }
    for (const auto& [key, node] : in_file_order(*entry.table)) {
      const std::string& name = key;  // a structured binding cannot be captured
      const auto slot = std::find_if(kSlots.begin(), kSlots.end(), [&](const Slot& s) { return s.name == name; });
      if (slot != kSlots.end()) {
        reader_.remember(path + "." + key, *node);
        read_law(slot->name, entry.pair.*(slot->choice), *node, reader_, path + "." + key);
      } else if (key != "like" && key != "library") {
        reader_.problem(*node, path + "." + key,
                        "unknown key" + suggestion(key, {"like", "library", "normal", "tangential", "rolling",
                                                         "twisting", "adhesion", "impact"}));
      }
    }
    entry.state = State::done;
  }

  // Restitution and friction of a pair, in the usual laws; what stands beside `library` comes after it.
  void use_library(Entry& entry, const toml::node& node, const std::string& name) {
    const std::size_t dash = name.find('-');
    const LibraryPair* pair =
        dash == std::string::npos ? nullptr : find_library_pair(name.substr(0, dash), name.substr(dash + 1));
    if (!pair) {
      std::vector<std::string> known;
      for (const LibraryPair& p : library_pairs()) known.push_back(p.name());
      entry.broken = true;
      return reader_.problem(
          node, "contacts." + entry.key + ".library",
          fmt::format("the library has no such pair{}; areia materials lists them", suggestion(name, known)));
    }
    entry.pair.normal = {"hertz", {{"restitution", pair->restitution}}, {}};
    entry.pair.tangential = {"coulomb_history", {{"mu", pair->friction}}, {}};
  }

  void inherit(Entry& entry, const toml::node& node, const std::string& other, int depth) {
    const std::string path = "contacts." + entry.key + ".like";
    const auto base = tables_.find(canonical(other));
    entry.broken = true;
    if (base == tables_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, e] : tables_) known.push_back(e.key);
      return reader_.problem(node, path, "there is no such contact table" + suggestion(other, known));
    }
    if (base->second.state == State::reading) return reader_.problem(node, path, "refers back to this table");
    if (depth >= kLongestLikeChain) return reader_.problem(node, path, "the chain of `like` is too long");
    resolve(base->second, depth + 1);
    base->second.used = true;
    entry.broken = base->second.broken;
    entry.pair = base->second.pair;
    reader_.alias("contacts." + entry.key, "contacts." + base->second.key);
  }

  Reader& reader_;
  std::map<std::string, Entry> tables_;
};

}  // namespace

void resolve_contacts(Case& c, Reader& reader) {
  ContactTables tables(c, reader);
  for (const MeetingPair& m : meeting_pairs(c)) {
    ContactPair pair;
    pair.a = m.a;
    pair.b = m.b;
    std::vector<std::string> others{"default"};
    if (m.with_wall) others.push_back(m.a + "-" + m.a);
    if (tables.find(m.a + "-" + m.b, others, pair)) c.contacts.push_back(std::move(pair));
  }
  tables.tell_unused();
}

bool uses_table(const ContactPair& pair, const std::string& table) {
  return canonical(table) == canonical(pair.table.name) || canonical(table) == canonical(pair.a + "-" + pair.b);
}

bool set_parameters(Case& c, const std::string& table, const std::string& slot, const toml::table& parameters,
                    Reader& reader) {
  const auto at = std::find_if(kSlots.begin(), kSlots.end(), [&](const Slot& s) { return s.name == slot; });
  if (at == kSlots.end()) {
    std::vector<std::string> known;
    for (const Slot& s : kSlots) known.emplace_back(s.name);
    reader.problems.push_back(
        {"", 0, slot, "", fmt::format("is no part of a contact table{}", suggestion(slot, known))});
    return true;
  }
  bool any = false;
  for (ContactPair& pair : c.contacts) {
    if (!uses_table(pair, table)) continue;
    const std::size_t before = reader.problems.size();
    read_law(slot, pair.*(at->choice), parameters, reader, "contacts." + table + "." + slot);
    any = true;
    if (reader.problems.size() > before) break;  // the other pairs would say the same
  }
  return any;
}

}  // namespace areia::io
