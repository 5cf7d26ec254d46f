// Pictures for the page without a graphics card: what is where, in which colour, and what a pixel belongs to.
#include "render/draw.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <atomic>
#include <cmath>

#include "areia/error.h"
#include "io/sample_frame.h"
#include "io/scenes.h"
#include "render/camera.h"
#include "render/canvas.h"
#include "render/colour.h"
#include "render/in_parallel.h"
#include "render/lighting.h"
#include "render/overlay.h"
#include "render/plot.h"
#include "render/run_plots.h"
#include "render/text.h"
#include "render/ticks.h"
#include "render/wall_shapes.h"

using namespace areia;
using namespace areia::testing_support;

namespace {

std::array<int, 3> pixel(const Image& image, int x, int y) {
  const std::uint8_t* p = image.rgb.data() + (std::size_t(y) * std::size_t(image.width) + std::size_t(x)) * 3;
  return {p[0], p[1], p[2]};
}

std::int32_t what(const Drawing& d, int x, int y) {
  return d.what[std::size_t(y) * std::size_t(d.image.width) + std::size_t(x)];
}

// Grains at given places, of radius 0.5, at rest.
Frame grains_at(const std::vector<Vec3d>& places) {
  Frame frame;
  for (std::size_t k = 0; k < places.size(); ++k) {
    frame.particles.id.push_back(static_cast<std::int64_t>(10 * k + 7));
    frame.particles.x.push_back(places[k]);
    frame.particles.v.push_back({0, 0, 0});
    frame.particles.w.push_back({0, 0, 0});
    frame.particles.q.push_back({1, 0, 0, 0});
    frame.particles.radius.push_back(0.5);
  }
  return frame;
}

FrameWall wall(const std::string& name, const std::vector<Vec3d>& points,
               std::vector<std::vector<std::int32_t>> polygons) {
  FrameWall w;
  w.name = name;
  w.vertices = points;
  w.polygons = std::move(polygons);
  return w;
}

// A tube along z around the origin.
FrameWall tube(double radius, double low, double high) {
  FrameWall w;
  w.name = "tube";
  constexpr int kSides = 24;
  for (int k = 0; k < kSides; ++k) {
    const double angle = 2 * 3.14159265358979 * k / kSides;
    w.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), low});
    w.vertices.push_back({radius * std::cos(angle), radius * std::sin(angle), high});
    const int next = (k + 1) % kSides;
    w.polygons.push_back({2 * k, 2 * next, 2 * next + 1, 2 * k + 1});
  }
  return w;
}

// From 10 m away along y, 2 m of height across 200 pixels at the origin.
DrawOptions from_the_front() {
  DrawOptions o;
  o.width = o.height = 200;
  o.camera.eye = {0, -10, 0};
  o.camera.field_of_view = 2 * std::atan(0.1) * 180 / 3.14159265358979;
  o.colour_by = "height";
  return o;
}

}  // namespace

TEST(Draw, WhatIsInEachPixel) {
  Frame frame = grains_at({{0, 0, 0}, {0.2, 3, 0}, {-0.8, 0, 0.8}});
  const Drawing d = draw(frame, from_the_front());
  EXPECT_EQ(what(d, 100, 100), 0) << "the nearer of two";
  EXPECT_EQ(what(d, 30, 30), 2) << "x to the right, z upwards";
  EXPECT_EQ(what(d, 170, 170), Drawing::kNothing);
  EXPECT_EQ(pixel(d.image, 170, 170), (std::array{255, 255, 255}));
  // the sphere of 0.5 m takes 50 pixels to each side, a little more in perspective
  EXPECT_EQ(what(d, 100 + 48, 100), 0);
  EXPECT_NE(what(d, 100 + 53, 100), 0);
  DrawOptions o = from_the_front();
  o.shown = {0, 1, 1};
  EXPECT_EQ(what(draw(frame, o), 100, 100), 1);
}

