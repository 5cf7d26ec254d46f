#include "engine/cpu/block_stages.h"

namespace areia::cpu {
BlockStage rolling_stage(std::string_view law, bool ledger) {
  return stage_of<kRolling>(law, ledger, has_wide_vectors());
}
}  // namespace areia::cpu
