#include "engine/reference/reference_implicit.h"

#include "engine/reference/reference_motion.h"

namespace areia::reference {

Implicit::Implicit(World& world, State& state, Forces& forces, Bodies& bodies)
    : world_(world),
      state_(state),
      forces_(forces),
      bodies_(bodies),
      settings_(world.scene().settings.numerics.implicit),
      driver_(settings_, world.dt()) {}

void Implicit::advance(bool record) { driver_.advance(*this, world_.dt(), world_.time(), world_.next_time(), record); }

bool Implicit::load(const std::vector<double>& driver, bool forces_known) {
  forces_known_ = forces_known;
  return driver_.load(driver);
}

void Implicit::set_time(double t) {
  switch_gravity(world_, state_, t);
  world_.set_fields(t);
}

Vec3d Implicit::turning_acceleration(const Particle& p) const {
  return p.prescribed ? Vec3d{} : cross(p.velocity.move, forces_.turning(p, p.velocity.turn));
}

void Implicit::find_rates() {
  rate_.resize(state_.particles.size());
  for (std::size_t i = 0; i < rate_.size(); ++i) {
    rate_[i] = forces_.rate(state_.particles[i]);
    if (world_.fields().turns()) rate_[i].move += turning_acceleration(state_.particles[i]);
  }
}

void Implicit::keep(double t) {
  set_time(t);
  if (!forces_known_) {
    world_.place_walls(t);
    place_prescribed(world_, state_, t);
    forces_.evaluate({});
    forces_known_ = true;
  }
  find_rates();
  kept_rate_ = rate_;
  kept_turning_.clear();
  for (const Particle& p : state_.particles) kept_turning_.push_back(turning_acceleration(p));
  kept_ = state_;
  kept_world_ = world_.now();
}

void Implicit::restore() {
  state_ = kept_;
  world_.now() = kept_world_;
}

Sweep Implicit::predict(double t_end, double h) {
  Sweep sum;
  set_time(t_end);
  world_.place_walls(t_end);
  turn_.assign(state_.particles.size(), Vec3d{});
  for (std::size_t i = 0; i < turn_.size(); ++i) {
    Particle& p = state_.particles[i];
    if (settings_.predictor != areia::Implicit::Predictor::uniform || p.prescribed) continue;
    const Vec3d step = h * p.velocity.move;
    p.x = world_.periodicity().wrapped(p.x + step);
    p.q = turned(p.q, p.velocity.turn, h, world_.scene().settings.numerics.exact_rotation);
    turn_[i] = h * p.velocity.turn;
    sum.wild = sum.wild || !(norm2(step) < p.radius * p.radius);
  }
  place_prescribed(world_, state_, t_end);
  return sum;
}

// The new iterate of one particle, and its share of the errors.
void Implicit::move(std::size_t i, double h, Sweep& sum) {
  const double phi = settings_.phi;
  Particle& p = state_.particles[i];
  const Particle& k = kept_.particles[i];
  const Vec3d v = k.velocity.move + h * ((1 - phi) * kept_rate_[i].move + phi * rate_[i].move);
  const Vec3d w = k.velocity.turn + h * ((1 - phi) * kept_rate_[i].turn + phi * rate_[i].turn);
  const Vec3d mean_w = (1 - phi) * k.velocity.turn + phi * w;
  const Vec3d x = k.x + h * ((1 - phi) * k.velocity.move + phi * v), turn = h * mean_w;
  const Vec3d image = world_.periodicity().wrapped(x);
  const Domain& domain = world_.scene().settings.domain;
  const Vec3d origin = domain.bounded ? domain.box.min : Vec3d{};
  sum.x += {norm(world_.periodicity().nearest(image - p.x)), norm(x - k.x), norm(x - origin)};
  sum.a += {norm(turn - turn_[i]), norm(turn), 0};
  sum.v += {norm(v - p.velocity.move), norm(v - k.velocity.move), norm(v)};
  sum.w += {norm(w - p.velocity.turn), norm(w - k.velocity.turn), norm(w)};
  sum.wild = sum.wild || !(norm2(x - k.x) < p.radius * p.radius);
  p.x = image;
  p.velocity = {v, w};
  p.q = turned(k.q, mean_w, h, world_.scene().settings.numerics.exact_rotation);
  turn_[i] = turn;
}

// Jacobi: all forces first. Gauss-Seidel: those of the iterate as it stands when a particle has its turn. Every
// evaluation starts from the committed contacts.
Sweep Implicit::sweep(double h) {
  const bool one_by_one = settings_.sweep == areia::Implicit::Sweep::gauss_seidel;
  Sweep sum;
  bool evaluated = false;
  for (std::size_t i = 0; i < state_.particles.size() && !(one_by_one && sum.wild); ++i) {
    if (state_.particles[i].prescribed) continue;
    if (one_by_one || !evaluated) {
      state_.contacts = kept_.contacts;
      forces_.evaluate({.dt = h, .trial = true});
      find_rates();
      evaluated = true;
    }
    move(i, h, sum);
  }
  return sum;
}

Vec3d Implicit::way(std::size_t i) const {
  return world_.periodicity().nearest(state_.particles[i].x - kept_.particles[i].x);
}

void Implicit::commit(double, double h, bool record) {
  state_.contacts = kept_.contacts;
  LedgerSums& sums = world_.now().ledger;
  // so that v - a h/2 is the mean velocity of the step
  for (std::size_t i = 0; i < state_.particles.size(); ++i) {
    Particle& p = state_.particles[i];
    p.old.move = (2 * (1 - settings_.phi) / h) * (p.velocity.move - kept_.particles[i].velocity.move);
    const Vec3d ends = p.x - kept_.particles[i].x;
    if (!(ends == way(i)) && !p.prescribed)
      sums.wall_work += work_of_face(p.inv_m(), world_.now().gravity, ends - way(i));
  }
  // the trapezoid of forces from outside and at a distance: half with those of the beginning, half with those of the
  // end
  const auto book_half = [&](const State& of) {
    for (std::size_t i = 0; i < of.particles.size(); ++i) {
      const Particle &p = state_.particles[i], &k = kept_.particles[i];
      forces_.book_outer(of.particles[i], p.prescribed ? 0.5 * (p.velocity.move + k.velocity.move) : (1 / h) * way(i),
                         0.5 * h);
    }
  };
  book_half(kept_);
  forces_.evaluate({.dt = h, .record = true});
  find_rates();
  book_half(state_);
  book_friction(h);
  if (!record) forces_.forget_shown();
  check(world_, state_, forces_.failed());
  if (world_.remove_lost(bodies_)) forget_forces();
}

// Over a step contacts and bonds book the trapezoid of their forces: along the path, but friction and rolling at the
// velocity of the end. What the scheme gives the particles beyond that is its own doing.
void Implicit::book_friction(double h) {
  std::vector<Particle>& all = state_.particles;
  for (Particle& p : all) p.friction = p.bond_torque = {};
  for (const Bond& b : state_.bonds) {
    const BondNow now = forces_.bond_now(b);
    Particle& i = *state_.find(b.i);
    i.bond_torque += anchor_torque_i(now, i.x);
    if (b.j < 0) continue;
    Particle& j = *state_.find(b.j);
    j.bond_torque += anchor_torque_j(now, j.x);
  }
  for (const FrameContact& c : forces_.shown()) {
    const Vec3d f = c.force - dot(c.force, c.n) * c.n;
    state_.find(c.i)->friction += f;
    if (c.j >= 0) state_.find(c.j)->friction -= f;
  }
  GridSum& gained = world_.now().ledger.scheme;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Particle &p = all[i], &k = kept_.particles[i];
    if (p.prescribed) continue;
    const Vec3d dx = way(i), dv = p.velocity.move - k.velocity.move, dw = p.velocity.turn - k.velocity.turn;
    const Vec3d a = kept_rate_[i].move + rate_[i].move - (kept_turning_[i] + turning_acceleration(p));
    gained += (0.5 / p.inv_m()) * (dot(dv, p.velocity.move + k.velocity.move) - dot(a, dx));
    gained -= 0.5 * dot(k.friction + p.friction, h * p.velocity.move - dx);
    if (!(p.inv_j() > 0)) continue;
    const Vec3d b = kept_rate_[i].turn + rate_[i].turn;
    gained += (0.5 / p.inv_j()) * (dot(dw, p.velocity.turn + k.velocity.turn) - h * dot(b, p.velocity.turn));
    gained += 0.5 * dot(k.bond_torque + p.bond_torque, h * p.velocity.turn - turn_[i]);
  }
}

}  // namespace areia::reference