TEST(Draw, SameOnAnyNumberOfThreads) {
  const Frame frame = box_scene();
  DrawOptions o;
  o.width = 320;
  o.height = 240;
  const Box view = automatic_view(frame);
  o.camera.target = 0.5 * (view.min + view.max);
  o.camera.eye = o.camera.target + 3 * picture::diagonal(view) * Vec3d{0.4, -0.8, 0.3};
  const int threads = omp_get_max_threads();
  const Drawing first = draw(frame, o);
  for (const int count : {1, 2, 3, 8}) {
    omp_set_num_threads(count);
    const Drawing again = draw(frame, o);
    EXPECT_EQ(again.image.rgb, first.image.rgb) << count;
    EXPECT_EQ(again.what, first.what) << count;
  }
  omp_set_num_threads(threads);
  EXPECT_GT(std::count_if(first.what.begin(), first.what.end(), [](std::int32_t w) { return w >= 0; }), 1000);
}

// Whoever asked for it may have asked for another one meanwhile; the next picture is drawn as ever.
TEST(Draw, IsGivenUpWhenNobodyWaits) {
  const Frame frame = grains_at({{0, 0, 0}, {0.2, 3, 0}, {-0.8, 0, 0.8}});
  const DrawOptions options = from_the_front();
  const Image whole = draw(frame, options).image;
  for (const int last : {0, 1, 5}) {
    std::atomic<int> asked = 0;
    const WhileWanted wanted([&] { return asked++ < last; });
    EXPECT_THROW(draw(frame, options), GivenUp);
  }
  EXPECT_EQ(draw(frame, options).image.rgb, whole.rgb);
}

TEST(Draw, ACutShowsAFlatFace) {
  Frame frame = grains_at({{0, 0, 0}, {0, 3, 0}});
  DrawOptions o = from_the_front();
  o.cuts = {{{0, 0, 0}, {0, -1, 0}}};  // what is nearer than the middle of the first grain is left out
  const Drawing d = draw(frame, o);
  EXPECT_EQ(what(d, 100, 100), 0);
  // one shade over the whole face, where the sphere would be lighter on the side of the sun
  EXPECT_EQ(pixel(d.image, 70, 70), pixel(d.image, 120, 120));
  o.cuts[0].point = {0, 1, 0};
  EXPECT_EQ(what(draw(frame, o), 100, 100), 1) << "the first grain lies before the cut";
  o.cuts[0].normal = {0, 0, 0};
  EXPECT_THROW(draw(frame, o), InputError);
}

TEST(Draw, WallsArePickedAndHideNothing) {
  Frame frame = grains_at({{0, 0, 0}});
  frame.walls.push_back(wall("back", {{-0.9, 2, -0.9}, {0.9, 2, -0.9}, {0.9, 2, 0.9}, {-0.9, 2, 0.9}}, {{0, 1, 2, 3}}));
  frame.walls.push_back(
      wall("front", {{-0.9, -2, -0.9}, {0.9, -2, -0.9}, {0.9, -2, 0.9}, {-0.9, -2, 0.9}}, {{0, 1, 2, 3}}));
  DrawOptions o = from_the_front();
  const Drawing d = draw(frame, o);
  EXPECT_EQ(what(d, 100, 100), 0) << "through the wall in front";
  EXPECT_EQ(what(d, 40, 40), -2) << "the one behind";
  const auto clear = pixel(d.image, 14, 100), filled = pixel(d.image, 40, 40);
  EXPECT_GT(clear[0], filled[0] + 10);
  o.walls = false;
  EXPECT_EQ(what(draw(frame, o), 40, 40), Drawing::kNothing);
}

// A wall that bends round is before the grains where it faces the eye, whatever is where on the picture: no hard cut.
TEST(Draw, ARoundWallIsFilledWhole) {
  Frame frame = grains_at({{4, 0, 0}, {4, 0, 1}});  // far to one side of the tube
  frame.walls.push_back(tube(0.5, -0.8, 0.8));
  picture::Camera camera = picture::look_from(from_the_front().camera, 200, 200);
  const Box view{{-1, -1, -1}, {5, 1, 2}};
  const picture::WallFacets facets = picture::wall_facets(frame.walls[0], picture::neighbourhood(view));
  EXPECT_TRUE(facets.bends_round);
  const std::vector<bool> before = picture::facets_before(facets, camera, frame, view);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_EQ(before[k], facets.facets[k].normal.y < -0.05) << k;
  DrawOptions o = from_the_front();
  o.view = view;
  const Drawing d = draw(frame, o);
  EXPECT_EQ(what(d, 65, 100), -2);
  EXPECT_EQ(what(d, 135, 100), -2);
  for (const int channel : {0, 1, 2})  // nearly one shade, left and right of the middle
    EXPECT_NEAR(pixel(d.image, 90, 100)[static_cast<std::size_t>(channel)],
                pixel(d.image, 110, 100)[static_cast<std::size_t>(channel)], 6);
}

