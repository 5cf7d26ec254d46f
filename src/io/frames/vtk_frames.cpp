#include "io/frames/vtk_frames.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"
#include "io/frames/frame_files.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr const char* kFrames = "frames";
constexpr std::array kKinds{"particles", "contacts", "walls", "bonds"};

std::string file_name(std::string_view kind, int index) { return fmt::format("{}_{:06}.vtp", kind, index); }

// The number in "<kind>_<number>.vtp", or -1.
int index_in(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || !name.ends_with(".vtp")) return -1;
  name.remove_prefix(kind.size());
  name.remove_suffix(4);
  if (!name.starts_with('_')) return -1;
  name.remove_prefix(1);
  int index = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  return error == std::errc() && end == name.data() + name.size() ? index : -1;
}

std::string data_set(const FrameEntry& entry, int part, std::string_view kind) {
  return data_set_line(entry.time, part, kind, fmt::format("{}/{}", kFrames, file_name(kind, entry.index)));
}

}  // namespace

std::string data_set_line(double time, int part, std::string_view name, const std::string& file) {
  return fmt::format("<DataSet timestep=\"{}\" part=\"{}\" name=\"{}\" file=\"{}\"/>\n", time, part, name, file);
}

void write_collection(const fs::path& path, const std::string& data_sets) {
  write_file_atomically(path,
                        "<?xml version=\"1.0\"?>\n"
                        "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n" +
                            data_sets + "</Collection>\n</VTKFile>\n");
}

fs::path particles_file(const fs::path& folder, int index) { return folder / kFrames / file_name("particles", index); }
fs::path contacts_file(const fs::path& folder, int index) { return folder / kFrames / file_name("contacts", index); }
fs::path walls_file(const fs::path& folder, int index) { return folder / kFrames / file_name("walls", index); }
fs::path bonds_file(const fs::path& folder, int index) { return folder / kFrames / file_name("bonds", index); }

// The files themselves, not the .pvd, say which frames exist: a run may die between a frame and its .pvd. The particle
// file is written last, so where it stands the frame is complete.
std::vector<FrameEntry> list_frames(const fs::path& folder) {
  std::vector<FrameEntry> frames;
  const fs::path inside = folder / kFrames;
  std::error_code error;
  if (!fs::is_directory(inside, error)) return frames;
  fs::directory_iterator files(inside, error);
  if (error) throw_file_error(inside, "list the folder", error.message());
  for (const fs::directory_entry& file : files) {
    const int index = index_in(file.path().filename().string(), "particles");
    if (index < 0) continue;
    frames.push_back({index, read_frame_time(file.path()), fs::exists(contacts_file(folder, index), error),
                      fs::exists(walls_file(folder, index), error), fs::exists(bonds_file(folder, index), error)});
  }
  std::sort(frames.begin(), frames.end(), [](const FrameEntry& a, const FrameEntry& b) { return a.index < b.index; });
  // Killed while a frame was replaced: the new one of the same instant counts.
  const auto replaced = [&](const FrameEntry& entry) {
    const FrameEntry* next = &entry + 1;
    return next != frames.data() + frames.size() && next->time == entry.time;
  };
  std::vector<FrameEntry> valid;
  std::copy_if(frames.begin(), frames.end(), std::back_inserter(valid),
               [&](const FrameEntry& e) { return !replaced(e); });
  return valid;
}

bool is_frame_file(const std::string& name) {
  const fs::path path(name);
  const std::string last = path.filename().string();
  for (const char* kind : kKinds)
    if (path.parent_path() == kFrames ? index_in(last, kind) >= 0 : name == fmt::format("{}.pvd", kind)) return true;
  return name == "all.pvd";
}

FrameWriter::FrameWriter(fs::path folder, std::optional<double> resume_after_time, Output what, Manifest* manifest)
    : folder_(std::move(folder)), what_(std::move(what)), manifest_(manifest) {
  const fs::path inside = folder_ / kFrames;
  make_folder(inside);
  frames_ = list_frames(folder_);
  if (!resume_after_time) {
    if (!frames_.empty())
      throw_file_error(folder_, "start a new run in",
                       "it holds the frames of an earlier one; resume it or use another");
  } else {
    std::erase_if(frames_, [&](const FrameEntry& entry) { return entry.time > *resume_after_time; });
  }
  write_collections();  // before any file goes, so that no .pvd names a missing one
  const auto kept = [&](int index) {
    return std::any_of(frames_.begin(), frames_.end(), [&](const FrameEntry& entry) { return entry.index == index; });
  };
  std::vector<fs::path> superfluous;
  for (const fs::directory_entry& file : fs::directory_iterator(inside))
    for (const char* kind : kKinds)
      if (const int index = index_in(file.path().filename().string(), kind); index >= 0 && !kept(index))
        superfluous.push_back(file.path());
  remove(superfluous);
  sync_folder(inside);
}

