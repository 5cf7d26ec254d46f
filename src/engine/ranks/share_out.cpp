// Bodies are shared out: at first all of them from rank 0, later whenever lists are made anew.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "areia/error.h"
#include "engine/cpu/cpu_snapshot.h"
#include "engine/ranks/share.h"

namespace areia::ranks {

namespace {

constexpr double kMostUneven = 1.05;  // the largest share over the mean; above it the curve is cut anew

// A sum over ids that tells sets of them apart.
std::uint64_t scattered(std::int64_t id) {
  auto a = static_cast<std::uint64_t>(id) + 0x9e3779b97f4a7c15u;
  a = (a ^ (a >> 30)) * 0xbf58476d1ce4e5b9u;
  a = (a ^ (a >> 27)) * 0x94d049bb133111ebu;
  return a ^ (a >> 31);
}

std::vector<Vec3d> places_of(const std::vector<Body>& bodies) {
  std::vector<Vec3d> x;
  x.reserve(bodies.size());
  for (const Body& b : bodies) x.push_back(b.x);
  return x;
}

}  // namespace

void Share::forget(std::uint32_t id) {
  all_bodies_ -= 1;
  all_ids_ -= scattered(id);
}

// What all ranks have to know of the bodies of all.
struct Share::Stock {
  Vec3d low, high;                                      // of centres
  Vec3d velocity;                                       // sum
  double bodies = 0, most = 0;                          // of all ranks, of one
  double largest = 0, fastest = 0, skin = 0, gap = -1;  // radius; speed; wanted; widest of a contact
  std::uint64_t ids = 0;