TEST(Draw, PullsAreBlueAndPushesRed) {
  Frame frame = grains_at({{-0.5, 0, 0}, {0.5, 0, 0}});
  FrameContact contact;
  contact.i = 7;
  contact.j = 17;
  contact.n = {1, 0, 0};
  contact.normal = 2;
  frame.contacts.push_back(contact);
  DrawOptions o = from_the_front();
  o.contacts = true;
  Drawing d = draw(frame, o);
  EXPECT_GT(pixel(d.image, 100, 100)[0], pixel(d.image, 100, 100)[2] + 60);
  EXPECT_FALSE(d.pulls);
  EXPECT_DOUBLE_EQ(d.forces.high, 2);
  frame.contacts[0].normal = -2;
  d = draw(frame, o);
  EXPECT_GT(pixel(d.image, 100, 100)[2], pixel(d.image, 100, 100)[0] + 60);
  EXPECT_TRUE(d.pulls);
}

// The page computes the same distance: half the height over the tangent of half the field of view.
TEST(Draw, CameraOfThePage) {
  const picture::Camera camera = picture::look_from({{0, -2, 0}, {0, 0, 0}, {0, 0, 1}, 90, 0}, 400, 200);
  const auto at = camera.project(camera.to_camera({0, 0, 2}));
  EXPECT_NEAR(at[0], 200, 1e-9);
  EXPECT_NEAR(at[1], 0, 1e-9) << "2 m up at 2 m of distance are 45 degrees";
  EXPECT_THROW(picture::look_from({{0, 0, 0}, {0, 0, 0}, {0, 0, 1}, 26, 0}, 10, 10), InputError);
  const picture::Camera flat = picture::look_from({{0, -2, 0}, {0, 0, 0}, {0, 0, 1}, 26, 4}, 400, 200);
  EXPECT_NEAR(flat.project(flat.to_camera({0, 5, 1}))[1], 50, 1e-9);
}

TEST(Draw, MarksTurnWithTheGrain) {
  const Vec3d out{1, 1, 1};
  EXPECT_NE(picture::mark_shade({1, 0, 0, 0}, out), picture::mark_shade({std::sqrt(0.5), 0, 0, std::sqrt(0.5)}, out))
      << "a quarter about z";
  EXPECT_EQ(picture::mark_shade({1, 0, 0, 0}, out), picture::mark_shade({0, 0, 0, 1}, out)) << "half a turn";
}

TEST(Draw, ImpossibleOptionsAreTold) {
  DrawOptions o = from_the_front();
  const Frame frame = grains_at({{0, 0, 0}});
  o.colour_by = "taste";
  EXPECT_THROW(draw(frame, o), InputError);
  o = from_the_front();
  o.width = 100000;
  EXPECT_THROW(draw(frame, o), InputError);
  o = from_the_front();
  o.shown = {1, 1, 1};
  EXPECT_THROW(draw(frame, o), InputError);
  EXPECT_EQ(draw(Frame{}, from_the_front()).what.size(), 40000u) << "a frame without anything";
}

TEST(Colours, PartsOfVectors) {
  Frame frame = grains_at({{0, 0, 0}, {0, 3, 0}});
  frame.particles.v = {{3, -4, 0}, {0, 0, 1}};
  const auto values = [&](const char* name) { return picture::colouring(frame, name, {0, 0, 1}).values; };
  EXPECT_EQ(values("velocity"), (std::vector<double>{5, 1}));
  EXPECT_EQ(values("velocity.length"), values("velocity"));
  EXPECT_EQ(values("velocity.y"), (std::vector<double>{-4, 0}));
  const picture::Colouring by = picture::colouring(frame, "velocity.y", {0, 0, 1});
  EXPECT_EQ(by.label, "velocity y (m/s)");
  EXPECT_EQ(picture::scale_of(by, frame, 1).low, -4) << "a component does not begin at zero";
  for (const char* name : {"velocity.w", "velocity.xy", "radius.x", "height.x", "nothing.x"})
    EXPECT_THROW(values(name), InputError) << name;
}

