// What the page can do beside looking: edit cases, start, pause and resume runs, take a copy of an example.
//
//   GET  /api/cases                          case files below the folder, JSON
//   GET  /api/file?case=PATH                 {"text", "version"}
//   GET  /api/schema                         the JSON Schema of case files
//   GET  /api/starter                        a small case to begin with, text
//   GET  /api/examples                       [{"name", "title", "text"}]
//   GET  /api/example_picture?name=NAME      its picture, PNG
//   GET  /api/columns                        keys in which the cases of runs differ, and results, for the list of runs
//   POST /api/save    {"case", "text", "version"}   writes it: {"version"}; 409 where the file has changed
//   POST /api/check   {"case", "text"}       what is wrong with it, what would be chosen, the scene: a Message
//   POST /api/example {"name"}               copies it into a new folder: {"case"}
//   POST /api/start   {"case"}               into a new results folder beside the case: {"run"}
//   POST /api/stop    {"run"}                with a checkpoint
//   POST /api/resume  {"run", "extend"}      from its last checkpoint; `extend` ("2 s") is optional
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "studio/answer.h"
#include "studio/case_files.h"
#include "studio/processes.h"
#include "studio/run_columns.h"
#include "studio/run_list.h"

namespace areia::studio {

class Control {
 public:
  explicit Control(RunList& runs) : runs_(runs), files_(runs.folder()) {}

  static bool knows(const std::string& path);  // GET or POST
  static bool takes(const std::string& path);  // POST
  Answer answer(const Target& target);
  // Does not touch anything of this object that changes: may be called beside `answer`.
  Answer check(const Target& target) const;
  // The case that a run was made from, by its path; "" where it does not lie beside it. Results of `dam.toml` are in
  // `dam.out`, or in `dam-2.out` and so on.
  std::string case_of(const std::string& run) const;

  void look_after_processes() { processes_.reap(); }

 private:
  Answer get(const Target& target);
  Answer cases() const;
  Answer file(const std::string& path) const;
  Answer save(const nlohmann::json& body);
  Answer copy_example(const std::string& name);
  Answer start(const std::string& path);
  Answer stop(const std::string& path);
  Answer resume(const nlohmann::json& body);

  RunList& runs_;
  CaseFiles files_;
  Processes processes_;
  RunColumns columns_;
};

}  // namespace areia::studio
