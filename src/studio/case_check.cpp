#include "studio/case_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "areia/case_file.h"
#include "areia/error.h"
#include "areia/simulation.h"
#include "engine/prepare.h"
#include "render/render.h"
#include "scene/meeting_pairs.h"
#include "scene/rules/doubts.h"
#include "studio/case_files.h"
#include "studio/frame_message.h"

namespace areia::studio {

namespace {

using nlohmann::json;

json as_json(const std::vector<Problem>& problems) {
  json all = json::array();
  for (const Problem& p : problems)
    all.push_back({{"file", p.file}, {"line", p.line}, {"key", p.key}, {"value", p.value}, {"rule", p.rule}});
  return all;
}

// Pairs of points of the lines that bound a region; none where it has no end.
void add_outline(const Region& r, std::vector<Vec3d>& lines) {
  constexpr int kSides = 32;
  const auto line = [&](const Vec3d& a, const Vec3d& b) { lines.insert(lines.end(), {a, b}); };
  const auto ring = [&](const Vec3d& middle, const Vec3d& a, const Vec3d& b) {
    const auto at = [&](int k) {
      const double angle = 2 * M_PI * k / kSides;
      return middle + std::cos(angle) * a + std::sin(angle) * b;
    };
    for (int k = 0; k < kSides; ++k) line(at(k), at(k + 1));
  };
  if (r.kind == Region::Kind::box) {
    const auto corner = [&](int k) {
      return Vec3d{k & 1 ? r.box.max.x : r.box.min.x, k & 2 ? r.box.max.y : r.box.min.y,
                   k & 4 ? r.box.max.z : r.box.min.z};
    };
    for (int k = 0; k < 8; ++k)
      for (const int bit : {1, 2, 4})
        if (!(k & bit)) line(corner(k), corner(k | bit));
  } else if (r.kind == Region::Kind::sphere) {
    const Vec3d x{r.radius, 0, 0}, y{0, r.radius, 0}, z{0, 0, r.radius};
    ring(r.center, x, y);
    ring(r.center, y, z);
    ring(r.center, z, x);
  } else if (r.kind == Region::Kind::cylinder) {
    const Vec3d axis = (1 / norm(r.to - r.from)) * (r.to - r.from);
    const Vec3d other = std::abs(axis.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d side = cross(axis, other), a = (r.radius / norm(side)) * side, b = cross(axis, a);
    for (const Vec3d& end : {r.from, r.to}) ring(end, a, b);
    for (const Vec3d& d : {a, b, -1.0 * a, -1.0 * b}) line(r.from + d, r.to + d);
  }
}

std::vector<Vec3d> outlines(const Case& c) {
  std::vector<Vec3d> lines;
  for (const ParticleSet& set : c.particles) {
    if (const auto* stream = std::get_if<Stream>(&set.source)) add_outline(stream->region, lines);
    if (!needs_preparation(set)) continue;
    if (const auto* random = std::get_if<RandomAddition>(&set.source)) add_outline(random->region, lines);
    if (const auto* lattice = std::get_if<Lattice>(&set.source)) add_outline(lattice->region, lines);
  }
  return lines;
}

// So that grains which are not there yet are looked at, too.
void look_at(const std::vector<Vec3d>& points, json& box) {
  for (const Vec3d& p : points)
    for (int a = 0; a < 3; ++a) {
      box[0][static_cast<std::size_t>(a)] =
          std::min(box[0][static_cast<std::size_t>(a)].get<double>(), component(p, a));
      box[1][static_cast<std::size_t>(a)] =
          std::max(box[1][static_cast<std::size_t>(a)].get<double>(), component(p, a));
    }
}

void add_outlines(const Case& c, bool grains, Message& message) {
  const std::vector<Vec3d> lines = outlines(c);
  if (lines.empty()) return message.add("outline", 3, std::vector<float>{});
  json& head = message.head;
  if (!grains) {
    const json first{lines[0].x, lines[0].y, lines[0].z};
    head["focus"] = {first, first};
  }
  look_at(lines, head["focus"]);
  look_at(lines, head["view"]);
  std::vector<float> numbers;
  for (const Vec3d& p : lines)
    for (int a = 0; a < 3; ++a)
      numbers.push_back(
          static_cast<float>(component(p, a) - head["origin"][static_cast<std::size_t>(a)].get<double>()));
  message.add("outline", 3, numbers);
}

void tell_choices(const Simulation& s, const Case& c, json& check) {
  const Choices& k = s.choices();
  json& choices = check["choices"] = json::array();
  const auto chosen = [&](const char* what, double value, const char* unit, const std::string& reason) {
    if (!reason.empty()) choices.push_back({{"what", what}, {"value", value}, {"unit", unit}, {"reason", reason}});
  };
  chosen("time step", k.dt, "s", k.dt_reason);
  chosen("skin", k.skin, "m", k.skin_reason);
  chosen("cell", k.cell, "m", k.cell_reason);
  chosen("threads", k.threads, "", k.threads_reason);
  json& tables = check["tables"] = json::array();
  for (const MeetingPair& m : meeting_pairs(c))
    if (m.can_meet) tables.push_back({{"pair", fmt::format("{}-{}", m.a, m.b)}, {"laws", table_in_words(c, m)}});
  check["time"] = s.planned_time();
  check["steps"] = s.planned_time() / k.dt;
  check["memory"] = k.bytes_estimate;
  for (const std::string& n : k.notes) check["notes"].push_back(n);
  for (const std::string& w : k.warnings) check["warnings"].push_back(w);
}

// Hard spheres must be there from the start, so without packings there is nothing to choose, or to see.
bool has_scene(const Case& c) { return c.numerics.collisions != Collisions::hard || !needs_preparation(c); }

Simulation at_start(const Case& c) { return Simulation(needs_preparation(c) ? without_packings(c) : c); }

Message sound_case(const Case& c, bool scene) {
  json check{{"problems", json::array()}, {"warnings", doubts(c)},
             {"notes", json::array()},    {"title", c.title},
             {"walls", c.walls.size()},   {"sets", c.particles.size()},
             {"stages", c.stages.size()}, {"complete", !needs_preparation(c)}};
  for (const ParticleSet& set : c.particles)
    if (needs_preparation(set))
      check["notes"].push_back(fmt::format("particles.{}: packing not computed, left out", set.name));
  Message message;
  message.head["arrays"] = json::object();
  if (has_scene(c)) {
    const Simulation s = at_start(c);
    const Frame frame = s.frame();
    tell_choices(s, c, check);
    double overlap = 0;
    for (const FrameContact& contact : frame.contacts) overlap = std::max(overlap, contact.overlap);
    check["particles"] = s.particle_count();
    check["contacts"] = frame.contacts.size();
    check["overlap"] = overlap;
    if (scene) {
      FrameRequest request;
      RenderOptions options;
      look_as_case_says(c, options);
      request.colour = c.materials.size() > 1 ? "material" : "height";
      request.up = options.up;
      message = frame_as_message({frame, particle_columns(frame.particles)}, request);
      message.head["colour"] = request.colour;
      add_outlines(c, !frame.particles.x.empty(), message);
      message.head["up"] = {options.up.x, options.up.y, options.up.z};
      message.head["flat_axis"] = options.flat_axis ? json(*options.flat_axis) : json();
    }
  }
  message.head["check"] = std::move(check);
  return message;
}

}  // namespace

std::string check_picture(const std::string& text, const std::string& name, const std::filesystem::path& within,
                          const Look& look) {
  if (std::vector<Problem> outside = names_outside(text, name, within); !within.empty() && !outside.empty())
    throw InputError(std::move(outside));
  const Case c = parse_case(text, name);
  if (!has_scene(c)) throw InputError("numerics.collisions", "hard", "without packings there is nothing to see");
  Look with_outlines = look;
  with_outlines.options.lines = outlines(c);
  return encode_png(draw_look(at_start(c).frame(), with_outlines), look.options.samples > 1 ? 6 : 1);
}

Message check_message(const std::string& text, const std::string& name, const std::filesystem::path& within,
                      bool scene) {
  std::vector<Problem> problems;
  KeyPlaces places;
  try {
    if (!within.empty()) problems = names_outside(text, name, within);
    if (problems.empty()) {
      const Case c = parse_case(text, name, {}, &places);
      Message message = sound_case(c, scene);
      for (const std::string& table : places.unused)
        message.head["check"]["warnings"].push_back(fmt::format("{} is used by no two things that can meet", table));
      return message;
    }
  } catch (const InputError& e) {
    problems = e.problems;
    for (Problem& p : problems)
      if (p.file.empty()) locate(p, places);
  } catch (const Error& e) { problems.push_back({name, 0, "", "", e.what()}); }
  Message message;
  message.head = {{"arrays", json::object()}, {"check", {{"problems", as_json(problems)}}}};
  return message;
}

}  // namespace areia::studio
