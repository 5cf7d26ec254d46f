// Contact tables: [contacts.A-B] with `like`, [contacts.default], and the order in which a pair finds its table: its
// own; for a particle and a wall that of the particle's material with itself; the default.
#pragma once
#include "areia/case.h"
#include "io/case/reader.h"

namespace areia::io {

// Fills c.contacts with one entry for every pair of materials that can meet. Materials, particles and walls must have
// been read, and rigid walls must have their materials.
void resolve_contacts(Case& c, Reader& reader);

// Whether the pair has its laws from this table, or would have them from it if it were there.
bool uses_table(const ContactPair& pair, const std::string& table);

// Other values of parameters of one slot, for all pairs that use this table. False: there are none.
bool set_parameters(Case& c, const std::string& table, const std::string& slot, const toml::table& parameters,
                    Reader& reader);

}  // namespace areia::io