  void join(const Stock& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
    velocity += b.velocity;
    bodies += b.bodies;
    most = std::max(most, b.most);
    largest = std::max(largest, b.largest);
    fastest = std::max(fastest, b.fastest);
    skin = std::max(skin, b.skin);
    gap = std::max(gap, b.gap);
    ids += b.ids;
  }
};

Share::Stock Share::take_stock(const std::vector<Body>& own, double gap) {
  constexpr double kFar = std::numeric_limits<double>::max();
  Stock s;
  s.low = {kFar, kFar, kFar};
  s.high = -s.low;
  s.bodies = s.most = static_cast<double>(own.size());
  s.skin = lists_.skin();
  s.gap = gap;
  for (const Body& b : own) {
    s.low = {std::min(s.low.x, b.x.x), std::min(s.low.y, b.x.y), std::min(s.low.z, b.x.z)};
    s.high = {std::max(s.high.x, b.x.x), std::max(s.high.y, b.x.y), std::max(s.high.z, b.x.z)};
    s.velocity += b.v;
    s.largest = std::max(s.largest, b.radius);
    s.fastest = std::max(s.fastest, norm(b.v));
    s.ids += scattered(b.id);
  }
  Writer told;
  told.put(s);
  const std::vector<Message> all = gather(link_, told.message());
  for (std::size_t r = 1; r < all.size(); ++r) s.join(Reader(all[r]).get<Stock>());
  told.clear();
  told.put(s);
  Message message = told.message();
  broadcast(link_, message);
  return Reader(message).get<Stock>();
}

void Share::take(const WorldState& world, const std::vector<Body>& bodies, const SnapshotContacts& contacts) {
  const Grid bookings = world_.now().ledger.wall_work.grid();
  world_.go_on_from(world);
  if (link_.rank() > 0) world_.now().ledger = LedgerSums(bookings);  // what was booked so far is in that of rank 0
  world_.set_fields(world_.time());
  shown_ = false;
  cut_.reset();
  chunks_.all.clear();
  state_.copies_before = state_.copies_behind = 0;
  state_.gone = 0;
  state_.resize(bodies.size());
  for (std::uint32_t i = 0; i < bodies.size(); ++i) put_body(bodies[i], i);
  const double gap = contacts.size() > 0 ? cpu::widest_gap(contacts, state_, world_) : 0;
  share_out(bodies, contacts, gap, true);
}

void Share::share_out_anew() {
  std::vector<Body> own;
  own.reserve(state_.own_end() - state_.own_begin());
  for (std::uint32_t i = state_.own_begin(); i < state_.own_end(); ++i)
    if (!state_.is_gone(i)) own.push_back(body_in(i));
  SnapshotContacts contacts;
  cpu::keep_contacts(state_, world_.scene(), chunks_, laws_, contacts, true);
  const double gap = contacts.size() > 0 ? cpu::widest_gap(contacts, state_, world_) : 0;
  world_.now().ledger = forces_.booked();
  chunks_.all.clear();
  lists_.choose_skin();
  share_out(std::move(own), std::move(contacts), gap, false);
}

void Share::share_out(std::vector<Body> own, SnapshotContacts contacts, double gap, bool first) {
  const Stock stock = take_stock(own, gap);
  if (first) {
    all_bodies_ = stock.bodies;
    all_ids_ = stock.ids;
    lists_.expect(world_.dt() * stock.fastest, stock.gap);
  }
  const double skin = first ? lists_.skin() : std::max(stock.skin, stock.gap);
  const bool uneven = stock.most * link_.size() > kMostUneven * stock.bodies;
  if (!cut_ || uneven || random_cuts_)
    cut_ = make_cut(link_, places_of(own), stock.low, stock.high, random_cuts_ ? &random_ : nullptr);

  migrate(own, contacts);
  const std::vector<std::vector<std::uint32_t>> given = needed_elsewhere(own, skin, stock.largest);
  std::vector<Message> to;
  for (const std::vector<std::uint32_t>& bodies : given) {
    Writer w;
    std::vector<Body> copies;
    for (const std::uint32_t k : bodies) copies.push_back(own[k]);
    w.put(copies);
    to.push_back(w.message());
  }
  std::vector<std::vector<Body>> copies;
  for (const Message& m : swap_messages(link_, to)) Reader(m).get(copies.emplace_back());

  lay_out(own, given, copies);
  const Vec3d flow = stock.bodies > 0 ? (world_.dt() / stock.bodies) * stock.velocity : Vec3d{};
  lists_.list_shared(skin, flow);
  cpu::take_over_contacts(in_order(contacts), state_, world_.scene(), chunks_, laws_);
  forces_.contacts().address_letters();
  lists_.pick_walls();
}

// A contact goes where its bodies go. Each rank sends those of the bodies that it has owned; who comes to own both
// bodies of a pair gets the contact from both sides, and keeps one (in_order).
void Share::migrate(std::vector<Body>& own, SnapshotContacts& contacts) {
  struct Owner {
    std::int64_t id;
    int rank;
  };
  std::vector<Owner> owners;
  const auto ranks = static_cast<std::size_t>(link_.size());
  std::vector<std::vector<Body>> bodies(ranks);
  for (const Body& b : own) {
    const int rank = cut_->owner(b.x);
    owners.push_back({b.id, rank});
    bodies[static_cast<std::size_t>(rank)].push_back(b);
  }
  std::sort(owners.begin(), owners.end(), [](const Owner& a, const Owner& b) { return a.id < b.id; });
  const auto owner_of = [&](std::int64_t id) {  // -1: it was not of this rank
    const auto at =
        std::lower_bound(owners.begin(), owners.end(), id, [](const Owner& a, std::int64_t b) { return a.id < b; });
    return at != owners.end() && at->id == id ? at->rank : -1;
  };
  std::vector<SnapshotContacts> with(ranks);
  ContactPlaces at;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const int i = owner_of(contacts.i[k]), j = contacts.j[k] < 0 ? -1 : owner_of(contacts.j[k]);
    if (i >= 0) add_contact(contacts, k, at, with[static_cast<std::size_t>(i)]);
    if (j >= 0 && j != i) add_contact(contacts, k, at, with[static_cast<std::size_t>(j)]);
    at.history += static_cast<std::size_t>(contacts.numbers[k]);
    at.place += contacts.j[k] < 0;
  }
  std::vector<Message> to;
  for (std::size_t r = 0; r < ranks; ++r) {
    Writer w;
    w.put(bodies[r]);
    put_contacts(w, with[r]);
    to.push_back(w.message());
  }
  own.clear();
  contacts = {};
  for (const Message& m : swap_messages(link_, to)) {
    Reader reader(m);
    std::vector<Body> more;
    reader.get(more);
    own.insert(own.end(), more.begin(), more.end());
    add_contacts(reader, contacts);
  }
}

