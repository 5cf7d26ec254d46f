// W lanes of a block of contacts as packs: what the loops over blocks read and write.
#pragma once
#include "core/pack.h"
#include "engine/cpu/contact_block.h"

namespace areia::cpu {

template <int W>
struct BlockLanes {
  using T = Pack<W>;
  ContactBlock& block;
  double (*history)[kBlock];
  int k;  // the first lane

  T load(int c) const { return T::load(&block.of[c][k]); }
  Vec3<T> load3(int c) const { return {load(c), load(c + 1), load(c + 2)}; }
  void store(int c, const T& a) const { a.store(&block.of[c][k]); }
  void store3(int c, const Vec3<T>& a) const {
    store(c, a.x);
    store(c + 1, a.y);
    store(c + 2, a.z);
  }
  T kept(int h) const { return T::load(&history[h][k]); }
  void keep(int h, const T& a) const { a.store(&history[h][k]); }

  template <class Law, Slot slot>
  void recall(int scalar, int vector, SlotMemory<Law, slot, T>& memory) const {
    for (T& s : memory.scalar) s = kept(scalar++);
    for (T& s : memory.own.scalar) s = kept(scalar++);
    auto take = [&](Vec3<T>& a) {
      a = {kept(vector), kept(vector + 1), kept(vector + 2)};
      vector += 3;
    };
    for (Vec3<T>& a : memory.vector) take(a);
    for (Vec3<T>& a : memory.own.vector) take(a);
  }
  template <class Law, Slot slot>
  void remember(int scalar, int vector, const SlotMemory<Law, slot, T>& memory) const {
    for (const T& s : memory.scalar) keep(scalar++, s);
    for (const T& s : memory.own.scalar) keep(scalar++, s);
    auto put = [&](const Vec3<T>& a) {
      keep(vector, a.x);
      keep(vector + 1, a.y);
      keep(vector + 2, a.z);
      vector += 3;
    };
    for (const Vec3<T>& a : memory.vector) put(a);
    for (const Vec3<T>& a : memory.own.vector) put(a);
  }
};

}  // namespace areia::cpu
