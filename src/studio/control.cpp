#include "studio/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "areia/case_file.h"
#include "areia/error.h"
#include "core/units.h"
#include "io/files/atomic_file.h"
#include "run/examples.h"
#include "studio/drawing.h"

namespace areia::studio {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t kLongestScene = 64 << 20;  // bytes
constexpr double kLongestCheck = 10;             // s
constexpr std::size_t kLongestLook = 16 << 10;   // bytes

const std::set<std::string> kGet{"/api/starter",  "/api/cases",           "/api/file",   "/api/schema",
                                 "/api/examples", "/api/example_picture", "/api/columns"};
const std::set<std::string> kPost{"/api/save", "/api/check", "/api/example", "/api/start", "/api/stop", "/api/resume"};

// A member of the body that must be a text; throws InputError.
std::string text_in(const json& body, const char* key) {
  const auto found = body.find(key);
  if (found == body.end() || !found->is_string()) throw InputError("body", key, "a text of this name is missing");
  return found->get<std::string>();
}

json parsed(const std::string& text) {
  json body = json::parse(text, nullptr, false);
  if (!body.is_object()) throw InputError("body", "", "is not a JSON object");
  return body;
}

const Example* find(const std::vector<Example>& examples, const std::string& name) {
  const auto found = std::find_if(examples.begin(), examples.end(), [&](const Example& e) { return e.name == name; });
  return found == examples.end() ? nullptr : &*found;
}

}  // namespace

bool Control::knows(const std::string& path) { return kGet.contains(path) || kPost.contains(path); }
bool Control::takes(const std::string& path) { return kPost.contains(path); }

Answer Control::answer(const Target& target) {
  if (!target.post) return get(target);
  const json body = parsed(target.body);
  if (target.path == "/api/stop") return stop(text_in(body, "run"));
  if (target.path == "/api/resume") return resume(body);
  if (is_results(files_.folder()))
    return refusal(
        409,
        "the studio was started on a results folder, in which nothing is changed; start it on the folder around it");
  if (target.path == "/api/save") return save(body);
  if (target.path == "/api/example") return copy_example(text_in(body, "name"));
  if (target.path == "/api/start") return start(text_in(body, "case"));
  return refusal(404, "there is no such address");
}

Answer Control::get(const Target& target) {
  if (target.path == "/api/cases") return cases();
  if (target.path == "/api/file") return file(value_of(target, "case"));
  if (target.path == "/api/schema") return {200, "application/json", json_schema()};
  if (target.path == "/api/starter") return {200, "text/plain; charset=utf-8", starter_case()};
  if (target.path == "/api/columns") return as_answer(columns_.of(runs_));
  const std::vector<Example> examples = find_examples();
  if (target.path == "/api/examples") {
    json all = json::array();
    for (const Example& e : examples)
      all.push_back(
          {{"name", e.name}, {"title", e.title}, {"text", e.text}, {"picture", fs::exists(e.folder / "picture.png")}});
    return as_answer(all);
  }
  const Example* example = find(examples, value_of(target, "name"));
  if (!example || !is_plain_file(example->folder / "picture.png")) return refusal(404, "there is no such picture");
  return {200, "image/png", read_file(example->folder / "picture.png")};
}

Answer Control::cases() const {
  json all = json::array();
  for (const CaseEntry& e : files_.all()) all.push_back({{"path", e.path}, {"title", e.title}, {"changed", e.changed}});
  return as_answer(all);
}

Answer Control::file(const std::string& path) const {
  const std::optional<fs::path> found = files_.find(path);
  if (!found || !is_plain_file(*found)) return refusal(404, "there is no such case");
  const CaseFiles::Text text = files_.read(*found);
  return as_answer({{"text", text.text}, {"version", text.version}});
}

Answer Control::save(const json& body) {
  const std::optional<fs::path> found = files_.find(text_in(body, "case"));
  if (!found) return refusal(404, "there is no such case; names end in .toml, in a folder below that of the studio");
  const std::string text = text_in(body, "text");
  if (text.size() > kLongestCase) return refusal(413, "the case is longer than 1 MB");
  const std::optional<std::string> version = files_.save(*found, text, text_in(body, "version"));
  if (!version) return refusal(409, "the file was changed by somebody else since it was read");
  return as_answer({{"version", *version}});
}

