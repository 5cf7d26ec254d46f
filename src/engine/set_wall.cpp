#include "engine/set_wall.h"

#include <cmath>

#include "areia/error.h"

namespace areia {
namespace {

constexpr std::size_t kNumbers = 20;  // of a wall

// The rotation vector of a turn, with the bits of every machine: of half the angle h we know sine and cosine; with
// h0 = 2 tan(h/2) to begin with, h <- h0 + sin(h - h0) leaves a sixth of the third power of the error.
Vec3d turn_of(const Quat& q) {
  const Vec3d a{q[1], q[2], q[3]};
  const double sine = norm(a), cosine = std::fabs(q[0]);
  if (sine == 0) return {};
  double half = 2 * sine / (1 + cosine);
  for (int k = 0; k < 4; ++k) {
    const SinCos now = sin_cos(half);
    half += sine * now.cos - cosine * now.sin;
  }
  return ((q[0] < 0 ? -2 : 2) * half / sine) * a;
}

}  // namespace

Motion SetWall::motion() const {
  std::vector<Motion> parts;
  if (!from.in_place()) {
    Motion& m = parts.emplace_back();
    m.kind = Motion::Kind::table;  // of one line
    m.point = from.center;
    m.table = {{0, from.shift, turn_of(from.q)}};
  }
  if (!(spin == Vec3d{})) {
    Motion& m = parts.emplace_back();
    m.kind = Motion::Kind::rotating;
    m.omega = norm(spin);
    m.axis = spin;
    m.point = point;
    m.start = since;
  }
  if (!(velocity == Vec3d{})) {
    Motion& m = parts.emplace_back();
    m.kind = Motion::Kind::constant;
    m.velocity = velocity;
    m.start = since;
  }
  return motion_of(parts);
}

void save_set_walls(const std::vector<std::optional<SetWall>>& walls, Archive& a) {
  for (std::size_t w = 0; w < walls.size(); ++w) {
    if (!walls[w]) continue;
    a.integer["set_walls"].push_back(static_cast<std::int64_t>(w));
    std::vector<double>& to = a.real["set_walls"];
    const SetWall& s = *walls[w];
    to.insert(to.end(), s.from.q.begin(), s.from.q.end());
    for (const Vec3d& v : {s.from.center, s.from.shift, s.velocity, s.spin, s.point})
      to.insert(to.end(), {v.x, v.y, v.z});
    to.push_back(s.since);
  }
}

std::vector<std::optional<SetWall>> read_set_walls(const Archive& a, std::size_t walls) {
  std::vector<std::optional<SetWall>> all(walls);
  const auto which = a.integer.find("set_walls");
  if (which == a.integer.end()) return all;
  const auto numbers = a.real.find("set_walls");
  if (numbers == a.real.end() || numbers->second.size() != kNumbers * which->second.size())
    throw FileError("checkpoint does not tell how walls move whose velocity was set");
  const double* at = numbers->second.data();
  const auto vector = [&at] {
    const Vec3d v{at[0], at[1], at[2]};
    at += 3;
    return v;
  };
  for (const std::int64_t w : which->second) {
    if (w < 0 || w >= static_cast<std::int64_t>(walls))
      throw FileError("checkpoint sets the velocity of a wall that the case does not have");
    SetWall& s = all[static_cast<std::size_t>(w)].emplace();
    s.from.q = {at[0], at[1], at[2], at[3]};
    at += 4;
    s.from.center = vector();
    s.from.shift = vector();
    s.velocity = vector();
    s.spin = vector();
    s.point = vector();
    s.since = *at++;
  }
  return all;
}

}  // namespace areia
