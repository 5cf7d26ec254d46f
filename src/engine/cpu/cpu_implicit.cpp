// The generalized trapezoid in the cpu backend. Spec section 14.
//
//   v^(K+1) = v + h [(1-phi) a_n + phi a(x^K, v^K, w^K)],  x^(K+1) = x + h [(1-phi) v + phi v^(K+1)],  spin and turn
//   alike
// Every evaluation of an iterate starts from the committed contacts and histories. Once the sweeps agree, the forces of
// the accepted state are evaluated one more time: that evaluation renews histories and books energy, and its forces are
// the a_n of the next step. So a step that is given up has left nothing behind.
//
// Neighbour lists: each iterate is tested like a position of an explicit step. When one leaves what the lists cover,
// the try is broken off, the lists are made again at the committed positions, and the step begins anew; if they are
// from there already, the skin is doubled.
#include "engine/cpu/cpu_implicit.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "areia/error.h"
#include "engine/cpu/cpu_backend.h"
#include "scene/wall_geometry.h"

namespace areia::cpu {

void CpuBackend::prepare_implicit() {
  implicit_ = std::make_unique<ImplicitRun>(scene_.settings.numerics.implicit, dt_);
  state_.old_acceleration.resize(state_.size());  // the mean velocity of a step, for contacts that are new
}

void CpuBackend::advance_implicit(std::int64_t steps, bool record) {
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto start = static_cast<double>(step_), end = static_cast<double>(step_ + 1);
    implicit_->driver.advance(*this, start * dt_, end * dt_, record && k + 1 == steps);
    ++step_;
    if (step_ % 100 == 0) carried_.most_kinetic = std::max(carried_.most_kinetic, kinetic_energy());
  }
}

// All forces on all particles in the state as it stands, and their accelerations.
void CpuBackend::evaluate_state(double dt, bool record, std::vector<Vec3d>& a, std::vector<Vec3d>& b) {
  evaluate_forces(dt, record);
  for_each_chunk([&](Chunk& c) {
    if (outer_on_)
      for (std::uint32_t i = c.begin; i < c.end; ++i) evaluate_outer(i);
    store_accelerations(c, a, b);
    if (outer_.magnetic())
      for (std::uint32_t i = c.begin; i < c.end; ++i) a[i] += magnetic_acceleration(i);
  });
}

Vec3d CpuBackend::magnetic_acceleration(std::size_t i) const {
  return state_.velocity(i).w > 0 ? cross(state_.velocity(i).xyz(), magnetic_turn(i)) : Vec3d{};
}

static void keep_pairs(const std::vector<PairList>& lists, std::vector<KeptPairs>& kept) {
  kept.resize(lists.size());
  for (std::size_t p = 0; p < lists.size(); ++p) {
    kept[p].touching = lists[p].touching;
    kept[p].history = lists[p].history;
  }
}

static void bring_back(const std::vector<KeptPairs>& kept, std::vector<PairList>& lists) {
  for (std::size_t p = 0; p < lists.size(); ++p) {
    lists[p].touching = kept[p].touching;
    lists[p].history = kept[p].history;
  }
}

