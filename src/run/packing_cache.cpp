#include "run/packing_cache.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "io/particles/particle_csv.h"

namespace areia {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNote = "# note: ", kSeal = "# xxh3 ";

std::string hash_of(std::string_view text) {
  const XXH128_hash_t h = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

// Of the file that holds this code: another build may compute other bits. Empty where it cannot be read.
const std::string& program_hash() {
  static const std::string hash = [] {
    Dl_info info{};
    std::string file = "/proc/self/exe";
    // the loader knows the program by the word that it was called by, and a library by its path
    if (dladdr(reinterpret_cast<const void*>(&program_hash), &info) && info.dli_fname &&
        std::string_view(info.dli_fname).find(".so") != std::string_view::npos)
      file = info.dli_fname;
    try {
      return hash_of(read_file(file));
    } catch (const FileError&) { return std::string(); }
  }();
  return hash;
}

std::string entry_text(const Packing& packing) {
  std::string text;
  for (const std::string& n : packing.notes) text += fmt::format("{}{}\n", kNote, n);
  text += io::write_particle_csv(packing.particles);
  return text + fmt::format("{}{}\n", kSeal, hash_of(text));
}

std::optional<Packing> packing_in(std::string_view text) {
  const std::size_t seal = text.rfind(kSeal);
  if (seal == std::string_view::npos) return {};
  const std::string_view sealed = text.substr(0, seal);
  if (text.substr(seal) != fmt::format("{}{}\n", kSeal, hash_of(sealed))) return {};
  Packing packing;
  for (std::string_view rest = sealed; rest.starts_with(kNote);) {
    const std::size_t end = rest.find('\n');
    packing.notes.emplace_back(rest.substr(kNote.size(), end - kNote.size()));
    rest.remove_prefix(end + 1);
  }
  std::vector<Problem> problems;
  io::parse_particle_csv(sealed, "", 0, packing.particles, problems);
  if (!problems.empty() || packing.particles.empty()) return {};
  return packing;
}

// A file of this cache, by its name, and not a link: what else lies in the folder is not ours.
bool is_entry(const fs::directory_entry& e) {
  const std::string name = e.path().filename().string();
  return fs::is_regular_file(e.symlink_status()) && name.size() == 36 && name.ends_with(".csv") &&
         name.find_first_not_of("0123456789abcdef") == 32;
}

void keep_within(const fs::path& folder, std::uintmax_t most_bytes) {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t size;
  };
  std::vector<Entry> entries;
  std::uintmax_t sum = 0;
  for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
    if (!is_entry(e)) continue;
    entries.push_back({e.last_write_time(), e.path(), e.file_size()});
    sum += entries.back().size;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (std::size_t k = 0; k < entries.size() && sum > most_bytes; ++k) {
    sum -= entries[k].size;
    fs::remove(entries[k].path);
  }
}

}  // namespace

std::optional<fs::path> cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? std::string_view(value) : std::string_view();
  };
  if (const std::string_view own = variable("AREIA_CACHE"); !own.empty())
    return own == "off" ? std::optional<fs::path>() : fs::path(own);
  // the specification of these folders: a path that is not absolute counts as not set
  if (const fs::path common = variable("XDG_CACHE_HOME"); common.is_absolute()) return common / "areia";
  if (const fs::path home = variable("HOME"); home.is_absolute()) return home / ".cache" / "areia";
  return {};
}

PackingMemory packing_cache(const fs::path& folder, std::uintmax_t most_bytes) {
  const fs::path inside = folder / "packings";
  // Empty where the program cannot be read.
  const auto entry = [inside](const std::string& depends_on) {
    if (program_hash().empty()) return fs::path();
    return inside / (hash_of(program_hash() + "\n" + depends_on) + ".csv");
  };
  PackingMemory memory;
  memory.recall = [entry](const std::string& depends_on) -> std::optional<Packing> {
    const fs::path path = entry(depends_on);
    if (path.empty()) return {};
    std::string why;
    const std::optional<std::string> text = io::read_text_file(path, why);
    if (!text) return {};
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return packing_in(*text);
  };
  memory.keep = [entry, inside, most_bytes](const std::string& depends_on, const Packing& packing) {
    const fs::path path = entry(depends_on);
    if (path.empty()) return;
    // A name that nobody else has: two that make the same packing write the same bytes, and the later one stays.
    static std::atomic<int> number{0};
    const fs::path own = fs::path(path).replace_extension(fmt::format("{}-{}.part", ::getpid(), number++));
    try {
      make_folder(inside);
      write_file_atomically(own, entry_text(packing));
      fs::rename(own, path);
      keep_within(inside, most_bytes);
    } catch (const FileError&) {
    } catch (const fs::filesystem_error&) {}
  };
  return memory;
}

}  // namespace areia