TEST(Colours, AHeapAtRestIsNotSpreadOverAllColours) {
  Frame frame = grains_at({{0, 0, 0}, {1, 0, 0}});
  frame.particles.v = {{2e-7, 0, 0}, {1e-7, 0, 0}};
  RenderOptions o;
  EXPECT_DOUBLE_EQ(colour_scale(frame, o).high, 2e-7) << "without a duration nothing is known";
  o.duration = 5;
  EXPECT_DOUBLE_EQ(colour_scale(frame, o).high, 1e-3 * 0.5 / 5) << "a thousandth of the radius in the run";
  EXPECT_TRUE(colour_scale(frame, o).at_rest);
  frame.particles.v[0].x = 1;
  EXPECT_FALSE(colour_scale(frame, o).at_rest);
}

TEST(Framing, OneGrainFarAwayAndAnEndlessFloorDoNotCount) {
  std::vector<Vec3d> places;
  for (int k = 0; k < 27; ++k) places.push_back({double(k % 3), double(k / 3 % 3), double(k / 9)});
  Frame frame = grains_at(places);
  const Box heap = focus_box(frame);
  frame.walls.push_back(wall("floor", {{-4, -4, -0.5}, {6, -4, -0.5}, {6, 6, -0.5}, {-4, 6, -0.5}}, {{0, 1, 2, 3}}));
  EXPECT_DOUBLE_EQ(focus_box(frame).max.x, heap.max.x) << "a floor";
  frame.particles.x[26] = {2, 400, 2};
  EXPECT_LT(focus_box(frame).max.y, 5) << "one grain of 27";
  frame.particles.x[26] = {2, 2, 2};
  frame.walls.push_back(tube(3, -1, 4));
  EXPECT_DOUBLE_EQ(focus_box(frame).max.x, 3) << "a wall around the grains is seen";
  EXPECT_DOUBLE_EQ(focus_box(grains_at({{0, 0, 0}, {9, 0, 0}})).max.x, 9.5) << "of two grains both";
}

TEST(Text, WidthsAndAccents) {
  const double one = picture::text_width("m", 20), two = picture::text_width("mm", 20);
  EXPECT_NEAR(two, 2 * one, 0.5);
  EXPECT_NEAR(picture::text_width("m", 40), 2 * one, 0.5);
  EXPECT_GT(picture::text_width("W", 20), 2 * picture::text_width("i", 20));
  EXPECT_NEAR(picture::text_width("ã", 20), picture::text_width("a", 20), 0.01) << "one letter, not two bytes";
  EXPECT_EQ(picture::text_width("", 20), 0);
  EXPECT_GT(picture::text_width("\xff\xc3", 20), 0) << "bytes that are no text are shown as such";
  EXPECT_EQ(picture::fitted("abc", 20, 1000), "abc");
  EXPECT_TRUE(picture::fitted("quarenta grãos", 20, 80).ends_with("…"));
  EXPECT_LE(picture::text_width(picture::fitted("quarenta grãos", 20, 80), 20), 80);
}

TEST(Text, LettersAreDrawnWhereTheyBelong) {
  const auto ink = [](const char* text, bool upward, int x0, int y0, int x1, int y1) {
    Image image{100, 100, std::vector<std::uint8_t>(30000, 255)};
    picture::TextLook look;
    look.size = 40;
    look.upward = upward;
    picture::draw_text(image, 20, 60, text, look);
    int dark = 0;
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) dark += pixel(image, x, y)[0] < 128;
    return dark;
  };
  EXPECT_GT(ink("H", false, 20, 30, 52, 61), 100);
  EXPECT_EQ(ink("H", false, 0, 61, 100, 100), 0) << "nothing below the line";
  EXPECT_EQ(ink("H", false, 0, 0, 20, 100), 0) << "nothing to the left";
  EXPECT_GT(ink("ã", false, 20, 0, 60, 40), ink("a", false, 20, 0, 60, 40)) << "the tilde";
  EXPECT_GT(ink("H", true, 0, 25, 21, 60), 100) << "turned, it stands to the left of its line";
  for (const char* sign : {"µ", "θ", "Ω", "²", "⁻", "×", "°", "≥", "é", "ç"})
    EXPECT_NE(ink(sign, false, 0, 0, 100, 100), ink("\xef\xbf\xbf", false, 0, 0, 100, 100))
        << sign << " is not missing";
}

