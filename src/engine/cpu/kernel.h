// The contact kernel: every touching pair and wall contact of a chunk that follows one set of laws. Contacts are
// gathered into blocks, and each law runs over a block in one loop: the laws of a kernel are chosen once, when it is
// made.
#pragma once
#include <memory>

#include "engine/cpu/state.h"
#include "physics/interaction.h"

namespace areia::cpu {

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual int history() const = 0;  // numbers kept per contact
  virtual bool counts() const = 0;  // needs the number of contacts of its particles
  // Largest gap that a law of this kernel bridges between particles up to this radius.
  virtual double reach(double largest_radius) const = 0;
  virtual const Interaction& laws_of(std::size_t pair) const = 0;  // an ordered pair of materials of this kernel
  // The laws of an ordered pair of materials, if one of them acts across a gap; else null.
  virtual const Interaction* across_gap(std::size_t pair) const = 0;
  // All pairs of a chunk, and what it meets of the walls. Pairs go first: they bring the particles into the cache.
  virtual void run_pairs(const KernelContext& context, Chunk& chunk, ContactList& list) const = 0;
  virtual void run_walls(const KernelContext& context, Chunk& chunk, ContactList& list,
                         const WallMeetings& walls) const = 0;
  // Energy stored in the springs of a chunk's contacts, added to `energy`.
  virtual void stored(const KernelContext& context, const Chunk& chunk, const ContactList& list,
                      StoredSums& energy) const = 0;
};

// For the laws of `like`; its parameters per material pair are taken from the scene.
std::unique_ptr<Kernel> make_kernel(const Scene& scene, const ContactPair& like, bool ledger, bool periodic);

// Two contact pairs run in one kernel if they have the same types of laws.
bool same_laws(const ContactPair& a, const ContactPair& b);

}  // namespace areia::cpu
