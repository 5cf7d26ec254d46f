#include "engine/ranks/link.h"

#include "engine/ranks/wire.h"

namespace areia::ranks {

void broadcast(Link& link, Message& message) {
  const int rank = link.rank(), size = link.size();
  int bit = 1;
  while (bit < size && (rank & bit) == 0) bit <<= 1;  // whoever has a lowest bit set hears from the one without it
  if (rank > 0) link.receive(rank & ~bit, message);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (rank + bit < size) link.send(rank + bit, message);
  link.finish_sends();
}

std::vector<Message> gather(Link& link, const Message& own) {
  if (link.rank() > 0) {
    link.send(0, own);
    link.finish_sends();
    return {};
  }
  std::vector<Message> all(static_cast<std::size_t>(link.size()));
  all[0] = own;
  for (int r = 1; r < link.size(); ++r) link.receive(r, all[static_cast<std::size_t>(r)]);
  return all;
}

std::vector<Message> gather_everywhere(Link& link, const Message& own) {
  std::vector<Message> all = gather(link, own);
  Writer joined;
  for (const Message& m : all) joined.put(m);
  Message text = joined.message();
  broadcast(link, text);
  Reader reader(text);
  all.resize(static_cast<std::size_t>(link.size()));
  for (Message& m : all) reader.get(m);
  return all;
}

std::vector<Message> swap_messages(Link& link, const std::vector<Message>& to) {
  const int rank = link.rank(), size = link.size();
  std::vector<Message> from(to.size());
  from[static_cast<std::size_t>(rank)] = to[static_cast<std::size_t>(rank)];
  for (int k = 1; k < size; ++k) {  // each begins with the next, so that no one hears from all at once
    const int r = (rank + k) % size;
    link.send(r, to[static_cast<std::size_t>(r)]);
  }
  for (int k = 1; k < size; ++k) {
    const int r = (rank + size - k) % size;
    link.receive(r, from[static_cast<std::size_t>(r)]);
  }
  link.finish_sends();
  return from;
}

}  // namespace areia::ranks