Answer Control::check(const Target& target) const {
  std::string name, text, look;
  try {
    const json body = parsed(target.body);
    name = text_in(body, "case");
    text = text_in(body, "text");
    if (body.contains("look")) look = text_in(body, "look");
  } catch (const InputError& e) { return refusal(400, e.what()); }
  if (!files_.find(name)) return refusal(404, "there is no such case");
  if (text.size() > kLongestCase) return refusal(413, "the case is longer than 1 MB");
  std::vector<std::string> arguments{"check", "--scene", "--stdin", "--within", files_.folder().string(), "--", name};
  if (!look.empty()) {
    if (look.size() > kLongestLook) return refusal(413, "the look is too long");
    try {
      read_look(look);
    } catch (const InputError& e) { return refusal(422, e.what()); }
    arguments.insert(arguments.begin() + 1, {"--look", look});
  }
  const std::string answer = output_of(arguments, text, files_.folder(), kLongestScene, kLongestCheck);
  if (!look.empty() && answer.starts_with("\x89PNG")) return {200, "image/png", answer};
  if (!look.empty()) return refusal(422, "there is no scene to be drawn");
  if (!answer.starts_with("ARM1")) return refusal(503, "the case needs more memory or time than a check may take");
  return {200, "application/octet-stream", answer};
}

std::string Control::case_of(const std::string& run) const {
  const fs::path path(run);
  if (path.extension() != ".out") return {};
  std::string stem = path.stem().string();
  const auto there = [&](const std::string& name) {
    const std::string below = (path.parent_path() / (name + ".toml")).string();
    const std::optional<fs::path> file = files_.find(below);
    return file && is_plain_file(*file) ? below : std::string{};
  };
  if (std::string found = there(stem); !found.empty()) return found;
  const std::size_t dash = stem.rfind('-');
  return dash != std::string::npos && whole_number<int>(stem.substr(dash + 1)) ? there(stem.substr(0, dash)) : "";
}

Answer Control::copy_example(const std::string& name) {
  const std::vector<Example> examples = find_examples();
  const Example* example = find(examples, name);
  if (!example) return refusal(404, "there is no such example");
  const fs::path folder = files_.new_folder(files_.folder(), name, "");
  fs::copy(example->folder, folder, fs::copy_options::recursive);
  return as_answer({{"case", (folder.filename() / "case.toml").string()}});
}

Answer Control::start(const std::string& path) {
  const std::optional<fs::path> file = files_.find(path);
  if (!file || !is_plain_file(*file)) return refusal(404, "there is no such case");
  const std::string name = file->lexically_relative(files_.folder()).string();
  if (std::vector<Problem> outside = names_outside(files_.read(*file).text, name, files_.folder()); !outside.empty())
    throw InputError(std::move(outside));
  const fs::path results = files_.new_folder(file->parent_path(), file->stem().string(), ".out");
  processes_.start(results, {"run", file->string(), "--out", results.string(), "--quiet"});
  return as_answer({{"run", results.lexically_relative(files_.folder()).string()}});
}

Answer Control::stop(const std::string& path) {
  const std::optional<fs::path> run = runs_.find(path);
  if (!run) return refusal(404, "there is no such results folder");
  if (!processes_.stop(*run)) return refusal(409, "no process that could be told to stop is at work there");
  return as_answer({{"run", path}});
}

Answer Control::resume(const json& body) {
  const std::string path = text_in(body, "run");
  const std::optional<fs::path> run = runs_.find(path);
  if (!run) return refusal(404, "there is no such results folder");
  std::vector<std::string> arguments{"run", "--resume", run->string(), "--quiet"};
  if (body.contains("extend")) {
    const std::string time = text_in(body, "extend");
    std::string error;
    const std::optional<double> seconds = parse_quantity(time, "s", error);
    if (!seconds) throw InputError("extend", time, error);
    if (!(*seconds > 0)) throw InputError("extend", time, "must be more than no time");
    arguments.insert(arguments.end(), {"--extend", time});
  }
  processes_.start(*run, arguments);
  return as_answer({{"run", path}});
}

}  // namespace areia::studio
