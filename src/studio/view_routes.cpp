// The answers that the picture of a run is made of: frames, particles, histories, pictures drawn here.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "areia/error.h"
#include "render/in_parallel.h"
#include "render/render.h"
#include "studio/drawing.h"
#include "studio/frame_message.h"
#include "studio/plain_file.h"
#include "studio/routes.h"

namespace areia::studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* kBinary = "application/octet-stream";
constexpr auto kHistoryMoment = std::chrono::milliseconds(120);  // others wait no longer

std::set<std::string> words_of(std::string text) {
  std::set<std::string> words;
  for (std::size_t comma = 0; !text.empty(); text.erase(0, comma == std::string::npos ? comma : comma + 1)) {
    comma = text.find(',');
    words.insert(text.substr(0, comma));
  }
  return words;
}

json as_json(const Vec3d& v) { return {v.x, v.y, v.z}; }

// The wall in a frame by its name; null where there is none.
json wall_numbers(const Frame& frame, const std::string& name) {
  for (const FrameWall& wall : frame.walls)
    if (wall.name == name)
      return {{"force", as_json(wall.force)},
              {"torque", as_json(wall.torque)},
              {"velocity", as_json(wall.velocity)},
              {"origin", as_json(wall.origin)}};
  return nullptr;
}

}  // namespace

Answer Routes::of_frame(const fs::path& folder, const Target& target) {
  if (target.path == "/api/history") return history(folder, target);
  const auto number = whole_number<int>(value_of(target, "index"));
  const std::vector<FrameEntry> there = frames(folder);
  const auto entry =
      std::find_if(there.begin(), there.end(), [&](const FrameEntry& e) { return number && e.index == *number; });
  if (entry == there.end()) return refusal(404, "there is no such frame");
  if (target.path == "/api/particle") {
    Needs all;
    all.all_arrays = true;
    const auto id = whole_number<std::int64_t>(value_of(target, "id"));
    const json numbers = id ? particle_numbers(frames_.get(folder, *entry, all)->frame, *id) : json();
    return numbers.is_null() ? refusal(404, "there is no such particle in the frame") : as_answer(numbers);
  }
  if (target.path == "/api/picture") {
    const Look look = read_look(value_of(target, "look"));
    try {
      const WhileWanted wanted(
          [&, client = value_of(target, "client")] { return turns_.is_latest(client, target.turn); });
      wanted.ask();
      const Image image = draw_look(frames_.get(folder, *entry, look.needs())->frame, look);
      wanted.ask();
      // PNG: a little more time than bare pixels, and an eighth of the bytes through a tunnel; a coarse one must be
      // quick
      return {200, "image/png", encode_png(image, look.options.samples > 1 ? 6 : 1)};
    } catch (const GivenUp&) { return {204, "image/png", ""}; }
  }
  FrameRequest request;
  request.arrays = words_of(value_of(target, "arrays"));
  request.have = words_of(value_of(target, "have"));
  request.colour = value_of(target, "colour");
  if (const std::string up = value_of(target, "up"); !up.empty()) {
    const json numbers = json::parse("[" + up + "]", nullptr, false);
    if (!numbers.is_array() || numbers.size() != 3 ||
        !std::all_of(numbers.begin(), numbers.end(), [](const json& n) { return n.is_number(); }))
      return refusal(400, "`up` is a direction x,y,z");
    request.up = {numbers[0], numbers[1], numbers[2]};
    if (!(norm(request.up) > 0 && std::isfinite(norm(request.up)))) return refusal(400, "`up` is a direction x,y,z");
  }
  request.duration = there.back().time - there.front().time;
  const std::string lines = value_of(target, "lines");
  if (!lines.empty() && lines != "all" && lines != "range") return refusal(400, "lines are `all` or `range`");
  if (!lines.empty()) request.lines = lines == "all" ? FrameRequest::Lines::all : FrameRequest::Lines::range;
  return {200, kBinary, frame_as_message(*frames_.get(folder, *entry, request.needs()), request).bytes()};
}

Answer Routes::history(const fs::path& folder, const Target& target) {
  const auto from = whole_number<std::size_t>(value_of(target, "from"));
  const auto id = whole_number<std::int64_t>(value_of(target, "id"));
  const std::string wall = value_of(target, "wall");
  if (!from || id.has_value() == !wall.empty())
    return refusal(400, "a history is that of an `id` or a `wall`, `from` a frame on");
  const std::vector<FrameEntry> there = frames(folder);
  const std::set<std::string> arrays = words_of(value_of(target, "arrays"));
  const auto end = std::chrono::steady_clock::now() + kHistoryMoment;
  json answer{{"from", *from}, {"values", json::array()}};
  for (std::size_t k = *from; k < there.size() && std::chrono::steady_clock::now() < end; ++k) {
    // beside the frames that are kept: a history reads many, each once
    Frame frame;
    if (wall.empty()) {
      std::vector<ParticleColumn> unused;
      frame = through_handle(particles_file(folder, there[k].index),
                             [&](const fs::path& file) { return read_particles_vtp(file, arrays, unused); });
      answer["values"].push_back(particle_numbers(frame, *id));
    } else {
      if (there[k].has_walls)
        through_handle(walls_file(folder, there[k].index), [&](const fs::path& file) { read_walls_vtp(file, frame); });
      answer["values"].push_back(wall_numbers(frame, wall));
    }
  }
  return as_answer(answer);
}

std::vector<FrameEntry> Routes::frames(const fs::path& folder) {
  const std::lock_guard lock(listing_);
  const fs::path inside = particles_file(folder, 0).parent_path();
  if (!is_plain_folder(inside)) {
    listed_ = {};
    return listed_.frames;
  }
  const fs::file_time_type changed = fs::last_write_time(inside);
  if (listed_.folder != folder || listed_.changed != changed) {
    listed_ = {folder, changed, {}};
    // a frame behind a link is not of this folder
    for (const FrameEntry& e : list_frames(folder))
      if (is_plain_file(particles_file(folder, e.index)) &&
          (!e.has_walls || is_plain_file(walls_file(folder, e.index))) &&
          (!e.has_contacts || is_plain_file(contacts_file(folder, e.index))) &&
          (!e.has_bonds || is_plain_file(bonds_file(folder, e.index))))
        listed_.frames.push_back(e);
  }
  return listed_.frames;
}

}  // namespace areia::studio
