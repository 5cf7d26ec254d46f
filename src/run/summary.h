// summary.json of a results folder: how the run ended, in numbers.
#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace areia {

void write_summary(const std::filesystem::path& path, const nlohmann::json& summary);  // atomic; throws FileError

}  // namespace areia
