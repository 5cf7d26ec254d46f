#include "io/scripts/script_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "io/files/line_pieces.h"

namespace areia::io {
namespace {

// Variables may hold variables, and each may double what it is made of.
constexpr std::size_t kLongestLine = 1 << 16;
constexpr std::size_t kMostEvaluated = 1 << 24;  // characters of formulas in all
constexpr std::size_t kDeepest = 32;
constexpr std::size_t kMostIncluded = 100;

constexpr std::string_view kTriple = "\"\"\"";

// Where a comment begins; a # within quotes begins none.
std::size_t comment_at(std::string_view line) {
  char quote = '\0';
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (quote) quote = line[k] == quote ? '\0' : quote;
    else if (line[k] == '"' || line[k] == '\'') quote = line[k];
    else if (line[k] == '#') return k;
  }
  return std::string_view::npos;
}

bool opens_triple_quotes(std::string_view line) {
  bool open = false;
  for (std::size_t at = 0; (at = line.find(kTriple, at)) != std::string_view::npos; at += kTriple.size()) open = !open;
  return open;
}

// Words between blanks; what stands in quotes is one word. False: a quote does not end.
bool split_words(std::string_view line, std::vector<std::string>& words) {
  constexpr std::string_view kSpace = " \t\r\n";
  for (std::size_t at = 0; (at = line.find_first_not_of(kSpace, at)) != std::string_view::npos;) {
    const std::size_t quotes = line.substr(at).starts_with(kTriple) ? 3 : line[at] == '"' || line[at] == '\'' ? 1 : 0;
    if (quotes > 0) {
      const std::size_t end = line.find(line.substr(at, quotes), at + quotes);
      if (end == std::string_view::npos) return false;
      words.emplace_back(line.substr(at + quotes, end - at - quotes));
      at = end + quotes;
    } else {
      const std::size_t end = std::min(line.find_first_of(kSpace, at), line.size());
      words.emplace_back(line.substr(at, end - at));
      at = end;
    }
  }
  return true;
}

// "%.3f" and the like, of which nothing else reaches the C library.
bool is_number_format(std::string_view f) {
  if (f.size() < 2 || f.size() > 8 || f.front() != '%') return false;
  const std::string_view middle = f.substr(1, f.size() - 2);
  const std::size_t dot = middle.find('.');
  return std::string_view("eEfFgG").find(f.back()) != std::string_view::npos &&
         middle.find_first_not_of("0123456789.+- ") == std::string_view::npos &&
         (dot == std::string_view::npos || middle.find_first_not_of("0123456789", dot + 1) == std::string_view::npos) &&
         middle.find_last_of("+- ") == middle.find_first_of("+- ");
}

std::string formatted(const std::string& format, double v) {
  std::array<char, 512> buffer{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  const int n = std::snprintf(buffer.data(), buffer.size(), format.c_str(), v);
#pragma GCC diagnostic pop
  if (n < 0 || n >= static_cast<int>(buffer.size())) throw NoValue("a number is too long for its format");
  return {buffer.data(), static_cast<std::size_t>(n)};
}

// Of the closing bracket that belongs to the one at `open`.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t k = open; k < text.size(); ++k) {
    if (text[k] == '(') ++depth;
    else if (text[k] == ')' && --depth == 0) return k;
  }
  return std::string_view::npos;
}

}  // namespace

ScriptReader::ScriptReader(std::string text, std::string file, const std::map<std::string, std::string>& variables,
                           ReadText read)
    : read_(std::move(read)) {
  for (const auto& [name, value] : variables) variables_[name] = {false, true, value};
  sources_.push_back({std::move(file), std::move(text)});
}

// The next line that holds something, with those that continue it.
bool ScriptReader::logical_line(Command& c, std::string& line) {
  line.clear();
  while (!sources_.empty()) {
    Source& s = sources_.back();
    bool goes_on = false, triple = false;
    while (s.at < s.text.size()) {
      const std::size_t end = std::min(s.text.find('\n', s.at), s.text.size());
      std::string_view piece = std::string_view(s.text).substr(s.at, end - s.at);
      s.at = end + 1;
      ++s.line;
      if (!goes_on && !triple) {
        c.file = s.file;
        c.line = s.line;
      }
      if (!triple) piece = piece.substr(0, comment_at(piece));
      piece = trimmed(piece);
      goes_on = !triple && piece.ends_with('&');
      if (goes_on) piece.remove_suffix(1);
      line.append(line.empty() ? "" : " ").append(piece);
      if (line.size() > kLongestLine) break;
      triple = opens_triple_quotes(line);
      if (goes_on || triple) continue;
      if (!trimmed(line).empty()) return true;
      line.clear();
    }
    if (!trimmed(line).empty()) return true;  // the text ends where it should go on, or goes on for too long
    sources_.pop_back();
  }
  return false;
}

std::optional<Command> ScriptReader::next() {
  for (;;) {
    Command c;
    std::string line;
    if (!logical_line(c, line)) return std::nullopt;
    c.text = trimmed(line);
    std::replace(c.text.begin(), c.text.end(), '\t', ' ');
    try {
      if (line.size() > kLongestLine) throw NoValue("the line is too long");
      depth_ = 0;
      line = substituted(line);
    } catch (const NoValue& e) { c.trouble = e.what(); }
    if (!split_words(line, c.words) && c.trouble.empty()) c.trouble = "a quote does not end";
    if (c.words.empty()) c.words.emplace_back();
    if (c.trouble.empty() && c.words[0] == "variable") {
      define(c);
      if (c.trouble.empty()) continue;
    } else if (c.trouble.empty() && c.words[0] == "include") {
      include(c);
      if (c.trouble.empty()) continue;
    }
    return c;
  }
}

