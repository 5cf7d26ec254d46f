#include "areia/version.h"

namespace areia {
const char* const kVersion = AREIA_VERSION;
}
