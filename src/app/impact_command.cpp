// areia impact: planar collisions of rigid bodies. Here: solving collisions given as JSON, and what the models are.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/print.h"
#include "core/random.h"
#include "impact/local.h"
#include "impact/models.h"
#include "impact/solve_text.h"
#include "io/files/atomic_file.h"
#include "io/files/manifest.h"

namespace areia::app {

namespace {

using namespace impact;

// The text of a file, mapped rather than copied where that is possible, or all of standard input.
class InputText {
 public:
  explicit InputText(const std::string& file) {
    if (file == "-") {
      read_standard_input();
      return;
    }
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw_file_error(file, "open", errno);
    struct stat what {};
    if (::fstat(descriptor, &what) == 0 && S_ISREG(what.st_mode) && what.st_size > 0) {
      size_ = static_cast<std::size_t>(what.st_size);
      map_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
    }
    ::close(descriptor);
    if (map_ == MAP_FAILED) text_ = read_file(file);
  }
  ~InputText() {
    if (map_ != MAP_FAILED) ::munmap(map_, size_);
  }
  InputText(const InputText&) = delete;
  InputText& operator=(const InputText&) = delete;

  std::string_view view() const {
    return map_ == MAP_FAILED ? std::string_view(text_) : std::string_view(static_cast<const char*>(map_), size_);
  }

 private:
  void read_standard_input() {
    for (std::size_t used = 0;;) {
      if (text_.size() - used < (1u << 20)) text_.resize(std::max<std::size_t>(2 * text_.size(), 1u << 22));
      const ssize_t n = ::read(STDIN_FILENO, text_.data() + used, text_.size() - used);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw_file_error("standard input", "read", errno);
      if (n == 0) return text_.resize(used);
      used += static_cast<std::size_t>(n);
    }
  }

  void* map_ = MAP_FAILED;
  std::size_t size_ = 0;
  std::string text_;
};

struct SolveArguments {
  std::string file, out;
  bool approaching = false, overwrite = false;
};

int run_solve(const SolveArguments& a) {
  if (!a.out.empty()) refuse_existing(a.out, "--out", a.overwrite);
  const InputText input(a.file);
  const std::string_view text = input.view();
  const std::string name = a.file == "-" ? "standard input" : a.file;
  SolveReport report;
  if (a.out.empty()) {
    std::fflush(stdout);
    report = solve_text(text, name, {a.approaching},
                        [](std::string_view part) { write_all(STDOUT_FILENO, part, "standard output"); });
  } else {
    std::unique_ptr<AtomicFile> file;  // made with the first bytes, that is after all was found to be right
    report = solve_text(text, name, {a.approaching}, [&](std::string_view part) {
      if (!file) file = std::make_unique<AtomicFile>(a.out);
      file->write(part);
    });
    if (file) file->commit();
  }
  if (report.passed_on > 0)
    tell("{} case{} of other kinds left as they are; areia impact run simulates systems\n", report.passed_on,
         report.passed_on == 1 ? "" : "s");
  if (report.runs > 0 && report.separating == report.runs) tell("no contact approaches: approach is D_N < 0\n");
  return kDone;
}

// A paragraph broken at spaces.
void print_wrapped(std::string_view text, std::string_view indent, std::size_t width = 100) {
  while (!text.empty()) {
    std::size_t cut = text.size();
    if (indent.size() + cut > width) {
      cut = text.rfind(' ', width - indent.size());
      if (cut == std::string_view::npos) cut = text.size();
    }
    print("{}{}\n", indent, text.substr(0, cut));
    text.remove_prefix(std::min(cut + 1, text.size()));
  }
}

void explain(const ModelInfo& m) {
  print("{}: {}\n", m.name, m.title);
  print_wrapped(m.text, "  ");
  print("  coefficients\n");
  for (const Coefficient& c : m.coefficients) {
    const std::string preset = c.required ? "required" : *c.preset ? fmt::format("default {}", c.preset) : "see text";
    print("    {:<11}{}; {}\n", c.name, range_text(c), preset);
    print_wrapped(c.text, "               ");
  }
  print("  special cases\n");
  print_wrapped(m.special_cases, "    ");
  print("  guarantees\n");
  print_wrapped(m.guarantees, "    ");
}

void print_json(const std::vector<const ModelInfo*>& models) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const ModelInfo* m : models) {
    nlohmann::ordered_json coefficients = nlohmann::ordered_json::array();
    for (const Coefficient& c : m->coefficients) {
      nlohmann::ordered_json j = {{"name", c.name}, {"required", c.required}, {"default", c.preset}, {"text", c.text}};
      if (*c.words) {
        j["words"] = c.words;
      } else {
        j["min"] = std::isfinite(c.min) ? nlohmann::ordered_json(c.min) : nullptr;
        j["max"] = std::isfinite(c.max) ? nlohmann::ordered_json(c.max) : nullptr;
      }
      coefficients.push_back(std::move(j));
    }
    all.push_back({{"name", m->name},
                   {"title", m->title},
                   {"text", m->text},
                   {"coefficients", std::move(coefficients)},
                   {"special_cases", m->special_cases},
                   {"guarantees", m->guarantees},
                   {"never_gains", m->never_gains},
                   {"two_stages", m->two_stages},
                   {"moment", m->has_moment}});
  }
  print("{}\n", all.dump(2));
}

