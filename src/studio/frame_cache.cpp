#include "studio/frame_cache.h"

#include <algorithm>

#include "studio/plain_file.h"

namespace areia::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostFrames = 4, kMostBytes = std::size_t{256} << 20;  // one frame is kept whatever its size

std::size_t bytes_of(const Frame& frame) {
  const FrameParticles& p = frame.particles;
  const std::size_t vectors = p.x.size() + p.v.size() + p.w.size() + p.force.size() + p.torque.size();
  return 24 * vectors + 32 * p.q.size() + 8 * (p.id.size() + p.radius.size() + p.mass.size() + p.charge.size()) +
         4 * (p.material.size() + p.group.size() + p.coordination.size()) +
         sizeof(FrameContact) * frame.contacts.size() + sizeof(FrameBond) * frame.bonds.size();
}

KeptFrame read(const fs::path& folder, const FrameEntry& entry, const Needs& needs) {
  KeptFrame kept;
  std::set<std::string> arrays = needs.arrays;
  arrays.insert({"material", "group"});
  kept.frame = through_handle(particles_file(folder, entry.index), [&](const fs::path& file) {
    return needs.all_arrays ? read_particles_vtp(file) : read_particles_vtp(file, arrays, kept.arrays);
  });
  if (needs.all_arrays)
    for (const ParticleColumn& c : particle_columns(kept.frame.particles))
      kept.arrays.push_back({c.name, c.components, {}});
  const auto add = [&](const fs::path& path, const auto& read) {
    through_handle(path, [&](const fs::path& file) { read(file, kept.frame); });
  };
  if (entry.has_walls) add(walls_file(folder, entry.index), read_walls_vtp);
  if (needs.lines && entry.has_contacts) add(contacts_file(folder, entry.index), read_contacts_vtp);
  if (needs.lines && entry.has_bonds) add(bonds_file(folder, entry.index), read_bonds_vtp);
  return kept;
}

}  // namespace

bool Needs::covers(const Needs& other) const {
  if ((other.all_arrays && !all_arrays) || (other.lines && !lines)) return false;
  return all_arrays || std::includes(arrays.begin(), arrays.end(), other.arrays.begin(), other.arrays.end());
}

void Needs::add(const Needs& other) {
  arrays.insert(other.arrays.begin(), other.arrays.end());
  all_arrays = all_arrays || other.all_arrays;
  lines = lines || other.lines;
}

std::shared_ptr<const KeptFrame> FrameCache::get(const fs::path& folder, const FrameEntry& entry, const Needs& needs) {
  const fs::file_time_type changed = fs::last_write_time(particles_file(folder, entry.index));
  Needs all = needs;
  const auto same = [&](const Kept& k) { return k.folder == folder && k.index == entry.index; };
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(kept_.begin(), kept_.end(), same);
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      if (found->changed == changed && found->has.covers(needs)) return found->frame;
      if (found->changed == changed) all.add(found->has);
    }
  }
  auto frame = std::make_shared<const KeptFrame>(read(folder, entry, all));  // others need not wait for the disk
  const std::lock_guard lock(mutex_);
  kept_.remove_if(same);
  kept_.push_front({folder, entry.index, changed, all, bytes_of(frame->frame), frame});
  std::size_t bytes = 0, count = 0;
  for (auto k = kept_.begin(); k != kept_.end();) {
    bytes += k->bytes;
    k = ++count > 1 && (count > kMostFrames || bytes > kMostBytes) ? kept_.erase(k) : std::next(k);
  }
  return frame;
}

}  // namespace areia::studio