TEST(Ticks, HaveACommonFactor) {
  const TickTexts small = tick_texts({0, 1e-4, 2e-4});
  EXPECT_EQ(small.factor, "×10⁻⁶");
  EXPECT_EQ(small.texts, (std::vector<std::string>{"0", "100", "200"}));
  EXPECT_EQ(tick_texts({0, 0.002, 0.004}).factor, "×10⁻³");
  EXPECT_EQ(tick_texts({0, 0.002, 0.004}).texts[1], "2");
  EXPECT_EQ(tick_texts({-2e6, 0, 2e6}).texts[0], "−2");
  EXPECT_EQ(tick_texts({0, 0.5, 1}).factor, "");
  EXPECT_EQ(tick_texts({0, 0.5, 1}).texts, (std::vector<std::string>{"0.0", "0.5", "1.0"}));
  EXPECT_EQ(with_factor("speed (m/s)", "×10⁻³"), "speed (10⁻³ m/s)");
  EXPECT_EQ(with_factor("id", "×10⁶"), "id ×10⁶");
  EXPECT_EQ(picture::length_text(0.02), "20 mm");
  EXPECT_EQ(picture::length_text(2e-5), "20 µm");
}

TEST(Plots, AnImageShowsWhatTheSvgSays) {
  plot::Panel panel;
  panel.title = "ação";
  panel.x_label = "t (s)";
  plot::Line line;
  line.colour = "#ff0000";
  line.width = 3;
  line.x = {0, 1};
  line.y = {0.5, 0.5};
  panel.lines = {line};
  panel.y_low = 0;
  panel.y_high = 1;
  const Image image = plot::image_page({panel}, 1, "", 460, 300, 1);
  EXPECT_EQ(image.width, 460);
  // the area of the axes is 58..448 to the right and 4 + 26..4 + 260 downwards; the line stands in its middle
  EXPECT_EQ(pixel(image, 200, 4 + 26 + 117), (std::array{255, 0, 0}));
  EXPECT_NE(pixel(image, 200, 4 + 26 + 127), (std::array{255, 0, 0}));
  const std::string svg = plot::svg_page({panel}, 1, "", 460, 300);
  EXPECT_NE(svg.find("stroke=\"#ff0000\" stroke-width=\"3\""), std::string::npos);
  EXPECT_NE(svg.find("ação"), std::string::npos);
}

TEST(Plots, TextsAreNoMarkup) {
  plot::Panel panel;
  panel.title = "<script>&\"'";
  const std::string svg = plot::svg_page({panel}, 1, "");
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("&lt;script&gt;&amp;&quot;&#39;"), std::string::npos);
}

// stored + dissipated = supplied + residual: the dashed line lies on the top of the pile but for the residual.
TEST(Plots, TheLedgerAddsUp) {
  SeriesTable t;
  t.names = {"time_s",      "kinetic_J", "potential_J",   "sliding_J",
             "wall_work_J", "initial_J", "turned_over_J", "residual_J"};
  t.columns = {{0, 1, 2}, {0, 3, 1}, {-5, -9, -10}, {0, 2, 7}, {0, 0.5, 2}, {-5, -5, -5}, {0, 4, 8}, {0, 0.5, 1}};
  const std::vector<plot::Panel> panels = ledger_panels(t);
  ASSERT_EQ(panels.size(), 2u);
  const std::vector<plot::Line>& lines = panels[0].lines;
  ASSERT_EQ(lines.size(), 4u) << "three areas and the line";
  const plot::Line &top = lines[2], &supplied = lines[3];
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(top.y[k], supplied.y[k] + t.columns[7][k], 1e-12) << k;
  EXPECT_EQ(panels[1].lines[0].y, (std::vector{0.0, 0.125, 0.125}));
}

TEST(Plots, ColumnsAndTheirUnits) {
  EXPECT_EQ(column_label("floor.force_x_N").name, "floor.force x");
  EXPECT_EQ(column_label("floor.force_x_N").unit, "N");
  EXPECT_EQ(column_label("density_kg/m3").unit, "kg/m³");
  EXPECT_EQ(column_label("max_overlap_over_radius").unit, "");
}
