// Keys of the generators: gradings, `fill` and `stream` of [particles.NAME].
#pragma once
#include "io/schema/schema.h"

namespace areia::io {

Key<RadiusDistribution> shares_key(std::string name, RadiusDistribution::Kind kind);
const Table<RandomAddition>& fill_table();
const Table<Stream>& stream_table();

}  // namespace areia::io
