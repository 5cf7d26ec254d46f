// The version of the library.
#pragma once

namespace areia {
extern const char* const kVersion;
}
