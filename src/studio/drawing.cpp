#include "studio/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "areia/error.h"
#include "render/wall_shapes.h"
#include "studio/frame_message.h"

namespace areia::studio {

using nlohmann::json;

namespace {

constexpr int kLargest = 4096;            // pixels along a side
constexpr std::int64_t kMost = 12 << 20;  // samples of a picture
constexpr std::size_t kMostCuts = 6;

// --- what the page says ----------------------------------------------------------------------------------------------

[[noreturn]] void refuse(const char* key, const std::string& rule) { throw InputError("look", key, rule); }

double number_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || !found->is_number() || !std::isfinite(found->get<double>()))
    refuse(key, "must be a number");
  return found->get<double>();
}

int integer_of(const json& look, const char* key, int low, int high) {
  const double value = number_of(look, key);
  if (!(value >= low && value <= high) || value != std::floor(value))
    refuse(key, fmt::format("must be a whole number from {} to {}", low, high));
  return static_cast<int>(value);
}

template <std::size_t N>
std::array<double, N> numbers_of(const json& value, const char* key) {
  std::array<double, N> numbers;
  if (!value.is_array() || value.size() != N) refuse(key, fmt::format("must be {} numbers", N));
  for (std::size_t k = 0; k < N; ++k) {
    if (!value[k].is_number() || !std::isfinite(value[k].get<double>()))
      refuse(key, fmt::format("must be {} numbers", N));
    numbers[k] = value[k].get<double>();
  }
  return numbers;
}

Vec3d vector_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end()) refuse(key, "is missing");
  const std::array<double, 3> v = numbers_of<3>(*found, key);
  return {v[0], v[1], v[2]};
}

bool is_set(const json& look, const char* key) {
  const auto found = look.find(key);
  return found != look.end() && found->is_boolean() && found->get<bool>();
}

std::string text_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || !found->is_string()) refuse(key, "must be a text");
  return found->get<std::string>();
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// "rrggbbrrggbb...", 256 times.
std::vector<std::uint8_t> table_of(const json& look, const char* key) {
  const std::string text = text_of(look, key);
  std::vector<std::uint8_t> bytes(768);
  if (text.size() != 2 * bytes.size() || std::any_of(text.begin(), text.end(), [](char c) { return hex_digit(c) < 0; }))
    refuse(key, "must be 256 colours of six hexadecimal digits");
  for (std::size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::uint8_t>(16 * hex_digit(text[2 * k]) + hex_digit(text[2 * k + 1]));
  return bytes;
}

std::optional<std::set<std::string>> names_of(const json& look, const char* key) {
  const auto found = look.find(key);
  if (found == look.end() || found->is_null()) return {};
  if (!found->is_array()) refuse(key, "must be names");
  std::set<std::string> names;
  for (const json& name : *found) {
    if (!name.is_string()) refuse(key, "must be names");
    names.insert(name.get<std::string>());
  }
  return names;
}

// One for each particle, as DrawOptions has them; empty where all are shown.
std::vector<char> shown_of(const Frame& frame, const Selection& only) {
  const FrameParticles& p = frame.particles;
  if (!only.groups && !only.materials && !only.box) return {};
  std::vector<char> shown(p.x.size(), 1);
  const char otherwise = only.fades ? 2 : 0;
  const auto choose = [&](const std::optional<std::set<std::string>>& wanted, const std::vector<std::int32_t>& kinds,
                          const std::vector<std::string>& names) {
    if (!wanted || kinds.size() != shown.size()) return;
    std::vector<bool> in;
    for (const std::string& name : names) in.push_back(wanted->contains(name));
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const auto kind = static_cast<std::size_t>(kinds[k]);
      if (kind >= in.size() || !in[kind]) shown[k] = otherwise;
    }
  };
  choose(only.groups, p.group, frame.groups);
  choose(only.materials, p.material, frame.materials);
  if (only.box)
    for (std::size_t k = 0; k < shown.size(); ++k)
      if (!picture::inside(*only.box, p.x[k])) shown[k] = otherwise;
  return shown;
}

}  // namespace

Needs Look::needs() const {
  Needs needs;
  needs.arrays.insert(array_behind(colour));
  needs.lines = options.contacts;
  return needs;
}

Look read_look(const std::string& text) {
  const json said = json::parse(text, nullptr, false);
  if (!said.is_object()) throw InputError("look", "", "must be an object of JSON");
  Look look;
  DrawOptions& o = look.options;
  o.width = integer_of(said, "width", 16, kLargest);
  o.height = integer_of(said, "height", 16, kLargest);
  o.samples = integer_of(said, "samples", 1, 3);
  if (std::int64_t{o.width} * o.height * o.samples * o.samples > kMost)
    refuse("width", fmt::format("a picture has at most {} samples", kMost));
  o.camera.eye = vector_of(said, "eye");
  o.camera.target = vector_of(said, "target");
  o.camera.up = vector_of(said, "up");
  o.camera.field_of_view = number_of(said, "field_of_view");
  o.up = vector_of(said, "height_along");
  if (!(norm(o.up) > 0)) refuse("height_along", "must be a direction");
  look.colour = text_of(said, "colour");
  o.low = number_of(said, "low");
  o.high = number_of(said, "high");
  o.kinds = is_set(said, "kinds");
  o.table = table_of(said, "table");
  o.dark = is_set(said, "dark");
  o.walls = is_set(said, "walls");
  o.contacts = o.bonds = is_set(said, "chains");
  if (const auto cuts = said.find("cuts"); cuts != said.end()) {
    if (!cuts->is_array() || cuts->size() > kMostCuts)
      refuse("cuts", fmt::format("must be at most {} planes", kMostCuts));
    for (const json& cut : *cuts) {
      const std::array<double, 4> n = numbers_of<4>(cut, "cuts");  // n . x <= d is kept
      const Vec3d normal{n[0], n[1], n[2]};
      if (!(norm(normal) > 1e-6)) refuse("cuts", "a plane has a direction");
      o.cuts.push_back({n[3] / norm2(normal) * normal, normal});
    }
  }
  look.only.groups = names_of(said, "groups");
  look.only.materials = names_of(said, "materials");
  if (const auto box = said.find("box"); box != said.end() && !box->is_null()) {
    const std::array<double, 6> b = numbers_of<6>(*box, "box");
    look.only.box = Box{{b[0], b[1], b[2]}, {b[3], b[4], b[5]}};
  }
  look.only.fades = is_set(said, "fades");
  if (const auto chosen = said.find("chosen"); chosen != said.end() && chosen->is_number_integer())
    o.chosen = chosen->get<std::int64_t>();
  return look;
}

Image draw_look(const Frame& frame, const Look& look) {
  DrawOptions options = look.options;
  auto by = colours_of(frame, look.colour, options.up);
  if (!by)
    throw InputError("look.colour", look.colour, "the frame has no such array; output.arrays of its case left it out");
  options.values = std::move(by->values);
  options.shown = shown_of(frame, look.only);
  return draw(frame, options).image;
}

}  // namespace areia::studio
