#include "studio/case_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <utility>

#include "io/case/toml_text.h"
#include "io/files/atomic_file.h"
#include "io/schema/schema.h"
#include "studio/plain_file.h"
#include "studio/run_list.h"

namespace areia::studio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kHead = 64 << 10;  // bytes in which a case shows that it is one

// "[[stages]]" and "[materials.grain]" are of cases, "[system]" is not.
bool is_case_table(std::string_view line) {
  static const std::set<std::string> kTables = [] {
    std::set<std::string> names;
    for (const io::KeyInfo& key : io::case_table().infos())
      if (!key.keys.empty()) names.insert(key.name);
    return names;
  }();
  const std::size_t begin = line.find_first_not_of(" \t[");
  if (begin == std::string_view::npos || line[line.find_first_not_of(" \t")] != '[') return false;
  const std::size_t end = line.find_first_of(".] \t", begin);
  return end != std::string_view::npos && kTables.contains(std::string(line.substr(begin, end - begin)));
}

// `title = "Collapse"` before the first table.
std::string title_in(std::string_view line) {
  if (!line.starts_with("title")) return {};
  const std::size_t open = line.find_first_of("\"'"), close = line.find_last_of("\"'");
  return open == std::string_view::npos || close <= open ? std::string{}
                                                         : std::string(line.substr(open + 1, close - open - 1));
}

std::optional<CaseEntry> look_at(const fs::path& file, const std::string& path) {
  const std::string text = part_of(file, kHead, false);
  CaseEntry entry{path, {}, 0};
  bool is_case = false;
  for (std::size_t at = 0; at < text.size() && !is_case;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    if (entry.title.empty()) entry.title = title_in(line);
    is_case = is_case_table(line);
    at = end + 1;
  }
  if (!is_case) return {};
  struct stat status {};
  if (::lstat(file.c_str(), &status) == 0) entry.changed = static_cast<double>(status.st_mtime);
  return entry;
}

std::string version_of(std::string_view text) { return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size())); }

}  // namespace

CaseFiles::CaseFiles(fs::path folder) : folder_(std::move(folder)) {}

std::vector<CaseEntry> CaseFiles::all() const {
  std::vector<CaseEntry> found;
  walk(folder_, [&](const fs::path& place, const fs::path& path) {
    if (is_results(place)) return false;
    std::error_code error;
    for (fs::directory_iterator inside(place, error), end; !error && inside != end; inside.increment(error)) {
      const std::string name = inside->path().filename().string();
      if (name.starts_with('.') || !name.ends_with(".toml") || !is_plain_file(inside->path())) continue;
      const std::string below = path == "." ? name : (path / name).string();
      if (auto entry = look_at(inside->path(), below)) found.push_back(std::move(*entry));
    }
    return true;
  });
  std::sort(found.begin(), found.end(), [](const CaseEntry& a, const CaseEntry& b) { return a.path < b.path; });
  return found;
}

std::optional<fs::path> CaseFiles::find(const std::string& path) const {
  if (path.empty() || path.size() > 4096 || path.find('\0') != std::string::npos || !path.ends_with(".toml")) return {};
  const fs::path below(path);
  fs::path place = folder_;
  if (is_results(place)) return {};
  for (auto part = below.begin(); part != below.end(); ++part) {
    if (part->empty() || part->is_absolute() || part->string().starts_with('.')) return {};
    place /= *part;
    if (std::next(part) == below.end()) break;
    if (!is_plain_folder(place) || is_results(place)) return {};
  }
  std::error_code error;
  if (fs::exists(fs::symlink_status(place, error)) && !is_plain_file(place)) return {};
  return place;
}

CaseFiles::Text CaseFiles::read(const fs::path& file) const {
  const PlainFile opened(file);
  if (opened.size() > kLongestCase)
    throw FileError(fmt::format("{}: longer than 1 MB, which is too long to be edited here", file.filename().string()));
  std::string text = opened.part(opened.size(), false), version = version_of(text);
  return {std::move(text), std::move(version)};
}

std::optional<std::string> CaseFiles::save(const fs::path& file, const std::string& text,
                                           const std::string& version) const {
  const std::string there = is_plain_file(file) ? version_of(read_plain(file)) : "";
  if (there != version) return {};
  // by a rename, which takes the place of a link and does not follow it
  through_handle(
      file.parent_path(), [&](const fs::path& handle) { write_file_atomically(handle / file.filename(), text); },
      PlainFile::Kind::folder);
  return version_of(text);
}

fs::path CaseFiles::new_folder(const fs::path& parent, const std::string& stem, const std::string& ending) const {
  for (int k = 1;; ++k) {
    fs::path folder = parent / (k == 1 ? stem + ending : fmt::format("{}-{}{}", stem, k, ending));
    if (::mkdir(folder.c_str(), 0777) == 0) return folder;
    if (errno != EEXIST || k == 10000) throw_file_error(folder, "make the folder", errno);
  }
}

namespace {

// Every text of the tree with its line.
template <class F>
void for_each_text(const toml::node& node, F&& f) {
  if (const toml::table* table = node.as_table())
    for (const auto& [key, value] : *table) for_each_text(value, f);
  else if (const toml::array* array = node.as_array())
    for (const toml::node& value : *array) for_each_text(value, f);
  else if (const auto* text = node.as_string()) f(text->get(), static_cast<int>(node.source().begin.line));
}

bool lies_within(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

}  // namespace

std::vector<Problem> names_outside(std::string_view text, const std::string& name, const fs::path& folder) {
  std::vector<Problem> problems;
  const fs::path beside = (folder / name).parent_path();
  for_each_text(io::parse_toml(text, name), [&](const std::string& value, int line) {
    if (value.empty() || value.size() > 4096 || value.find('\0') != std::string::npos) return;
    std::error_code error;
    fs::path named = (beside / value).lexically_normal();
    if (!named.has_filename()) named = named.parent_path();  // "settle.out/"
    const fs::path real = fs::canonical(named, error);
    if (error || (lies_within(real, folder) && real == named)) return;
    // the folder of the case itself and those around it are no files that a case could read
    if (fs::is_directory(real, error) && !is_results(real)) return;
    problems.push_back({name, line, "", value, "lies outside of the folder of the studio, or behind a link"});
  });
  return problems;
}

}  // namespace areia::studio
