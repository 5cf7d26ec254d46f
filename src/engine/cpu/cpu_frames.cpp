// Showing the state of the cpu backend: energies, frames, checkpoints.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "areia/error.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/frame_parts.h"
#include "engine/wall_outline.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

Energy CpuBackend::stored_energy() const {
  std::vector<StoredSums> part(team_.size());
  KernelContext c = const_cast<CpuBackend*>(this)->context(0, false);  // kernels only read it here
  team_.for_each(static_cast<std::int64_t>(chunks_.size()), [&](std::int64_t k, int member) {
    StoredSums& e = part[member];
    for (std::uint32_t i = chunks_[k].begin; i < chunks_[k].end; ++i) {
      const Vec4 &v = state_.velocity(i), &w = state_.spin[i];
      if (v.w > 0) {
        e.kinetic += 0.5 / v.w * norm2(v.xyz());
        e.potential -= dot(gravity_, state_.position(i).xyz()) / v.w;
      }
      if (w.w > 0) e.rotational += 0.5 / w.w * norm2(w.xyz());
    }
    for (std::size_t l = 0; l < kernels_.size(); ++l) kernels_[l]->stored(c, chunks_[k], chunks_[k].lists[l], e);
    if (distance_.any()) distance_.energy(state_, walls_, chunks_[k], e.distant);
  });
  StoredSums sum;
  for (const StoredSums& e : part) sum += e;
  add_energy_of_bonds(sum.bonds);
  return sum.energy();
}

LedgerSums CpuBackend::booked() const {
  LedgerSums sums = carried_;
  for (const Chunk& c : chunks_) sums += c.sums;
  return sums;
}

LedgerSums CpuBackend::ledger_sums() const {
  LedgerSums sums = booked();
  if (!bonds_.empty()) book_pending_work(sums);
  return sums;
}

void CpuBackend::book_switch(const Energy& before) { book_change(carried_, before, stored_energy()); }

void CpuBackend::fill(Frame& frame) const {
  const std::size_t n = state_.size();
  std::vector<std::uint32_t> slot(n);
  std::iota(slot.begin(), slot.end(), 0);
  std::sort(slot.begin(), slot.end(), [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });

  frame.time = time();
  frame.dt = dt_;
  frame.step = step_;
  frame.lost = lost_;
  frame.removed = removed_;
  frame.inserted = inserted_;
  fill_names(frame, scene_);

  ContactsInOrder contacts(frame);
  FrameParticles& p = frame.particles;
  p = {};
  reserve(p, n);
  std::vector<std::int32_t> touching(n, 0);
  for (const Chunk& c : chunks_)
    for (const ContactRecord& r : c.records) {
      contacts.announce(state_.id[r.i]);
      if (!(r.overlap > 0)) continue;  // a bridge across a gap is no touching
      ++touching[r.i];
      if (r.wall < 0) ++touching[r.j];
    }
  for (std::uint32_t s : slot) {
    const std::uint32_t id = state_.id[s];
    p.id.push_back(id);
    p.x.push_back(state_.position(s).xyz());
    p.v.push_back(state_.velocity(s).xyz());
    p.w.push_back(state_.spin[s].xyz());
    p.q.push_back(state_.orientation[s]);
    Vec3d force = state_.force(s).xyz();
    if (state_.velocity(s).w > 0) force += mass_[id] * gravity_;
    if (outer_on_) force += outer_force(s);
    p.force.push_back(force);
    p.torque.push_back(state_.torque(s).xyz());
    p.radius.push_back(state_.position(s).w);
    p.mass.push_back(mass_[id]);
    p.charge.push_back(charge(id));
    p.material.push_back(state_.material[s]);
    p.group.push_back(group_[id]);
    p.coordination.push_back(touching[s]);
    p.prescribed.push_back(prescribed_[id]);
  }

  contacts.open();
  for (const Chunk& c : chunks_)
    for (const ContactRecord& r : c.records) {
      FrameContact f;
      f.i = state_.id[r.i];
      f.j = r.wall < 0 ? static_cast<std::int64_t>(state_.id[r.j]) : -1;
      f.wall = r.wall;
      f.patch = r.patch;
      f.n = r.n;
      f.overlap = r.overlap;
      f.force = r.force;
      f.normal = r.normal;
      f.tangential = r.tangential;
      f.elongation = r.spring;
      const Vec4& x = state_.position(r.i);
      f.point = x.xyz() + (x.w - (r.wall < 0 ? 0.5 : 1.0) * r.overlap) * f.n;
      contacts.put(f);
    }
  contacts.close();

  frame.walls = outline_walls(
      scene_, [&](std::size_t w) { return walls_[w].pose; }, [&](std::size_t w) { return walls_[w].present; }, p);
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    frame.walls[w].force = walls_[w].force;
    frame.walls[w].torque = walls_[w].torque;
  }
  fill_bonds(frame);
  frame.energy = stored_energy();
  balance(frame.energy, ledger_sums());
}

