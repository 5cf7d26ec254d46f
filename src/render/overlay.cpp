#include "render/overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/canvas.h"
#include "render/legend.h"
#include "render/text.h"

namespace areia::picture {

namespace {

constexpr const char *kInk = "#2d2d2d", *kArrow = "#1a1a1a";

void arrow(plot::ImageCanvas& canvas, const plot::Point& from, const plot::Point& to, double width,
           const std::string& colour) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  if (!(length > 0) || !std::isfinite(length)) return;
  const double ux = dx / length, uy = dy / length, head = std::min(4 * width, 0.6 * length);
  const plot::Point neck{to.x - head * ux, to.y - head * uy};
  canvas.line(from, neck, {colour, width});
  canvas.path({{to,
                {neck.x + 0.5 * head * uy, neck.y - 0.5 * head * ux},
                {neck.x - 0.5 * head * uy, neck.y + 0.5 * head * ux}}},
              true, {"", 0, "", colour});
}

}  // namespace

void write_caption(Image& image, const Frame& frame) {
  const double u = unit_of(image), large = 13 * u, small = 10 * u, room = image.width - 24 * u;
  const std::string title = fitted(frame.title, large, room, true);
  std::string line = fmt::format("t = {:.6g} s", frame.time);
  if (!frame.stage.empty()) line += fmt::format("   {}", frame.stage);
  const std::size_t grains = frame.particles.id.size();
  line += fmt::format("   {} {}", grains, grains == 1 ? "grain" : "grains");
  line = fitted(line, small, room);
  const double second = (title.empty() ? 20 : 36) * u;
  const double width = std::max(text_width(title, large, true), text_width(line, small));
  make_pale(image, 8 * u, 6 * u, 16 * u + width, second + 5 * u);
  TextLook look;
  look.size = large;
  look.bold = true;
  draw_text(image, 12 * u, 20 * u, title, look);
  look.size = small;
  look.bold = false;
  draw_text(image, 12 * u, second, line, look);
}

void draw_axes(Image& image, const Camera& camera) {
  const double u = unit_of(image), reach = 22 * u;
  const plot::Point origin{34 * u, image.height - 34 * u};
  plot::ImageCanvas canvas(image);
  struct Axis {
    Vec3d towards;
    const char *name, *colour;
  };
  std::vector<Axis> axes{{camera.turned({1, 0, 0}), "x", "#b3261e"},
                         {camera.turned({0, 1, 0}), "y", "#1a7f37"},
                         {camera.turned({0, 0, 1}), "z", "#1f4fd1"}};
  // those that point away from the viewer first
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.towards.z > b.towards.z; });
  for (const Axis& a : axes) {
    const double seen = std::hypot(a.towards.x, a.towards.y);
    if (seen < 0.05) continue;
    arrow(canvas, origin, {origin.x + reach * a.towards.x, origin.y - reach * a.towards.y}, 1.6 * u, a.colour);
    const double out = (reach * seen + 7 * u) / seen;
    canvas.text({origin.x + out * a.towards.x, origin.y - out * a.towards.y + 3.4 * u}, a.name,
                {9.6 * u, plot::Anchor::middle, a.colour});
  }
}

std::string length_text(double metres) {
  struct Unit {
    double size;
    const char* name;
  };
  static constexpr Unit kUnits[] = {{1e3, "km"}, {1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}};
  for (const Unit& unit : kUnits)
    if (metres >= 0.999 * unit.size) return fmt::format("{:.4g} {}", metres / unit.size, unit.name);
  return fmt::format("{:.3g} m", metres);
}

void draw_scale_bar(Image& image, const Camera& camera, int supersampling, double z, double right) {
  const double per_metre = camera.samples_per_length(z) / supersampling;  // pixels
  if (!(per_metre > 0) || !std::isfinite(per_metre)) return;
  const double u = unit_of(image);
  double shown = round_step(5 * 0.12 * image.width / per_metre);  // a fifth of the range, rounded upwards
  const double x1 = right - 10 * u, x0 = x1 - shown * per_metre, y = image.height - 14 * u;
  make_pale(image, x0 - 5 * u, y - 17 * u, x1 + 5 * u, y + 6 * u);
  plot::ImageCanvas canvas(image);
  const plot::Look look{kInk, 1.4 * u};
  canvas.path({{{x0, y - 3 * u}, {x0, y + 3 * u}}, {{x0, y}, {x1, y}}, {{x1, y - 3 * u}, {x1, y + 3 * u}}}, false,
              look);
  canvas.text({0.5 * (x0 + x1), y - 6 * u}, length_text(shown), {9.6 * u, plot::Anchor::middle, kInk});
}

void draw_arrows(Image& image, const Camera& camera, int supersampling, const std::vector<Arrow>& arrows) {
  const double u = unit_of(image);
  plot::ImageCanvas canvas(image);
  for (const Arrow& a : arrows) {
    const Vec3d end = a.from + a.along;
    if (camera.perspective && (a.from.z <= camera.nearest || end.z <= camera.nearest)) continue;
    const auto p = camera.project(a.from), q = camera.project(end);
    const double s = 1.0 / supersampling;
    arrow(canvas, {s * p[0], s * p[1]}, {s * q[0], s * q[1]}, 0.9 * u, kArrow);
  }
}

void explain_arrows(Image& image, double length, double speed) {
  const double u = unit_of(image), left = image.width - legend_width(image) + 4 * u, y = legend_bottom(image) + 32 * u;
  make_pale(image, left - 4 * u, y - 8 * u, image.width, y + 18 * u);
  plot::ImageCanvas canvas(image);
  arrow(canvas, {left, y}, {left + std::min(length, image.width - left - 4 * u), y}, 0.9 * u, kArrow);
  canvas.text({left, y + 14 * u}, fmt::format("{:.3g} m/s", speed), {9.6 * u, plot::Anchor::start, kInk});
}

}  // namespace areia::picture
