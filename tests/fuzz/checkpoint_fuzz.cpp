// libFuzzer target of checkpoints. The first byte chooses: the bytes of a file, which its seal guards; or, behind the
// seal, an archive whose arrays have lost their lengths and values, against a case of two grains and a wall.
#include <algorithm>
#include <cstring>

#include "engine/snapshot.h"
#include "fuzz.h"
#include "io/checkpoints/checkpoint.h"

namespace {

using namespace areia;

const char* const kReals[] = {"particles/x",
                              "particles/v",
                              "particles/w",
                              "particles/q",
                              "particles/radius",
                              "particles/mass",
                              "particles/inv_j",
                              "particles/charge",
                              "particles/force",
                              "particles/torque",
                              "particles/field",
                              "particles/drag",
                              "particles/distant",
                              "particles/friction",
                              "particles/bond_torque",
                              "particles/placed_x",
                              "particles/placed_q",
                              "particles/old_acceleration",
                              "particles/old_turning",
                              "contacts/history",
                              "contacts/place",
                              "bonds/numbers",
                              "bonds/breaks",
                              "walls/numbers",
                              "gravity",
                              "ledger",
                              "implicit/driver"};
const char* const kIntegers[] = {
    "particles/id",       "particles/material", "particles/group",      "particles/set",     "particles/prescribed",
    "particles/contacts", "contacts/i",         "contacts/j",           "contacts/wall",     "contacts/patch",
    "contacts/k",         "contacts/numbers",   "bonds/ends",           "bonds/broken_ends", "bonds/modes",
    "walls/present",      "counters",           "implicit/forces_known"};

Scene two_grains() {
  Scene scene;
  scene.materials.resize(1);
  scene.groups = {"grains"};
  scene.set_motion.resize(1);
  scene.walls.resize(1);
  scene.settings.bonds.resize(1);
  return scene;
}

// A sound state of the scene.
Archive sound(const Scene& scene) {
  Snapshot s;
  SnapshotParticles& p = s.particles;
  p.id = {0, 1};
  for (auto* column : {&p.x, &p.v, &p.w, &p.force, &p.torque}) column->resize(2);
  p.q.resize(2);
  for (auto* column : {&p.radius, &p.mass, &p.inv_j}) column->assign(2, 1);
  for (auto* column : {&p.material, &p.group, &p.set, &p.contacts}) column->assign(2, 0);
  SnapshotContacts& c = s.contacts;
  c.i = {0};
  c.j = {1};
  c.wall = {-1};
  c.patch = c.k = {0};
  c.numbers = {3};
  c.history = {1, 2, 3};
  s.world.walls.resize(scene.walls.size());
  s.world.count.ids = 2;
  Archive a;
  write(std::move(s), a);
  return a;
}

// Four bytes each: which array, what is done to it, where, with which value.
void spoil(Archive& a, const std::uint8_t* data, std::size_t size) {
  const auto change = [&](auto& values, const std::uint8_t* d) {
    const auto value = static_cast<std::int8_t>(d[3]);
    const std::size_t at = d[2];
    switch (d[1] % 5) {
      case 0:
        values.resize(at);
        return;
      case 1:
        if (at < values.size()) values[at] = value;
        return;
      case 2:
        if (at < values.size())
          values[at] = static_cast<std::remove_reference_t<decltype(values[0])>>(1ULL << (d[3] % 63));
        return;
      case 3:
        values.push_back(value);
        return;
      default:
        if (at < values.size()) std::swap(values[at], values[d[3] % values.size()]);
    }
  };
  for (; size >= 4; data += 4, size -= 4) {
    const std::size_t which = data[0] % (std::size(kReals) + std::size(kIntegers));
    if (data[1] >= 250) {
      if (which < std::size(kReals)) a.real.erase(kReals[which]);
      else a.integer.erase(kIntegers[which - std::size(kReals)]);
    } else if (which < std::size(kReals)) {
      change(a.real[kReals[which]], data);
    } else {
      change(a.integer[kIntegers[which - std::size(kReals)]], data);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  static const fuzz::Folder folder;
  static const Scene scene = two_grains();
  static const Archive good = sound(scene);
  return fuzz::expect_typed_errors([&] {
    if (data[0] % 4 == 0) {
      read_checkpoint(folder.write("ck_000000000001.h5", fuzz::text_of(data + 1, size - 1)));
    } else {
      Archive a = good;
      spoil(a, data + 1, size - 1);
      read_snapshot(a, scene);
    }
  });
}
