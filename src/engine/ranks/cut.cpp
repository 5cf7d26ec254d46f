#include "engine/ranks/cut.h"

#include <cmath>

#include "engine/ranks/wire.h"

namespace areia::ranks {

namespace {

constexpr std::size_t kShown = 1024;  // of a rank's bodies, for a cut
constexpr std::size_t kMostBoxes = 128;
constexpr double kCells = 0x1p20;  // along an axis

struct Sample {
  std::uint64_t number;
  double weight;
};

std::vector<std::uint64_t> sorted_numbers(const Cut& cut, const std::vector<Vec3d>& places) {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(places.size());
  for (const Vec3d& x : places) numbers.push_back(cut.number(x));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// So that each run has its share of the sum of the weights.
std::vector<std::uint64_t> cut_evenly(const std::vector<Sample>& samples, int runs) {
  double all = 0;
  for (const Sample& s : samples) all += s.weight;
  std::vector<std::uint64_t> first;
  double before = 0;
  for (const Sample& s : samples) {
    while (static_cast<int>(first.size()) + 1 < runs && before >= all * static_cast<double>(first.size() + 1) / runs)
      first.push_back(s.number);
    before += s.weight;
  }
  first.resize(static_cast<std::size_t>(runs - 1), ~std::uint64_t{0});
  return first;
}

std::vector<std::uint64_t> cut_at_random(const std::vector<Sample>& samples, int runs, std::mt19937_64& random) {
  std::vector<std::uint64_t> first;
  for (int r = 1; r < runs; ++r)
    first.push_back(samples.empty() || random() % 8 == 0 ? 0 : samples[random() % samples.size()].number);
  std::sort(first.begin(), first.end());
  return first;
}

}  // namespace

Cut make_cut(Link& link, const std::vector<Vec3d>& places, const Vec3d& low, const Vec3d& high,
             std::mt19937_64* random) {
  Cut cut;
  const Vec3d extent = high - low;
  const double longest = std::max({extent.x, extent.y, extent.z});
  cut.origin = low;
  cut.edge = longest > 0 ? longest / kCells : 1;
  const std::vector<std::uint64_t> numbers = sorted_numbers(cut, places);
  const std::size_t shown = std::min(kShown, numbers.size());
  std::vector<Sample> samples;
  for (std::size_t k = 0; k < shown; ++k)
    samples.push_back(
        {numbers[k * numbers.size() / shown], static_cast<double>(numbers.size()) / static_cast<double>(shown)});
  Writer own;
  own.put(samples);
  std::vector<Message> all = gather(link, own.message());
  Writer told;
  if (link.rank() == 0) {
    samples.clear();
    for (const Message& m : all) {
      std::vector<Sample> more;
      Reader(m).get(more);
      samples.insert(samples.end(), more.begin(), more.end());
    }
    std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.number < b.number; });
    told.put(random ? cut_at_random(samples, link.size(), *random) : cut_evenly(samples, link.size()));
  }
  Message first = told.message();
  broadcast(link, first);
  Reader(first).get(cut.first);
  return cut;
}

Boxes boxes_around(const Cut& cut, const std::vector<Vec3d>& places, const std::vector<double>& radii) {
  const std::vector<std::uint64_t> numbers = sorted_numbers(cut, places);
  const auto cells = [&](int shift) {
    std::size_t n = 0;
    for (std::size_t k = 0; k < numbers.size() && n <= kMostBoxes; ++k)
      n += k == 0 || numbers[k] >> shift != numbers[k - 1] >> shift;
    return n;
  };
  int shift = 60;
  while (shift >= 3 && cells(shift - 3) <= kMostBoxes) shift -= 3;
  std::vector<std::uint64_t> cell;
  for (const std::uint64_t number : numbers)
    if (cell.empty() || cell.back() != number >> shift) cell.push_back(number >> shift);
  Boxes boxes;
  boxes.all.assign(cell.size(), {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0});
  boxes.of.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Vec3d& x = places[i];
    const auto at = std::lower_bound(cell.begin(), cell.end(), cut.number(x) >> shift) - cell.begin();
    boxes.of.push_back(static_cast<std::uint32_t>(at));
    Around& box = boxes.all[static_cast<std::size_t>(at)];
    box.low = {std::min(box.low.x, x.x), std::min(box.low.y, x.y), std::min(box.low.z, x.z)};
    box.high = {std::max(box.high.x, x.x), std::max(box.high.y, x.y), std::max(box.high.z, x.z)};
    box.largest = std::max(box.largest, radii[i]);
  }
  return boxes;
}

double distance2(const Periodicity& periodicity, const Around& a, const Around& b) {
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const auto apart = [&](double shift) {
      return std::max({0.0, component(b.low, axis) - component(a.high, axis) - shift,
                       component(a.low, axis) + shift - component(b.high, axis)});
    };
    double d = apart(0);
    if (periodicity.on[static_cast<std::size_t>(axis)])
      for (const double shift : {-component(periodicity.length, axis), component(periodicity.length, axis)})
        d = std::min(d, apart(shift));
    sum += d * d;
  }
  return sum;
}

}  // namespace areia::ranks
