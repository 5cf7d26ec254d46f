// Keys of their cases in which runs differ, and numbers of their results, by which the list of runs can be sorted.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "studio/run_list.h"

namespace areia::studio {

class RunColumns {
 public:
  // {"PATH": {"materials.grain.young": 2e7, "steps": 25000, ..}, ..}: numbers, texts and truth values of the resolved
  // case that are not the same in all runs, and numbers of the summary.
  nlohmann::json of(RunList& runs);

 private:
  struct Known {
    std::filesystem::file_time_type changed;
    std::map<std::string, nlohmann::json> values;
  };
  const std::map<std::string, nlohmann::json>& keys_of(const std::filesystem::path& run);

  std::map<std::string, Known> known_;  // by results folder
};

}  // namespace areia::studio