BackendStatistics CpuBackend::statistics() const {
  BackendStatistics s;
  s.rebuilds = rebuilds_;
  s.pickings = pickings_;
  s.profile = profile_;
  if (implicit_) s.implicit = implicit_->driver.statistics();
  auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  s.bytes = size(state_.moving) + size(state_.spin) + size(state_.orientation) + size(state_.pushed) +
            size(state_.old_acceleration) + size(state_.old_turning) + size(state_.built_at) +
            size(state_.contacts_before) + size(state_.limit) + size(state_.id) + size(state_.material) +
            size(letters_) + size(shared_at_) + size(mass_) + size(charge_) + size(group_) + size(set_) + size(prescribed_) +
            size(placed_);
  for (const Chunk& c : chunks_) {
    s.pairs += c.row.back();
    s.bytes += size(c.row) + size(c.near) + c.inbox.bytes();
    for (const ContactList& l : c.lists) {
      s.contacts += l.pool.touching();
      s.bytes += size(l.walls) + size(l.near_walls) + l.meshes.bytes() + l.pool.bytes();
      for (const auto* lists : {&l.own, &l.across})
        for (const PairList& pairs : *lists) {
          s.contacts += pairs.contacts();
          s.near_pairs += pairs.count;
          s.bytes += sizeof pairs + pairs.bytes();
        }
    }
  }
  return s;
}

// ---- checkpoints ----

namespace {

// Plain arrays of numbers in and out of an archive.
template <class Array>
void put(Archive& a, const std::string& name, const Array& v) {
  using T = typename Array::value_type;
  if constexpr (std::is_integral_v<T>) {
    a.integer[name].assign(v.begin(), v.end());
  } else {
    static_assert(sizeof(T) % sizeof(double) == 0);
    const auto* first = reinterpret_cast<const double*>(v.data());
    a.real[name].assign(first, first + v.size() * (sizeof(T) / sizeof(double)));
  }
}

template <class Array>
void get(const Archive& a, const std::string& name, Array& v) {
  using T = typename Array::value_type;
  if constexpr (std::is_integral_v<T>) {
    const auto at = a.integer.find(name);
    if (at == a.integer.end()) throw FileError("checkpoint lacks the array '" + name + "'");
    v.resize(at->second.size());
    std::transform(at->second.begin(), at->second.end(), v.begin(), [](std::int64_t k) { return static_cast<T>(k); });
  } else {
    const auto at = a.real.find(name);
    if (at == a.real.end()) throw FileError("checkpoint lacks the array '" + name + "'");
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be double itself
    v.resize(at->second.size() / (sizeof(T) / sizeof(double)));
    std::copy(at->second.begin(), at->second.end(), reinterpret_cast<double*>(v.data()));
  }
}

}  // namespace

// One list of the arrays that make up the state, for save and load alike.
template <class Self, class F>
void CpuBackend::for_each_array(Self& self, F&& f) {
  f("moving", self.state_.moving);
  f("spin", self.state_.spin);
  f("orientation", self.state_.orientation);
  f("pushed", self.state_.pushed);
  f("outer", self.state_.outer);
  f("drag", self.state_.drag);
  f("distant", self.state_.distant);
  f("old_acceleration", self.state_.old_acceleration);
  f("old_turning", self.state_.old_turning);
  f("built_at", self.state_.built_at);
  f("contacts_before", self.state_.contacts_before);
  f("id", self.state_.id);
  f("material", self.state_.material);
  // by id; streams make these longer than the scene's
  f("mass", self.mass_);
  f("charge", self.charge_);
  f("group", self.group_);
  f("set", self.set_);
  f("prescribed", self.prescribed_);
  f("placed", self.placed_);
}

