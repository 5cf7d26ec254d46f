// `set` of a stage: keys of the case that have another value from there on.
#pragma once
#include <string>
#include <vector>

#include "areia/case.h"
#include "io/case/reader.h"

namespace areia::io {

// The table as paths and values; what is itself a table belongs to the path.
void read_settings(const toml::table& written, const std::string& prefix, const std::string& path,
                   std::vector<StageSetting>& to, Reader& reader);

// Puts the values into the tables of the case: materials, contacts, fields, fluid, forces. Each problem has the key
// `path`.KEY.
std::vector<Problem> apply_settings(Case& c, const std::vector<StageSetting>& settings, const std::string& path);

// The same with one setting for each pair of materials in place of one for a contact table: a case that is written out
// has a table for each pair.
std::vector<StageSetting> for_each_pair(const Case& c, const std::vector<StageSetting>& settings);

}  // namespace areia::io
