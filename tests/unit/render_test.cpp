#include "render/render.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "areia/error.h"
#include "io/sample_frame.h"
#include "io/scenes.h"
#include "render/colour.h"
#include "render/legend.h"

using namespace areia;
using namespace areia::testing_support;

namespace {

std::array<int, 3> pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = image.rgb.data() + (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3;
  return {p[0], p[1], p[2]};
}

// Share of pixels with a colour, not grey: the grains.
double coloured_share(const Image& image, int width) {
  int coloured = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto p = pixel(image, x, y);
      coloured += *std::max_element(p.begin(), p.end()) - *std::min_element(p.begin(), p.end()) > 30;
    }
  return static_cast<double>(coloured) / (static_cast<double>(width) * image.height);
}

}  // namespace

TEST(Render, SameBytesAgainAndOnAnyNumberOfThreads) {
  RenderOptions options;
  options.width = 320;
  options.height = 240;
  const Frame frame = box_scene();
  const int threads = omp_get_max_threads();
  const std::string first = encode_png(render(frame, options));
  EXPECT_EQ(encode_png(render(frame, options)), first);
  for (const int count : {1, 2, 3, 8}) {
    omp_set_num_threads(count);
    EXPECT_EQ(encode_png(render(frame, options)), first) << count << " threads";
  }
  omp_set_num_threads(threads);
  EXPECT_EQ(first.substr(1, 3), "PNG");
}

TEST(Render, GrainsFillThePictureAndTheBackgroundIsWhite) {
  RenderOptions options;
  options.width = 600;
  options.height = 450;
  options.axes = false;
  const Image image = render(box_scene(), options);
  for (const auto& [x, y] : {std::pair{0, 0}, {599, 0}, {0, 449}, {599, 449}})
    EXPECT_EQ(pixel(image, x, y), (std::array{255, 255, 255}));
  const double share = coloured_share(image, 500);
  EXPECT_GT(share, 0.25);
  EXPECT_LT(share, 0.75);
}

// One sphere, looked at along -z without perspective: a disc of the expected area in the middle.
TEST(Render, SphereIsADiscOfTheRightSize) {
  Frame frame = sample_frame(1);
  frame.walls.clear();
  frame.particles.x[0] = {3, 4, 5};
  frame.particles.radius[0] = 0.5;
  RenderOptions options;
  options.width = options.height = 200;
  options.flat_axis = 2;
  options.up = {0, 1, 0};
  options.legend = options.text = options.axes = false;
  options.view = Box{{2, 3, 4}, {4, 5, 6}};
  const Image image = render(frame, options);
  // The view of 2 m takes the picture less the margins of 14 units of 0.75 pixels on each side.
  const double scale = (200 - 2 * 14 * 0.75) / 2;
  const double disc = 3.14159 * 0.25 * scale * scale;
  EXPECT_NEAR(coloured_share(image, 200) * 200 * 200, disc, 0.06 * disc);
  EXPECT_NE(pixel(image, 100, 100), (std::array{255, 255, 255}));
  EXPECT_EQ(pixel(image, 100 + int(0.55 * scale), 100), (std::array{255, 255, 255}));
}

TEST(Render, NearerGrainHidesTheOther) {
  Frame frame = sample_frame(2);
  frame.walls.clear();
  frame.contacts.clear();
  frame.particles.x = {{0, 0, 0}, {0, 0, 3}};
  frame.particles.radius = {1, 1};
  frame.particles.group = {0, 1};
  RenderOptions options;
  options.width = options.height = 100;
  options.flat_axis = 2;
  options.up = {0, 1, 0};
  options.colour_by = "group";
  options.legend = options.text = options.axes = false;
  const auto seen = pixel(render(frame, options), 50, 50);
  frame.particles.x = {{0, 0, 3}, {0, 0, 0}};
  const auto other = pixel(render(frame, options), 50, 50);
  EXPECT_GT(seen[0], seen[2]);    // orange before blue
  EXPECT_LT(other[0], other[2]);  // blue before orange
}

TEST(Render, StrayGrainDoesNotShrinkTheOthers) {
  Frame frame = heap_scene(0.03);
  const Box before = automatic_view(frame);
  frame.particles.x.back() = {5000, 0, -9000};
  frame.particles.v.back() = {1e6, 0, 0};
  const Box after = automatic_view(frame);
  EXPECT_LT(after.max.x - after.min.x, 1.5 * (before.max.x - before.min.x));
  RenderOptions options;
  EXPECT_LT(colour_scale(frame, options).high, 2.0);
  EXPECT_TRUE(colour_scale(frame, options).beyond);
}

TEST(Render, EmptyAndBrokenFramesAreDrawn) {
  RenderOptions options;
  options.width = 160;
  options.height = 120;
  EXPECT_EQ(render(Frame{}, options).rgb.size(), 160u * 120u * 3u);
  Frame frame = sample_frame(20);
  frame.particles.x[3] = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
  frame.particles.v[4] = {std::numeric_limits<double>::infinity(), 0, 0};
  frame.particles.radius[5] = 0;
  options.contacts = true;
  EXPECT_NO_THROW(render(frame, options));
  for (const std::string& name : colour_names(frame)) {
    options.colour_by = name;
    options.contacts = false;
    EXPECT_NO_THROW(render(frame, options)) << name;
  }
  options.colour_by = "temperature";
  EXPECT_THROW(render(frame, options), InputError);
}

TEST(Render, ImpossibleOptionsAreTold) {
  RenderOptions options;
  options.width = 0;
  EXPECT_THROW(render(Frame{}, options), InputError);
  options = {};
  options.up = {0, 0, 0};
  EXPECT_THROW(render(Frame{}, options), InputError);
  options = {};
  options.direction = Vec3d{0, 0, -1};  // straight down along `up` must work
  options.width = options.height = 64;
  EXPECT_NO_THROW(render(sample_frame(10), options));
}

TEST(Render, TicksAreRound) {
  EXPECT_EQ(round_ticks(0, 1, false), (std::vector{0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0}));
  EXPECT_EQ(round_ticks(0, 7, true), (std::vector{0.0, 2.0, 4.0, 6.0}));
  EXPECT_EQ(round_ticks(0, 3, true), (std::vector{0.0, 1.0, 2.0, 3.0}));
  EXPECT_EQ(round_ticks(5, 5, false), (std::vector{5.0}));
}

// Lightness of the map rises all the way, so that it also reads in grey print.
TEST(Render, ColourMapGetsLighter) {
  double last = -1;
  for (int k = 0; k <= 20; ++k) {
    const picture::Colour c = picture::map_colour(k / 20.0);
    const double luminance = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
    EXPECT_GT(luminance, last);
    last = luminance;
  }
}
