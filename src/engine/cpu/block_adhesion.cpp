#include "engine/cpu/block_stages.h"

namespace areia::cpu {
BlockStage adhesion_stage(std::string_view law, bool ledger) {
  return stage_of<kAdhesion>(law, ledger, has_wide_vectors());
}
}  // namespace areia::cpu
