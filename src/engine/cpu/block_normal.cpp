#include "engine/cpu/block_stages.h"

namespace areia::cpu {
BlockStage normal_stage(std::string_view law, bool ledger) {
  return stage_of<kNormal>(law, ledger, has_wide_vectors());
}
}  // namespace areia::cpu