// By rank, the own bodies (their numbers) that may come within the skin of one of its bodies: those that are so near
// one of its boxes. No body was lost on the way, and none came twice.
std::vector<std::vector<std::uint32_t>> Share::needed_elsewhere(const std::vector<Body>& own, double skin,
                                                                double largest) {
  std::vector<double> radii;
  std::uint64_t ids = 0;
  for (const Body& b : own) {
    radii.push_back(b.radius);
    ids += scattered(b.id);
  }
  const Boxes boxes = boxes_around(*cut_, places_of(own), radii);
  Writer told;
  told.put(static_cast<double>(own.size()));
  told.put(ids);
  told.put(boxes.all);
  std::vector<std::vector<Around>> theirs;
  double all = 0;
  ids = 0;
  for (const Message& m : gather_everywhere(link_, told.message())) {
    Reader reader(m);
    all += reader.get<double>();
    ids += reader.get<std::uint64_t>();
    reader.get(theirs.emplace_back());
  }
  if (all != all_bodies_ || ids != all_ids_)
    throw StoppedError(
        fmt::format("at t = {:.9g} s (step {}) the ranks hold {} bodies in place of {}, or others; "
                    "this is a defect of areia",
                    world_.time(), world_.now().count.step, all, all_bodies_));

  const double reach = skin + laws_.reach(largest);
  const auto near = [&](const Around& a, const Around& b) {
    const double within = (1 + 1e-12) * (reach + a.largest + b.largest);
    return distance2(world_.periodicity(), a, b) <= within * within;
  };
  std::vector<std::vector<std::uint32_t>> needed(theirs.size());
  for (std::size_t r = 0; r < theirs.size(); ++r) {
    if (static_cast<int>(r) == link_.rank()) continue;
    std::vector<std::vector<const Around*>> of_box(boxes.all.size());
    for (std::size_t k = 0; k < boxes.all.size(); ++k)
      for (const Around& other : theirs[r])
        if (near(boxes.all[k], other)) of_box[k].push_back(&other);
    for (std::uint32_t i = 0; i < own.size(); ++i) {
      const std::vector<const Around*>& others = of_box[boxes.of[i]];
      const Around alone{own[i].x, own[i].x, own[i].radius};
      if (std::any_of(others.begin(), others.end(), [&](const Around* other) { return near(alone, *other); }))
        needed[r].push_back(i);
    }
  }
  return needed;
}

// Copies of lower ranks, own bodies, copies of higher ranks, each along the curve.
void Share::lay_out(const std::vector<Body>& own, const std::vector<std::vector<std::uint32_t>>& given,
                    const std::vector<std::vector<Body>>& copies) {
  const int rank = link_.rank();
  struct Place {
    const Body* body;
    int from;
    std::uint32_t number;  // among those of this rank
  };
  std::array<std::vector<Place>, 3> groups;
  for (int r = 0; r < link_.size(); ++r) {
    const std::vector<Body>& bodies = r == rank ? own : copies[static_cast<std::size_t>(r)];
    for (std::uint32_t k = 0; k < bodies.size(); ++k)
      groups[r < rank ? 0 : r == rank ? 1 : 2].push_back({&bodies[k], r, k});
  }
  state_.gone = 0;
  state_.copies_before = static_cast<std::uint32_t>(groups[0].size());
  state_.copies_behind = static_cast<std::uint32_t>(groups[2].size());
  state_.resize(groups[0].size() + groups[1].size() + groups[2].size());
  std::vector<std::uint32_t> slot(own.size());
  std::vector<Neighbour> neighbours(copies.size());
  for (std::size_t r = 0; r < copies.size(); ++r) {
    neighbours[r].rank = static_cast<int>(r);
    neighbours[r].copied.resize(copies[r].size());
  }
  std::uint32_t next = 0;
  for (const std::vector<Place>& group : groups) {
    std::vector<Vec4> positions;
    double radii = 0;
    for (const Place& p : group) {
      positions.push_back({p.body->x.x, p.body->x.y, p.body->x.z, p.body->radius});
      radii += p.body->radius;
    }
    const double edge = group.empty() ? 1 : 2 * radii / static_cast<double>(group.size()) + lists_.skin();
    for (const std::uint32_t k : spatial_order(positions, cut_->origin, edge)) {
      const Place& p = group[k];
      if (p.from == rank) slot[p.number] = next;
      else neighbours[static_cast<std::size_t>(p.from)].copied[p.number] = next;
      put_body(*p.body, next++);
    }
  }
  neighbours_.clear();
  for (std::size_t r = 0; r < neighbours.size(); ++r) {
    for (const std::uint32_t k : given[r]) neighbours[r].sent.push_back(slot[k]);
    if (!neighbours[r].sent.empty() || !neighbours[r].copied.empty()) neighbours_.push_back(std::move(neighbours[r]));
  }
}

}  // namespace areia::ranks