void CpuBackend::save(Archive& a) const {
  save_implicit(a);
  for_each_array(*this, [&](const char* name, const auto& array) { put(a, name, array); });
  save_ledger(a, booked());
  put(a, "gravity", std::vector<Vec3d>{gravity_});
  a.integer["counters"] = {step_, rebuilds_, lost_, removed_, inserted_};
  double moved2 = 0;
  bool hurried = hurried_;
  for (const Chunk& c : chunks_) {
    moved2 = std::max(moved2, c.moved2);
    hurried = hurried || c.hurried;
  }
  a.real["lists"] = {skin_, near_gap_, moved_, flowed_, moved2, least_limit_, flow_.x, flow_.y, flow_.z};
  a.integer["lists_made"] = {listed_at_, horizon_, drifts_, hurried};
  a.real["limits"].assign(state_.limit.begin(), state_.limit.end());
  if (!scene_.settings.bonds.empty()) save_bonds(a);
  std::vector<std::uint8_t> present;
  std::vector<Pose> poses, built;
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    present.push_back(walls_[w].present);
    poses.push_back(walls_[w].pose);
    built.push_back(walls_at_build_[w].pose);
  }
  put(a, "wall_present", present);
  put(a, "wall_pose", poses);
  put(a, "wall_pose_at_build", built);
  if (has_servos_) {
    std::vector<Vec3d> force;
    std::vector<double> servo;
    for (const WallState& w : walls_) {
      force.push_back(w.force);
      servo.insert(servo.end(), {w.servo.shift, w.servo.speed});
    }
    put(a, "wall_force", force);
    put(a, "wall_servo", servo);
  }
  // contacts with their histories
  std::vector<std::int64_t> pair, wall;
  std::vector<double> pair_history, wall_history;
  for (const Chunk& c : chunks_)
    for (std::size_t l = 0; l < kernels_.size(); ++l) {
      const int stride = kernels_[l]->history();
      const ContactList& list = c.lists[l];
      for (const auto* lists : {&list.own, &list.across})
        for (const PairList& pairs : *lists)
          pairs.for_each_touching([&](std::uint32_t k) {
            pair.insert(pair.end(), {state_.id[pairs.i[k]], state_.id[pairs.j[k]]});
            const double* lane = pairs.lane(k, stride);
            for (int h = 0; h < stride; ++h) pair_history.push_back(lane[h * kBlock]);
          });
      for (const WallEntry& w : list.walls) {
        if (w.contact < 0) continue;
        wall.insert(wall.end(), {w.i, w.wall, w.patch});
        wall_history.insert(wall_history.end(), list.pool.at(w.contact), list.pool.at(w.contact) + stride);
      }
    }
  save_meshes(a);
  a.integer["pair_contacts"] = std::move(pair);
  a.integer["wall_contacts"] = std::move(wall);
  a.real["pair_history"] = std::move(pair_history);
  a.real["wall_history"] = std::move(wall_history);
}

// Contacts with meshes: by particle and wall, with what they remember of their own place.
void CpuBackend::save_meshes(Archive& a) const {
  std::vector<std::int64_t> entry;
  std::vector<double> history;
  for (const Chunk& c : chunks_)
    for (std::size_t l = 0; l < kernels_.size(); ++l) {
      const ContactList& list = c.lists[l];
      for (const MeshEntry& e : list.meshes.entries)
        for (std::int32_t r = e.record; r >= 0; r = list.meshes.records[r].next) {
          const MeshRecord& record = list.meshes.records[r];
          entry.insert(entry.end(), {e.i, e.wall, record.place.patch});
          const Vec3d &p = record.place.point, &n = record.place.n;
          history.insert(history.end(), {p.x, p.y, p.z, n.x, n.y, n.z});
          const double* h = list.pool.at(record.contact);
          history.insert(history.end(), h, h + kernels_[l]->history());
        }
    }
  a.integer["mesh_entry"] = std::move(entry);
  a.real["mesh_history"] = std::move(history);
}

// The laws by which a particle meets a wall.
std::size_t CpuBackend::wall_laws(std::int64_t slot, std::int64_t wall) const {
  if (slot < 0 || slot >= particle_count() || wall < 0 || wall >= static_cast<std::int64_t>(walls_.size()))
    throw FileError("checkpoint does not belong to this case");
  const std::int32_t k = kernel_of_[state_.material[slot] * scene_.materials.size() + scene_.walls[wall].material];
  if (k < 0) throw FileError("checkpoint does not belong to this case");
  return static_cast<std::size_t>(k);
}

void CpuBackend::load_meshes(const Archive& a) {
  std::vector<std::int64_t> entry;
  std::vector<double> history;
  get(a, "mesh_entry", entry);
  get(a, "mesh_history", history);
  std::size_t next = 0;
  for (std::size_t e = 0; e + 2 < entry.size(); e += 3) {
    const std::size_t laws = wall_laws(entry[e], entry[e + 1]);
    ContactList& list = chunks_[entry[e] / chunk_size_].lists[laws];
    const auto stride = static_cast<std::size_t>(kernels_[laws]->history());
    const auto at = std::find_if(list.meshes.entries.begin(), list.meshes.entries.end(),
                                 [&](const MeshEntry& m) { return m.i == entry[e] && m.wall == entry[e + 1]; });
    if (next + 6 + stride > history.size() || at == list.meshes.entries.end())
      throw FileError("checkpoint does not belong to this case");
    MeshRecord& record = list.meshes.append(*at);
    const double* h = &history[next];
    record.place = {static_cast<std::int32_t>(entry[e + 2]), {h[0], h[1], h[2]}, {h[3], h[4], h[5]}};
    record.contact = list.pool.take();
    std::copy_n(h + 6, stride, list.pool.at(record.contact));
    next += 6 + stride;
  }
}

