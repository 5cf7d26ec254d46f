#include "scene/meeting_pairs.h"

#include <fmt/format.h>

#include <algorithm>

namespace areia {

namespace {

// How many particles of a material there may be; more than one is as good as any number.
std::size_t count_of(const Case& c, const std::string& material) {
  std::size_t count = 0;
  for (const ParticleSet& set : c.particles) {
    if (set.material != material) continue;
    const auto* list = std::get_if<std::vector<ListedParticle>>(&set.source);
    count += list ? list->size() : 2;  // generators and streams decide later
  }
  return count;
}

const ContactPair* laws_of(const Case& c, const std::string& a, const std::string& b) {
  for (const ContactPair& p : c.contacts)
    if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return &p;
  return nullptr;
}

std::string own_table(const std::string& material) { return material + "-" + material; }

}  // namespace

std::vector<MeetingPair> meeting_pairs(const Case& c) {
  std::vector<std::string> particles, walls;
  for (const Material& m : c.materials)
    if (std::any_of(c.particles.begin(), c.particles.end(), [&](const auto& s) { return s.material == m.name; }))
      particles.push_back(m.name);
  const auto contains = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) != all.end();
  };
  for (const Wall& w : c.walls) {
    const std::string& name = w.material.empty() ? w.name : w.material;
    const bool known =
        std::any_of(c.materials.begin(), c.materials.end(), [&](const Material& m) { return m.name == name; });
    if (known && !contains(particles, name) && !contains(walls, name)) walls.push_back(name);
  }
  std::vector<MeetingPair> pairs;
  for (std::size_t i = 0; i < particles.size(); ++i)
    for (std::size_t j = i; j < particles.size(); ++j) {
      const std::string &a = particles[i], &b = particles[j];
      const bool wall_of_it = std::any_of(c.walls.begin(), c.walls.end(),
                                          [&](const Wall& w) { return w.material == a || w.material == b; });
      pairs.push_back({a, b, false, i != j || wall_of_it || count_of(c, a) > 1});
    }
  for (const std::string& a : particles)
    for (const std::string& b : walls) pairs.push_back({a, b, true, true});
  return pairs;
}

bool default_takes_over(const Case& c, const MeetingPair& pair) {
  const ContactPair *used = laws_of(c, pair.a, pair.b), *grain = laws_of(c, pair.a, pair.a);
  return pair.with_wall && used && used->table.name == "default" && grain && grain->table.name == own_table(pair.a);
}

std::string table_in_words(const Case& c, const MeetingPair& pair) {
  const ContactPair* used = laws_of(c, pair.a, pair.b);
  if (!used) return "";
  const std::string& table = used->table.name;
  if (table.empty()) return "laws of its own";  // a program, or the file of another one, has set them
  if (default_takes_over(c, pair))
    return fmt::format("[contacts.default], since it has none of its own; this comes before [contacts.{}]",
                       own_table(pair.a));
  if (table == "default") return "[contacts.default], since it has none of its own";
  if (pair.with_wall && table == own_table(pair.a))
    return fmt::format("[contacts.{}], that of the grain with itself, since there is no other", table);
  return fmt::format("[contacts.{}], its own", table);
}

bool anything_can_meet(const Case& c) {
  const std::vector<MeetingPair> pairs = meeting_pairs(c);
  return std::any_of(pairs.begin(), pairs.end(), [](const MeetingPair& p) { return p.can_meet; });
}

}  // namespace areia