std::string ScriptReader::substituted(std::string_view line) {
  // formulas may hold variables, and those formulas; an exception ends the line, and with it the counting
  evaluated_ += line.size();
  if (evaluated_ > kMostEvaluated || ++depth_ > kDeepest) throw NoValue("variables are made of too many others");
  std::string out;
  char quote = '\0';
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (quote || c == '"' || c == '\'') {
      quote = !quote ? c : quote == c ? '\0' : quote;
      out += c;
      continue;
    }
    if (c != '$' || k + 1 >= line.size()) {
      out += c;
      continue;
    }
    if (line[k + 1] == '{') {
      const std::size_t end = line.find('}', k);
      if (end == std::string_view::npos) throw NoValue("a ${ does not end");
      out += text_of(std::string(line.substr(k + 2, end - k - 2)));
      k = end;
    } else if (line[k + 1] == '(') {
      const std::size_t end = closing(line, k + 1);
      if (end == std::string_view::npos) throw NoValue("a $( does not end");
      std::string_view formula = line.substr(k + 2, end - k - 2);
      std::string format;
      if (const std::size_t colon = formula.find(":%"); colon != std::string_view::npos) {
        format = trimmed(formula.substr(colon + 1));
        formula = formula.substr(0, colon);
        if (!is_number_format(format)) throw NoValue(fmt::format("`{}` is no format of a number", format));
      }
      const double v = evaluate(substituted(formula), [this](const std::string& name) { return named_value(name); });
      out += format.empty() ? fmt::format("{}", v) : formatted(format, v);
      k = end;
    } else {
      out += text_of(std::string(1, line[k + 1]));
      ++k;
    }
    if (out.size() > kLongestLine) throw NoValue("the line is too long with its variables");
  }
  --depth_;
  return out;
}

std::string ScriptReader::text_of(const std::string& name) {
  const auto at = variables_.find(name);
  if (at == variables_.end()) throw NoValue(fmt::format("the variable `{}` has no value here", name));
  return at->second.is_formula ? fmt::format("{}", value(name)) : at->second.text;
}

double ScriptReader::value(const std::string& name) {
  const auto at = variables_.find(name);
  if (at == variables_.end()) throw NoValue(fmt::format("the variable `{}` has no value here", name));
  double v = 0;
  if (!at->second.is_formula) {
    if (read_number(trimmed(at->second.text), v)) return v;
    throw NoValue(fmt::format("the variable `{}` is no number", name));
  }
  if (++depth_ > kDeepest) throw NoValue(fmt::format("the variable `{}` is made of itself", name));
  // quotes keep ${...} of a formula from being put in before
  v = evaluate(substituted(at->second.text), [this](const std::string& n) { return named_value(n); });
  --depth_;
  return v;
}

double ScriptReader::named_value(const std::string& name) {
  if (name.starts_with("v_")) return value(name.substr(2));
  const auto at = keywords_.find(name);
  if (at == keywords_.end()) throw NoValue(fmt::format("`{}` follows from the state of the run", name));
  return at->second;
}

void ScriptReader::define(Command& c) {
  if (c.words.size() < 3) {
    c.trouble = "needs a name and a style";
    return;
  }
  const std::string &name = c.words[1], &style = c.words[2];
  if (style == "delete") {
    variables_.erase(name);
    return;
  }
  const bool by_index = style == "index" || style == "loop";
  const auto known = variables_.find(name);
  if (by_index && known != variables_.end() && known->second.by_index) return;  // keeps its value
  variables_.erase(name);
  if (c.words.size() < 4) {
    c.trouble = "has no value";
    return;
  }
  if (style == "equal") {
    std::string formula = c.words[3];
    for (std::size_t k = 4; k < c.words.size(); ++k) formula += " " + c.words[k];
    variables_[name] = {true, false, std::move(formula)};
  } else if (style == "string" || style == "index") {
    variables_[name] = {false, by_index, c.words[3]};
  } else if (style == "loop") {
    variables_[name] = {false, true, c.words.size() > 4 ? c.words[3] : "1"};
  } else {
    c.trouble = fmt::format("variables of style `{}` have no value before the run", style);
  }
}

void ScriptReader::include(Command& c) {
  if (c.words.size() < 2) {
    c.trouble = "names no file";
    return;
  }
  if (++included_ > kMostIncluded || sources_.size() > kDeepest) {
    c.trouble = "too many scripts are included";
    return;
  }
  std::string why;
  // relative to where the script is run: beside the script itself
  const std::string& first = sources_.empty() ? c.file : sources_.front().file;
  const std::filesystem::path file = std::filesystem::path(first).parent_path() / c.words[1];
  auto text = read_(file, why);
  if (!text) c.trouble = fmt::format("{} cannot be read: {}", file.string(), why);
  else sources_.push_back({file.string(), std::move(*text)});
}

}  // namespace areia::io