void CpuBackend::keep(double t) {
  ImplicitRun& r = *implicit_;
  const std::size_t n = state_.size();
  for (std::vector<Vec3d>* v : {&r.a, &r.b, &r.a_new, &r.b_new, &r.turn}) v->resize(n);
  r.magnetic.assign(n, Vec3d{});
  switch_gravity(t);
  set_outer(t);
  if (!r.forces_known) {
    set_walls(t);
    move_prescribed(t);
    evaluate_state(0, false, r.a, r.b);
    r.forces_known = true;
  }
  for_each_chunk([&](Chunk& c) {
    store_accelerations(c, r.a, r.b);
    if (!outer_.magnetic()) return;
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      r.magnetic[i] = magnetic_acceleration(i);
      r.a[i] += r.magnetic[i];
    }
  });
  r.outer = state_.outer;
  r.drag = state_.drag;
  r.distant = state_.distant;
  r.moving = state_.moving;
  r.spin = state_.spin;
  r.orientation = state_.orientation;
  r.pushed = state_.pushed;
  r.contacts_before = state_.contacts_before;
  r.walls = walls_;
  r.gravity = gravity_;
  r.carried = carried_;
  r.chunks.resize(chunks_.size());
  r.part.resize(chunks_.size());
  for_each_chunk([&](Chunk& c) {
    KeptChunk& kept = r.chunks[&c - chunks_.data()];
    kept.sums = c.sums;
    kept.moved2 = c.moved2;
    kept.inbox = c.inbox.now();
    kept.lists.resize(c.lists.size());
    for (std::size_t l = 0; l < c.lists.size(); ++l) {
      keep_pairs(c.lists[l].own, kept.lists[l].own);
      keep_pairs(c.lists[l].across, kept.lists[l].across);
      kept.lists[l].walls.clear();
      for (const WallEntry& w : c.lists[l].walls) kept.lists[l].walls.push_back(w.contact);
      kept.lists[l].meshes.keep(c.lists[l].meshes);
      kept.lists[l].pool = c.lists[l].pool;
    }
  });
}

// Contacts, histories and bookings as they were committed.
void CpuBackend::restore_contacts() {
  const ImplicitRun& r = *implicit_;
  for (std::size_t i = 0; i < state_.size(); ++i) state_.force(i).w = r.pushed[i].first.w;
  state_.contacts_before = r.contacts_before;
  for_each_chunk([&](Chunk& c) {
    const KeptChunk& kept = r.chunks[&c - chunks_.data()];
    c.sums = kept.sums;
    c.failed = ~0u;
    for (std::size_t l = 0; l < c.lists.size(); ++l) {
      bring_back(kept.lists[l].own, c.lists[l].own);
      bring_back(kept.lists[l].across, c.lists[l].across);
      for (std::size_t e = 0; e < c.lists[l].walls.size(); ++e) c.lists[l].walls[e].contact = kept.lists[l].walls[e];
      c.lists[l].meshes.keep(kept.lists[l].meshes);
      c.lists[l].pool = kept.lists[l].pool;
    }
    c.inbox.set_now(kept.inbox);
  });
}

void CpuBackend::restore() {
  const ImplicitRun& r = *implicit_;
  restore_contacts();
  state_.moving = r.moving;
  state_.spin = r.spin;
  state_.orientation = r.orientation;
  state_.pushed = r.pushed;
  restore_outer();
  walls_ = r.walls;
  gravity_ = r.gravity;
  carried_ = r.carried;
  for (std::size_t k = 0; k < chunks_.size(); ++k) chunks_[k].moved2 = r.chunks[k].moved2;
}

void CpuBackend::restore_outer() {
  state_.outer = implicit_->outer;
  state_.drag = implicit_->drag;
  state_.distant = implicit_->distant;
}

void CpuBackend::renew_lists() {
  bool fresh = !bonds_.relist;
  for (std::size_t i = 0; fresh && i < state_.size(); ++i) fresh = state_.position(i).xyz() == state_.built_at[i];
  for (std::size_t w = 0; fresh && w < walls_.size(); ++w)
    fresh = walls_[w].pose.shift == walls_at_build_[w].pose.shift && walls_[w].pose.q == walls_at_build_[w].pose.q;
  if (fresh) {
    skin_ *= 2;
    near_gap_ = skin_;
    double r_max = 0;
    for (const Twin& t : state_.moving) r_max = std::max(r_max, t.first.w);
    for (int a = 0; a < 3; ++a)
      if (periodicity_.on[a] && component(periodicity_.length, a) < 4 * r_max + 2 * skin_)
        throw StoppedError("an implicit step carries particles too far for the periodic box; take a smaller dt");
  }
  rebuild();
}