void FrameWriter::remove(const std::vector<fs::path>& files) const {
  std::vector<std::string> names;
  for (const fs::path& path : files)
    if (manifest_) names.push_back(manifest_->name_of(path));
    else remove_file(path);
  if (manifest_) manifest_->remove(names);
}

// Contacts are due with the first frame at or after each multiple of their interval. That follows from the times of
// this frame and of the one before, so that a resumed run writes the files that it would have written. Frames come at
// the step nearest to their time.
bool FrameWriter::contacts_are_due(const Frame& frame) const {
  if (!what_.contacts || what_.contact_frames <= 0 || frames_.empty()) return what_.contacts;
  const auto intervals = [&](double time) { return std::floor((time + 0.51 * frame.dt) / what_.contact_frames); };
  const FrameEntry& before = frames_.back();
  return intervals(frame.time) > intervals(before.time) || (before.time == frame.time && before.has_contacts);
}

void FrameWriter::write(const Frame& frame, bool last) {
  const bool with_contacts = contacts_are_due(frame) || (last && what_.contacts);
  FrameEntry entry{0, frame.time, with_contacts, true, !frame.bond_sets.empty()};
  const bool replaces = !frames_.empty() && frames_.back().time == frame.time;
  if (!frames_.empty()) {
    if (frame.time < frames_.back().time)
      throw Error(fmt::format("frame at {} s comes after one at {} s", frame.time, frames_.back().time));
    // A replacement gets a new number too: until its particle file stands, the old frame is whole.
    entry.index = frames_.back().index + 1;
  }
  if (manifest_) {
    std::vector<std::string> names;
    for (const auto& [kind, written] :
         {std::pair{"walls", true}, {"contacts", with_contacts}, {"bonds", entry.has_bonds}, {"particles", true}})
      if (written) names.push_back(fmt::format("{}/{}", kFrames, file_name(kind, entry.index)));
    manifest_->add_all(names);
  }
  write_walls_vtp(walls_file(folder_, entry.index), frame, what_);
  if (with_contacts) write_contacts_vtp(contacts_file(folder_, entry.index), frame, what_);
  if (entry.has_bonds) write_bonds_vtp(bonds_file(folder_, entry.index), frame, what_);
  write_particles_vtp(particles_file(folder_, entry.index), frame, what_);
  const int old = replaces ? frames_.back().index : -1;
  if (replaces) frames_.pop_back();
  frames_.push_back(entry);
  write_collections();
  if (!replaces) return;
  std::vector<fs::path> replaced;
  for (const char* kind : kKinds)
    if (const fs::path path = folder_ / kFrames / file_name(kind, old); fs::exists(path)) replaced.push_back(path);
  remove(replaced);
}

void FrameWriter::write_collections() const {
  std::string particles, contacts, walls, bonds, all;
  bool any_contacts = false;
  for (const FrameEntry& entry : frames_) {
    particles += data_set(entry, 0, "particles");
    all += data_set(entry, 0, "particles");
    if (entry.has_walls) {
      walls += data_set(entry, 0, "walls");
      all += data_set(entry, 1, "walls");
    }
    if (entry.has_contacts) {
      any_contacts = true;
      contacts += data_set(entry, 0, "contacts");
      all += data_set(entry, 2, "contacts");
    }
    if (entry.has_bonds) {
      bonds += data_set(entry, 0, "bonds");
      all += data_set(entry, 3, "bonds");
    }
  }
  std::vector<std::pair<std::string, const std::string*>> files{{"particles.pvd", &particles}, {"walls.pvd", &walls}};
  if (any_contacts || what_.contacts) files.emplace_back("contacts.pvd", &contacts);
  if (!bonds.empty()) files.emplace_back("bonds.pvd", &bonds);
  files.emplace_back("all.pvd", &all);
  for (const auto& [name, data_sets] : files) {
    if (manifest_) manifest_->add(name);
    write_collection(folder_ / name, *data_sets);
  }
}

Frame read_frame(const fs::path& folder, const FrameEntry& entry) {
  Frame frame = read_particles_vtp(particles_file(folder, entry.index));
  if (entry.has_contacts) read_contacts_vtp(contacts_file(folder, entry.index), frame);
  if (entry.has_walls) read_walls_vtp(walls_file(folder, entry.index), frame);
  if (entry.has_bonds) read_bonds_vtp(bonds_file(folder, entry.index), frame);
  return frame;
}

Frame read_frame(const fs::path& folder, double time) {
  const std::vector<FrameEntry> frames = list_frames(folder);
  if (frames.empty()) throw_file_error(folder, "read a frame in", "there is none");
  const FrameEntry* nearest = &frames.back();
  if (std::isfinite(time))
    for (const FrameEntry& entry : frames)
      if (std::abs(entry.time - time) < std::abs(nearest->time - time)) nearest = &entry;
  return read_frame(folder, *nearest);
}

}  // namespace areia
