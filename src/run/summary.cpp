#include "run/summary.h"

#include <nlohmann/json.hpp>

#include "io/files/atomic_file.h"

namespace areia {

void write_summary(const std::filesystem::path& path, const nlohmann::json& summary) {
  // Names come from users: bytes that are not UTF-8 are replaced, not thrown at.
  write_file_atomically(path, summary.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace areia