// The new iterate of one particle, its share of the errors, and whether the lists still cover it.
void CpuBackend::move_iterate(Chunk& chunk, std::uint32_t i, double h, Sweep& sum) {
  ImplicitRun& r = *implicit_;
  const double phi = scene_.settings.numerics.implicit.phi;
  Vec4 &position = state_.position(i), &velocity = state_.velocity(i), &spin = state_.spin[i];
  if (velocity.w > 0) {
    const Vec3d x0 = r.moving[i].first.xyz(), v0 = r.moving[i].second.xyz(), w0 = r.spin[i].xyz();
    const Vec3d v = v0 + h * ((1 - phi) * r.a[i] + phi * r.a_new[i]);
    const Vec3d w = w0 + h * ((1 - phi) * r.b[i] + phi * r.b_new[i]);
    const Vec3d mean_w = (1 - phi) * w0 + phi * w;
    const Vec3d x = x0 + h * ((1 - phi) * v0 + phi * v), turn = h * mean_w;
    const Vec3d image = periodicity_.wrapped(x);
    sum.x += {norm(periodicity_.nearest(image - position.xyz())), norm(x - x0), norm(x - origin_of_errors())};
    sum.a += {norm(turn - r.turn[i]), norm(turn), 0};
    sum.v += {norm(v - velocity.xyz()), norm(v - v0), norm(v)};
    sum.w += {norm(w - spin.xyz()), norm(w - w0), norm(w)};
    position.set_xyz(image);
    velocity.set_xyz(v);
    spin.set_xyz(w);
    r.turn[i] = turn;
    state_.orientation[i] = turned(r.orientation[i], mean_w, h, exact_rotation_);
    if (!(norm2(x - x0) < position.w * position.w)) sum.wild = true;  // written so that a NaN fails too
  }
  chunk.moved2 = std::max(chunk.moved2, norm2(periodicity_.nearest(position.xyz() - state_.built_at[i])));
}

Vec3d CpuBackend::origin_of_errors() const {
  return scene_.settings.domain.bounded ? scene_.settings.domain.box.min : Vec3d{};
}

Sweep CpuBackend::predict(double t_end, double h) {
  ImplicitRun& r = *implicit_;
  switch_gravity(t_end);
  set_outer(t_end);
  set_walls(t_end);
  const bool uniform = scene_.settings.numerics.implicit.predictor == Implicit::Predictor::uniform;
  for_each_chunk([&](Chunk& c) {
    Sweep& sum = r.part[&c - chunks_.data()];
    sum = {};
    c.moved2 = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      r.turn[i] = {};
      Vec4& position = state_.position(i);
      if (uniform && state_.velocity(i).w > 0) {
        const Vec3d step = h * state_.velocity(i).xyz(), w = state_.spin[i].xyz();
        position.set_xyz(periodicity_.wrapped(position.xyz() + step));
        r.turn[i] = h * w;
        state_.orientation[i] = turned(state_.orientation[i], w, h, exact_rotation_);
        if (!(norm2(step) < position.w * position.w)) sum.wild = true;
      }
      c.moved2 = std::max(c.moved2, norm2(periodicity_.nearest(position.xyz() - state_.built_at[i])));
    }
  });
  move_prescribed(t_end);
  return sum_of_sweep();
}

Sweep CpuBackend::sum_of_sweep() const {
  Sweep sum;
  for (const Sweep& part : implicit_->part) sum += part;
  sum.lists = !sum.wild && lists_are_stale();
  return sum;
}

Sweep CpuBackend::sweep(double h) {
  trying_ = true;
  const Sweep s = scene_.settings.numerics.implicit.sweep == Implicit::Sweep::jacobi ? jacobi(h) : gauss_seidel(h);
  trying_ = false;
  return s;
}

Sweep CpuBackend::jacobi(double h) {
  ImplicitRun& r = *implicit_;
  restore_contacts();
  evaluate_state(h, false, r.a_new, r.b_new);
  for_each_chunk([&](Chunk& c) {
    Sweep& sum = r.part[&c - chunks_.data()];
    sum = {};
    c.moved2 = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) move_iterate(c, i, h, sum);
  });
  return sum_of_sweep();
}