void CpuBackend::load(const Archive& a) {
  for_each_array(*this, [&](const char* name, auto& array) { get(a, name, array); });
  load_implicit(a);
  std::vector<Vec3d> g;
  get(a, "gravity", g);
  std::vector<std::int64_t> counters;
  get(a, "counters", counters);
  std::vector<std::uint8_t> present;
  std::vector<Pose> poses, built;
  get(a, "wall_present", present);
  get(a, "wall_pose", poses);
  get(a, "wall_pose_at_build", built);
  std::vector<std::int64_t> pair, wall;
  get(a, "pair_contacts", pair);
  get(a, "wall_contacts", wall);
  std::vector<double> pair_history, wall_history, lists;
  get(a, "pair_history", pair_history);
  get(a, "wall_history", wall_history);
  get(a, "lists", lists);
  std::vector<std::int64_t> made;
  get(a, "lists_made", made);
  std::vector<double> limits;
  get(a, "limits", limits);
  if (g.size() != 1 || lists.size() != 9 || made.size() != 4 || limits.size() != state_.size() ||
      counters.size() != 5 || present.size() != walls_.size() || (!placed_.empty() && placed_.size() != mass_.size()) ||
      (!charge_.empty() && charge_.size() != mass_.size()) ||
      mass_.size() != placed_count_ + static_cast<std::size_t>(counters[4]))
    throw FileError("checkpoint does not belong to this case");
  if (has_servos_) {
    std::vector<Vec3d> force;
    std::vector<double> servo;
    get(a, "wall_force", force);
    get(a, "wall_servo", servo);
    if (force.size() != walls_.size() || servo.size() != 2 * walls_.size())
      throw FileError("checkpoint does not belong to this case");
    for (std::size_t w = 0; w < walls_.size(); ++w) {
      walls_[w].force = force[w];
      walls_[w].servo = {servo[2 * w], servo[2 * w + 1]};
    }
  }
  gravity_ = g[0];
  step_ = counters[0];
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    walls_[w].present = walls_at_build_[w].present = present[w] != 0;
    walls_[w].pose = poses[w];
    walls_at_build_[w].pose = built[w];
    walls_[w].look();
    walls_at_build_[w].look();
  }
  if (!scene_.settings.bonds.empty()) load_bonds(a);
  chunks_.clear();
  std::vector<Chunk> none;
  skin_ = lists[0];
  near_gap_ = lists[1];
  listed_at_ = made[0];
  make_lists({}, none);
  moved_ = lists[2];
  flowed_ = lists[3];
  least_limit_ = lists[5];
  flow_ = {lists[6], lists[7], lists[8]};
  horizon_ = made[1];
  drifts_ = made[2];
  hurried_ = made[3] != 0;
  std::copy(limits.begin(), limits.end(), state_.limit.begin());
  for (Chunk& c : chunks_) pick_walls(c);
  for (Chunk& c : chunks_) c.moved2 = lists[4];  // schemes that move last decide on new lists by this at their next step
  load_ledger(a, carried_);
  if (!bonds_.empty()) compute_bonds();  // for the frame
  rebuilds_ = counters[1];
  lost_ = counters[2];
  removed_ = counters[3];
  inserted_ = counters[4];
  restore_pairs(pair, pair_history);
  std::size_t next = 0;
  for (std::size_t e = 0; e + 2 < wall.size(); e += 3) {
    const std::size_t laws = wall_laws(wall[e], wall[e + 1]);
    ContactList& list = chunks_[wall[e] / chunk_size_].lists[laws];
    const auto stride = static_cast<std::size_t>(kernels_[laws]->history());
    const auto at = std::find_if(list.walls.begin(), list.walls.end(), [&](const WallEntry& w) {
      return w.i == wall[e] && w.wall == wall[e + 1] && w.patch == wall[e + 2];
    });
    if (next + stride > wall_history.size() || at == list.walls.end())
      throw FileError("checkpoint does not belong to this case");
    at->contact = list.pool.take();
    std::copy_n(&wall_history[next], stride, list.pool.at(at->contact));
    next += stride;
  }
  set_outer(time());
  load_meshes(a);
}

}  // namespace areia::cpu
