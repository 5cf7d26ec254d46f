// What each collision model tells about itself: coefficients with range and meaning, special cases, guarantees. The
// command `areia impact models`, the checks of input and the manual read these tables.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "areia/error.h"
#include "impact/collision.h"

namespace areia::impact {

struct Coefficient {
  const char* name;       // as in input files: "e", "mu", "emC"
  double Model::*number;  // where it goes; null for a choice of words
  double min, max;        // closed range
  bool required;
  const char* preset;  // what holds when it is not given, for the reader
  const char* text;
  const char* words = "";  // "resisting|source|brach"
};

struct ModelInfo {
  Law law;
  const char* name;
  const char* title;  // "Kane (Whittaker)"
  const char* text;   // the law in one or two sentences
  std::span<const Coefficient> coefficients;
  const char* special_cases;
  const char* guarantees;
  bool never_gains;  // no energy gain at a single contact, for 0 <= e <= 1 and mu >= 0
  bool two_stages, has_moment;
};

std::span<const ModelInfo> all_models();
const ModelInfo& info(Law law);
const ModelInfo* find_model(std::string_view name);  // null when there is none
std::vector<std::string> model_names();

// A coefficient as it was written: a number, or a word.
struct Written {
  double number = 0;
  std::string word;
  bool is_word = false;
};

// From name and coefficients. Problems (unknown name with a suggestion, out of range, missing) are added under the keys
// `key`model and `key`params.mu, so that a caller may collect all of them.
Model make_model(std::string_view name, const std::map<std::string, Written>& params, const std::string& key,
                 std::vector<Problem>& problems);
// The same for a program: throws InputError with all problems.
Model make_model(std::string_view name, const std::map<std::string, double>& params);

// --- the steps of make_model, for readers that go through many -------------------------------------------------------
std::string range_text(const Coefficient& c);  // "from 0 to 1", ">= 0", "none or admissible"
void unknown_model(std::string_view name, const std::string& key, std::vector<Problem>& problems);
void unknown_coefficient(const ModelInfo& model, std::string_view name, std::string_view value, const std::string& key,
                         std::vector<Problem>& problems);
// Checks one value and puts it into the model.
void take(const Coefficient& c, const Written& w, Model& model, const std::string& key, std::vector<Problem>& problems);
// What is missing, or excludes another; bit i of `given` says that coefficients[i] was there.
void check_complete(const ModelInfo& model, unsigned given, const std::string& key, std::vector<Problem>& problems);

}  // namespace areia::impact