// One particle after the other, in the order of ids, each with the forces of the iterate as it then stands. Everything
// is evaluated for each of them: meant for small systems.
Sweep CpuBackend::gauss_seidel(double h) {
  ImplicitRun& r = *implicit_;
  r.by_id.resize(state_.size());
  for (std::uint32_t i = 0; i < r.by_id.size(); ++i) r.by_id[i] = i;
  std::sort(r.by_id.begin(), r.by_id.end(),
            [&](std::uint32_t a, std::uint32_t b) { return state_.id[a] < state_.id[b]; });
  for (Sweep& part : r.part) part = {};
  for (Chunk& c : chunks_) c.moved2 = 0;
  for (std::uint32_t i : r.by_id) {
    const std::uint32_t k = i / chunk_size_;
    if (state_.velocity(i).w > 0) {
      restore_contacts();
      evaluate_state(h, false, r.a_new, r.b_new);
    }
    move_iterate(chunks_[k], i, h, r.part[k]);
    if (r.part[k].wild) break;
  }
  return sum_of_sweep();
}

// From the committed state to the iterate, across periodic faces.
Vec3d CpuBackend::way_of_step(std::size_t i) const {
  return periodicity_.nearest(state_.position(i).xyz() - implicit_->moving[i].first.xyz());
}

void CpuBackend::commit(double, double h, bool record) {
  ImplicitRun& r = *implicit_;
  const double phi = scene_.settings.numerics.implicit.phi;
  restore_contacts();
  for_each_chunk([&](Chunk& c) {
    c.outside = 0;
    for (std::uint32_t i = c.begin; i < c.end; ++i) {
      state_.old_acceleration[i] = (2 * (1 - phi) / h) * (state_.velocity(i).xyz() - r.moving[i].second.xyz());
      const Vec3d ends = state_.position(i).xyz() - r.moving[i].first.xyz(), way = way_of_step(i);
      if (!(ends == way) && state_.velocity(i).w > 0)
        c.sums.wall_work += work_of_face(state_.velocity(i).w, gravity_, ends - way);
      if (watch_domain_)
        c.outside += state_.velocity(i).w > 0 && is_outside(scene_.settings.domain, state_.position(i).xyz());
    }
  });
  const bool ledger = scene_.settings.numerics.ledger;
  // the trapezoid of forces from outside and at a distance: half with those of the beginning, half with those of the
  // end
  const auto book_half = [&] {
    if (!ledger || !outer_on_) return;
    for_each_chunk([&](Chunk& c) {
      for (std::uint32_t i = c.begin; i < c.end; ++i) {
        const bool free = state_.velocity(i).w > 0;
        const Vec3d mean =
            free ? (1 / h) * way_of_step(i) : 0.5 * (state_.velocity(i).xyz() + r.moving[i].second.xyz());
        book_outer(c, i, mean, 0.5 * h);
      }
    });
  };
  if (outer_on_) restore_outer();
  book_half();
  evaluate_state(h, record || ledger, r.a_new, r.b_new);
  book_half();
  if (ledger) {
    r.friction.resize(mass_.size());
    r.friction_new.assign(mass_.size(), Vec3d{});
    r.bond_torque.resize(mass_.size());
    r.bond_torque_new.assign(mass_.size(), Vec3d{});
    for (std::size_t k = 0; k < bonds_.all.size(); ++k) {
      const Bond& bond = bonds_.all[k];
      r.bond_torque_new[bond.i] += bonds_.now[k].force.torque_i();
      if (bond.j >= 0) r.bond_torque_new[bond.j] += bonds_.now[k].force.torque_j();
    }
    for (const ContactRecord* k : records_in_order()) {
      const Vec3d f = k->force - dot(k->force, k->n) * k->n;
      r.friction_new[state_.id[k->i]] += f;
      if (k->wall < 0) r.friction_new[state_.id[k->j]] -= f;
    }
    for_each_chunk([&](Chunk& c) {
      book_scheme(c, h);
      if (!record) c.records.clear();
    });
    r.friction.swap(r.friction_new);
    r.bond_torque.swap(r.bond_torque_new);
  }
  check_health();
}

