#include "render/chains.h"

#include <algorithm>
#include <cmath>

#include "io/frames/contact_lines.h"

namespace areia::picture {

namespace {
constexpr double kWeakest = 0.04, kBondAtLeast = 0.1;  // of the scale
}

std::vector<ForceLine> force_lines(const Frame& frame, bool contacts, bool bonds) {
  std::vector<ForceLine> lines;
  if (contacts)
    for (const FrameContact& contact : frame.contacts) {
      const auto [from, to] = contact_line(frame, contact);
      lines.push_back({from, to, contact.normal, false});
    }
  if (bonds)
    for (const FrameBond& bond : frame.bonds) {
      const auto line = bond_line(frame, bond);
      const bool pulls = dot(bond.force, line[3] - line[0]) > 0;  // i towards j
      lines.push_back({line[0], line[3], pulls ? -norm(bond.force) : norm(bond.force), true});
    }
  return lines;
}

ColourScale force_scale(const std::vector<ForceLine>& lines) {
  std::vector<double> sizes;
  for (const ForceLine& line : lines)
    if (std::isfinite(line.force)) sizes.push_back(std::abs(line.force));
  if (sizes.empty()) return {0, 0};
  const auto rank = static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(sizes.size() - 1));
  std::nth_element(sizes.begin(), sizes.begin() + rank, sizes.end());
  const double high = sizes[static_cast<std::size_t>(rank)];
  return {0, high, *std::max_element(sizes.begin(), sizes.end()) > high};
}

bool some_pull(const std::vector<ForceLine>& lines, const ColourScale& scale) {
  return scale.high > 0 && std::any_of(lines.begin(), lines.end(),
                                       [&](const ForceLine& line) { return -line.force >= kWeakest * scale.high; });
}

Chains chains_of(const std::vector<ForceLine>& lines, const ColourScale& scale, const Camera& camera, double radius,
                 const std::vector<HalfSpace>& kept, bool dark) {
  Chains chains;
  for (const ForceLine& line : lines) {
    const double strength = scale.high > 0 ? std::min(1.0, std::abs(line.force) / scale.high) : 0;
    const double shown = std::max(strength, line.bond ? kBondAtLeast : 0.0);
    if (!(shown >= kWeakest)) continue;
    const Vec3d from = camera.to_camera(line.from), to = camera.to_camera(line.to);
    const Vec3d middle = 0.5 * (from + to);
    if (!is_kept(kept, middle) || (camera.perspective && middle.z <= camera.nearest)) continue;
    const double width = radius * camera.samples_per_length(middle.z) * std::pow(shown, 0.7);
    chains.lines.push_back({from, to, std::clamp(width, 1.0, 200.0)});
    if (line.force < 0) chains.colours.push_back(dark ? dark_pull_colour(strength) : pull_colour(strength));
    else chains.colours.push_back(dark ? dark_chain_colour(strength) : chain_colour(strength));
  }
  return chains;
}

double mean_radius(const Frame& frame) {
  double sum = 0;
  for (const double radius : frame.particles.radius) sum += radius;
  return frame.particles.radius.empty() ? 0 : sum / static_cast<double>(frame.particles.radius.size());
}

}  // namespace areia::picture