int run_models(const std::vector<std::string>& names, bool json) {
  std::vector<const ModelInfo*> chosen;
  std::vector<Problem> problems;
  for (const std::string& name : names) {
    if (const ModelInfo* m = find_model(name)) chosen.push_back(m);
    else unknown_model(name, "model", problems);
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  if (names.empty())
    for (const ModelInfo& m : all_models()) chosen.push_back(&m);
  if (json) {
    print_json(chosen);
    return kDone;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (i) print("\n");
    explain(*chosen[i]);
  }
  return kDone;
}

// Cases for tests of speed and of other programs: two free bodies that approach, the models in turn, one run each.
int run_random(long count, std::uint64_t seed) {
  Random random(mixed_seed({seed}));
  const auto body = [&] {
    FreeBody b;
    b.inverse_mass = random.uniform(0.1, 3);
    b.inverse_inertia = random.uniform(0.1, 6);
    b.x = random.uniform(-1, 1), b.y = random.uniform(-1, 1);
    b.vx = random.uniform(-2, 2), b.vy = random.uniform(-2, 2), b.omega = random.uniform(-2, 2);
    return b;
  };
  std::string text = "{\"cases\": [\n";
  const auto number = [&](const char* label, double x) {
    char digits[32];
    text += label;
    text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
  };
  for (long i = 0; i < count; ++i) {
    FreeBody b1 = body(), b2 = body();
    Pre a = pre_impact(b1, b2);
    while (a.DNA >= 0) {
      b1 = body(), b2 = body();
      a = pre_impact(b1, b2);
    }
    const LocalMass m = local_mass(b1, b2);
    const ModelInfo& model = all_models()[static_cast<std::size_t>(i) % all_models().size()];
    text += fmt::format("{{\"id\": \"random-{}\", \"kind\": \"impact\", \"local\": {{", i);
    number("\"A\": ", m.A), number(", \"B\": ", m.B), number(", \"C\": ", m.C);
    number(", \"D\": ", m.D), number(", \"E\": ", m.E), number(", \"F\": ", m.F);
    number("}, \"pre\": {\"DNA\": ", a.DNA), number(", \"DTA\": ", a.DTA), number(", \"DthA\": ", a.DthA);
    text += fmt::format("}}, \"runs\": [{{\"model\": \"{}\", \"params\": {{", model.name);
    bool first = true;
    for (const Coefficient& c : model.coefficients) {
      if (!c.number || std::string_view(c.name).starts_with("K") || std::string_view(c.name) == "mu0") continue;
      const double lo = std::max(c.min, -1.5), hi = std::min(c.max, 1.5);
      number(fmt::format("{}\"{}\": ", first ? "" : ", ", c.name).c_str(), random.uniform(lo, hi));
      first = false;
    }
    text += i + 1 < count ? "}}]},\n" : "}}]}\n";
    if (text.size() > (1u << 20)) {
      write_all(STDOUT_FILENO, text, "standard output");
      text.clear();
    }
  }
  text += "]}\n";
  write_all(STDOUT_FILENO, text, "standard output");
  return kDone;
}

}  // namespace

void add_impact(CLI::App& app, int& exit_code) {
  CLI::App* impact = app.add_subcommand("impact", "planar collisions of rigid bodies: the impact lab");
  impact->require_subcommand(1);

  auto solve = std::make_shared<SolveArguments>();
  CLI::App* s =
      impact->add_subcommand("solve", "solve collisions given as JSON: the same text with a result in each run");
  s->add_option("file", solve->file, "file with cases, - for standard input")->type_name(kFile)->required();
  s->add_option("--out", solve->out, "file to write; default: standard output")->type_name(kFile);
  s->add_flag("--overwrite", solve->overwrite, "replace the file to write if it is there");
  s->add_flag("--approaching", solve->approaching, "a contact that does not approach is an error, not a status");
  s->callback([=, &exit_code] { exit_code = run_solve(*solve); });

  auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* m =
      impact->add_subcommand("models", "explain the collision models: coefficients, special cases, guarantees");
  m->add_option("name", *names, "models; default: all");
  auto json = std::make_shared<bool>(false);
  m->add_flag("--json", *json, "as JSON");
  m->callback([=, &exit_code] { exit_code = run_models(*names, *json); });

  auto count = std::make_shared<long>(1000);
  auto seed = std::make_shared<std::uint64_t>(1);
  CLI::App* r = impact->add_subcommand("random", "print random collisions for solve");
  r->add_option("--count", *count, "how many")->check(CLI::Range(1L, 100000000L));
  r->add_option("--seed", *seed, "seed of the random numbers");
  r->callback([=, &exit_code] { exit_code = run_random(*count, *seed); });
}

}  // namespace areia::app
