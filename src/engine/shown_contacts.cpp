#include "engine/shown_contacts.h"

#include <fmt/format.h>

#include "areia/error.h"

namespace areia {
namespace {

constexpr const char *kWho = "shown_contacts/who", *kWhat = "shown_contacts/what";
constexpr std::size_t kIntegers = 4, kNumbers = 15;  // of each contact

// f(number) for the numbers of a contact, always in the same order.
template <class Contact, class F>
void for_each_number(Contact& c, F&& f) {
  for (auto* v : {&c.point, &c.n, &c.force, &c.elongation}) f(v->x), f(v->y), f(v->z);
  f(c.overlap), f(c.normal), f(c.tangential);
}

}  // namespace

void keep_shown(const std::vector<FrameContact>& contacts, Archive& archive) {
  if (contacts.empty()) return;
  std::vector<std::int64_t>& who = archive.integer[kWho];
  std::vector<double>& what = archive.real[kWhat];
  who.reserve(kIntegers * contacts.size());
  what.reserve(kNumbers * contacts.size());
  for (const FrameContact& c : contacts) {
    who.insert(who.end(), {c.i, c.j, c.wall, c.patch});
    for_each_number(c, [&](double number) { what.push_back(number); });
  }
}

std::vector<FrameContact> read_shown(const Archive& archive, std::int64_t ids, std::size_t walls) {
  const auto who = archive.integer.find(kWho);
  const auto what = archive.real.find(kWhat);
  if (who == archive.integer.end() && what == archive.real.end()) return {};
  if (who == archive.integer.end() || what == archive.real.end() || who->second.size() % kIntegers != 0 ||
      what->second.size() / kNumbers != who->second.size() / kIntegers || what->second.size() % kNumbers != 0)
    throw FileError("the checkpoint is damaged: its arrays of shown contacts have other lengths than each other");
  std::vector<FrameContact> contacts(who->second.size() / kIntegers);
  const std::int64_t* ends = who->second.data();
  const double* next = what->second.data();
  for (FrameContact& c : contacts) {
    const bool at_wall = ends[1] == -1;
    const bool fits = ends[0] >= 0 && ends[0] < ids && ends[1] >= -1 && ends[1] < ids &&
                      (at_wall ? ends[2] >= 0 && ends[2] < static_cast<std::int64_t>(walls) : ends[2] == -1) &&
                      ends[3] >= INT32_MIN && ends[3] <= INT32_MAX;
    if (!fits)
      throw FileError(fmt::format("the checkpoint is damaged: it shows a contact of particle {} with {}", ends[0],
                                  at_wall ? fmt::format("wall {}", ends[2]) : fmt::format("particle {}", ends[1])));
    c.i = ends[0];
    c.j = ends[1];
    c.wall = static_cast<std::int32_t>(ends[2]);
    c.patch = static_cast<std::int32_t>(ends[3]);
    ends += kIntegers;
    for_each_number(c, [&](double& number) { number = *next++; });
  }
  return contacts;
}

}  // namespace areia