// By id of i, then id of j, and walls last; several at one patch of a mesh in the order in which they were found.
std::vector<const ContactRecord*> CpuBackend::records_in_order() const {
  std::vector<const ContactRecord*> all;
  for (const Chunk& c : chunks_)
    for (const ContactRecord& k : c.records) all.push_back(&k);
  const auto key = [&](const ContactRecord* k) {
    const std::int64_t j = k->wall < 0 ? static_cast<std::int64_t>(state_.id[k->j]) : -1;
    return std::tuple(state_.id[k->i], k->wall >= 0, j, k->wall, k->patch);
  };
  std::stable_sort(all.begin(), all.end(), [&](auto* a, auto* b) { return key(a) < key(b); });
  return all;
}

// Over a step contacts and bonds book the trapezoid of their forces: along the path, but friction and rolling at the
// velocity of the end. What the scheme gives the particles beyond that is its own doing.
void CpuBackend::book_scheme(Chunk& chunk, double h) {
  const ImplicitRun& r = *implicit_;
  GridSum& gained = chunk.sums.scheme;
  for (std::uint32_t i = chunk.begin; i < chunk.end; ++i) {
    const double inv_m = state_.velocity(i).w, inv_j = state_.spin[i].w;
    if (!(inv_m > 0)) continue;
    const Vec3d v0 = r.moving[i].second.xyz(), v1 = state_.velocity(i).xyz();
    const Vec3d dx = way_of_step(i);
    Vec3d a = r.a[i] + r.a_new[i];
    if (outer_.magnetic()) a -= r.magnetic[i] + magnetic_acceleration(i);  // does no work
    gained += (0.5 / inv_m) * (dot(v1 - v0, v1 + v0) - dot(a, dx));
    const std::uint32_t id = state_.id[i];
    gained -= 0.5 * dot(r.friction[id] + r.friction_new[id], h * v1 - dx);
    if (!(inv_j > 0)) continue;
    const Vec3d w0 = r.spin[i].xyz(), w1 = state_.spin[i].xyz();
    gained += (0.5 / inv_j) * (dot(w1 - w0, w1 + w0) - h * dot(r.b[i] + r.b_new[i], w1));
    gained += 0.5 * dot(r.bond_torque[id] + r.bond_torque_new[id], h * w1 - r.turn[i]);
  }
}

void CpuBackend::save_implicit(Archive& a) const {
  if (!implicit_) return;
  a.real["implicit"] = implicit_->driver.saved();
  a.real["implicit"].push_back(skin_);
  std::vector<double>& forces = a.real["implicit_forces"];
  for (const std::vector<Vec3d>* all : {&implicit_->friction, &implicit_->bond_torque})
    for (const Vec3d& f : *all) forces.insert(forces.end(), {f.x, f.y, f.z});
  a.integer["implicit_forces_known"] = {implicit_->forces_known};
}

void CpuBackend::load_implicit(const Archive& a) {
  if (!implicit_) return;
  const auto kept = a.real.find("implicit");
  const auto known = a.integer.find("implicit_forces_known");
  const auto forces = a.real.find("implicit_forces");
  if (kept == a.real.end() || kept->second.empty() || forces == a.real.end() || known == a.integer.end() ||
      known->second.size() != 1)
    throw FileError("checkpoint does not belong to this case");
  std::vector<double> values = kept->second;
  skin_ = values.back();
  values.pop_back();
  if (!implicit_->driver.load(values) || !(skin_ > 0)) throw FileError("checkpoint does not belong to this case");
  implicit_->forces_known = known->second[0] != 0;
  const std::vector<double>& f = forces->second;
  const std::size_t n = f.size() / 6;
  if (f.size() % 6 != 0 || n > mass_.size()) throw FileError("checkpoint does not belong to this case");
  implicit_->friction.assign(n, Vec3d{});
  implicit_->bond_torque.assign(n, Vec3d{});
  for (std::size_t k = 0; k < n; ++k) {
    implicit_->friction[k] = {f[3 * k], f[3 * k + 1], f[3 * k + 2]};
    implicit_->bond_torque[k] = {f[3 * (n + k)], f[3 * (n + k) + 1], f[3 * (n + k) + 2]};
  }
}

}  // namespace areia::cpu
