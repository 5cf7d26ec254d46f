// A case of the impact lab as JSON of the same shape, {"model": "kane", "params": {"e": 1}, "system": {...}}, for pages
// and programs; its text in TOML is what is read, whoever asks.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "io/case/reader.h"

namespace areia::lab {

// Throws InputError for what TOML cannot say: null, no object at the top, tables more than a few deep.
std::string lab_case_text(const nlohmann::ordered_json& value);
// The keys in the order of the text. Throws InputError for text that is not TOML.
nlohmann::ordered_json lab_case_json(std::string_view text, const std::string& name);
nlohmann::ordered_json to_json(const toml::node& node);

}  // namespace areia::lab
