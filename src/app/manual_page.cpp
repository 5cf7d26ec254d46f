#include <fmt/format.h>

#include <algorithm>

#include "app/command_words.h"
#include "areia/version.h"

namespace areia::app {
namespace {

// As roff reads it: hyphens of options are minus signs, and no line begins as a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') out += "\\(rs";
    else if (c == '-') out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += std::string("\\&") + c;
    else out += c;
  }
  return out;
}

// A help text as a sentence; a choice that it begins with stays as it is typed.
std::string sentence(std::string text, const std::vector<std::string>& choices = {}) {
  if (text.empty()) return text;
  const std::string first = text.substr(0, text.find_first_of(" ,;:("));
  if (std::find(choices.begin(), choices.end(), first) == choices.end())
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.back() == '.' ? text : text + ".";
}

std::string with_value(const OptionWords& o) {
  std::string text;
  for (const std::string& name : o.names)
    text += (text.empty() ? "" : ", ") +
            (o.positional ? fmt::format("\\fI{}\\fR", roff(name)) : "\\fB" + roff(name) + "\\fR");
  if (o.takes_value && !o.positional) text += fmt::format(" \\fI{}\\fR", roff(o.value));
  return text;
}

std::string option_entry(const OptionWords& o) {
  std::string help = roff(sentence(o.help, o.choices));
  if (!o.choices.empty()) {
    std::string list;
    for (const std::string& c : o.choices) list += (list.empty() ? "" : ", ") + ("\\fB" + roff(c) + "\\fR");
    help += " One of " + list + ".";
  }
  return fmt::format(".TP\n{}\n{}\n", with_value(o), help);
}

}  // namespace

std::string manual_page(const CommandWords& c) {
  const std::string name = c.name("-");
  std::string upper = name;
  for (char& a : upper) a = static_cast<char>(std::toupper(static_cast<unsigned char>(a)));
  std::string page =
      fmt::format(".\\\" Made by: areia man\n.TH {} 1 \"\" \"areia {}\" \"Areia\"\n.SH NAME\n{} \\- {}\n", roff(upper),
                  kVersion, roff(name), roff(c.help));
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR", roff(c.name()));
  if (!c.commands.empty()) page += " \\fICOMMAND\\fR ...";
  bool any = false;
  for (const OptionWords& o : c.options) any = any || !o.positional;
  if (any) page += " [\\fIOPTIONS\\fR]";
  for (const OptionWords& o : c.options) {
    if (!o.positional) continue;
    const std::string word = fmt::format("\\fI{}\\fR{}", roff(o.names[0]), o.many ? "..." : "");
    page += o.required ? " " + word : " [" + word + "]";
  }
  page += "\n";
  if (!c.footer.empty()) page += ".SH DESCRIPTION\n" + roff(c.footer) + "\n";
  if (!c.commands.empty()) {
    page += ".SH COMMANDS\n";
    for (const CommandWords& one : c.commands)
      page += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(one.name("-")), roff(sentence(one.help)));
  }
  std::string positional, options;
  for (const OptionWords& o : c.options) (o.positional ? positional : options) += option_entry(o);
  if (!positional.empty()) page += ".SH ARGUMENTS\n" + positional;
  if (!options.empty()) page += ".SH OPTIONS\n" + options;
  page +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nDone.\n.TP\n1\nA value that fails (\\fBareia verify\\fR), a finding (\\fBareia doctor\\fR), or a "
      "defect of the program.\n"
      ".TP\n2\nWrong input; nothing was written.\n"
      ".TP\n3\nThe run had to stop, and says why.\n.TP\n4\nA file could not be read or written.\n"
      ".TP\n130\nInterrupted; a run has left a checkpoint.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n\\fBOMP_NUM_THREADS\\fR, \\fBSLURM_CPUS_PER_TASK\\fR\nThe most threads that a run takes by itself.\n"
      ".TP\n\\fBAREIA_CACHE\\fR\nFolder of computed packings; \\fBoff\\fR keeps none.\n"
      ".TP\n\\fBAREIA_CUDA\\fR\nThe library of the cuda engine, where it is not beside the program.\n"
      ".TP\n\\fBAREIA_MPI\\fR\nThe library of MPI, likewise; \\fBoff\\fR: processes that mpirun or srun starts are "
      "runs of their own.\n"
      ".TP\n\\fBNO_COLOR\\fR\nNo colours on the terminal.\n";
  page += ".SH SEE ALSO\n";
  if (c.path.size() > 1) {
    std::string above;
    for (std::size_t k = 0; k + 1 < c.path.size(); ++k) above += (k ? "-" : "") + c.path[k];
    page += fmt::format("\\fB{}\\fR(1); ", roff(above));
  }
  page += "the guide and the reference of all keys of case files come with the program (\\fBareia reference\\fR).\n";
  return page;
}

}  // namespace areia::app
