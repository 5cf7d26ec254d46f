// A case file in memory that is changed key by key and then read: what a program edits that has no file. What was not
// changed keeps its line, so that problems are told as those of the file are.
#pragma once
#include <list>
#include <string>
#include <vector>

#include "areia/case_file.h"
#include "io/case/case_tree.h"
#include "io/case/toml_text.h"

namespace areia::io {

class CaseDocument {
 public:
  using Path = std::vector<std::string>;  // keys; elements of arrays by their number, from 0

  CaseDocument(std::string text, std::string name);  // throws InputError for what is not TOML
  explicit CaseDocument(const CaseText& text) : CaseDocument(text.text, text.name) {}
  CaseDocument(const CaseDocument& other);
  CaseDocument& operator=(const CaseDocument&) = delete;

  const std::string& name() const { return name_; }
  const toml::node* find(const Path& path) const;  // null where there is none

  // `value` is TOML. New keys come after those that are there, in the order in which they are given; of an array,
  // assign() replaces an element, and insert() puts one before it or behind the last. Throws InputError.
  void assign(const Path& path, const std::string& value) { change({Change::Kind::assign, path, value}); }
  void insert(const Path& path, const std::string& value) { change({Change::Kind::insert, path, value}); }
  void erase(const Path& path) { change({Change::Kind::erase, path, ""}); }
  void set(const std::string& assignment) { change({Change::Kind::set, {}, assignment}); }  // as given to --set

  Case read(KeyPlaces* places = nullptr) const;
  // As it is now, in the order of its keys; comments are not kept.
  std::string text() const;

 private:
  struct Change {
    enum class Kind { assign, insert, erase, set } kind;
    Path path;
    std::string value;
  };
  void change(Change c);
  void put(const Change& c, toml::node& parent);

  std::string name_, text_;
  toml::table root_;
  Reader sources_;
  Overrides overrides_{root_, sources_};
  std::list<std::string> texts_;  // of values that were given later
  std::vector<Change> changes_;   // a copy makes them again: copied nodes forget their lines
};

}  // namespace areia::io
