// Completion of the command line in bash, zsh and fish. The scripts hold commands, options and fixed choices; what
// depends on files, keys of a case and names of examples, they ask the program for (areia completion --keys,
// --examples).
#include <fmt/format.h>

#include "app/command_words.h"

namespace areia::app {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between = " ") {
  std::string text;
  for (const std::string& word : words) text += std::string(text.empty() ? "" : between) + word;
  return text;
}

template <class F>
void for_each_command(const CommandWords& c, F&& f) {
  f(c);
  for (const CommandWords& one : c.commands) for_each_command(one, f);
}

std::vector<std::string> option_names(const CommandWords& c) {
  std::vector<std::string> names;
  for (const OptionWords& o : c.options)
    if (!o.positional) names.insert(names.end(), o.names.begin(), o.names.end());
  return names;
}

std::vector<std::string> command_names(const CommandWords& c) {
  std::vector<std::string> names;
  for (const CommandWords& one : c.commands) names.push_back(one.path.back());
  return names;
}

// In single quotes for a shell.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// ---- bash ----

std::string bash_offer(const OptionWords& o) {
  switch (o.offer) {
    case Offer::choices:
      return fmt::format("__areia_words {}", in_quotes(joined(o.choices)));
    case Offer::file:
      return "__areia_files";
    case Offer::folder:
      return "__areia_folders";
    case Offer::key:
      return "__areia_keys";
    case Offer::example:
      return "__areia_words \"$(\"$program\" completion --examples 2>/dev/null)\"";
    case Offer::nothing:
      break;
  }
  return "__areia_nothing";
}

std::string bash(const CommandWords& program) {
  std::string commands, values, words;
  for_each_command(program, [&](const CommandWords& c) {
    const std::string name = in_quotes(c.name());
    if (!c.commands.empty())
      commands += fmt::format("    {}) subcommands={} ;;\n", name, in_quotes(joined(command_names(c))));
    std::string positional = "__areia_nothing";
    for (const OptionWords& o : c.options) {
      if (o.positional && positional == "__areia_nothing") positional = bash_offer(o);
      if (o.positional || !o.takes_value) continue;
      std::vector<std::string> patterns;
      for (const std::string& n : o.names) patterns.push_back(in_quotes(c.name() + " " + n));
      values += fmt::format("    {}) offer={} ;;\n", joined(patterns, "|"), in_quotes(bash_offer(o)));
    }
    words += fmt::format("    {}) options={} positional={} ;;\n", name, in_quotes(joined(option_names(c))),
                         in_quotes(positional));
  });
  return fmt::format(R"bash(# Completion of areia for bash. Made by: areia completion bash
# These see the variables of _areia, which calls them.
__areia_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }}
__areia_files() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current"); }}
__areia_folders() {{ compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$current"); }}
__areia_keys() {{ compopt -o nospace 2>/dev/null; __areia_words "$("$program" completion --keys "$case_file" 2>/dev/null)"; }}
__areia_nothing() {{ COMPREPLY=(); }}
# A word of the line as the program would get it.
__areia_plain() {{
  plain=${{1//[\\\"\']/}}
  case $1 in '~/'*) plain=$HOME/${{plain#'~/'}} ;; esac
}}
_areia() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=areia case_file= program plain subcommands options positional offer word k
  __areia_plain "${{COMP_WORDS[0]}}"; program=$plain
  for ((k = 1; k < COMP_CWORD; ++k)); do
    word=${{COMP_WORDS[k]}}
    subcommands=
    case $command in
{commands}    esac
    case " $subcommands " in *" $word "*) command="$command $word" ;; esac
    __areia_plain "$word"
    case $plain in *.toml) case_file=$plain ;; esac
  done
  # `--option=value` comes as three words
  if [[ $current == = ]]; then current=; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case $command in
{words}  esac
  case "$command $before" in
{values}    *) offer= ;;
  esac
  subcommands=
  case $command in
{commands}  esac
  if [[ -n $offer ]]; then eval "$offer"
  elif [[ $current == -* ]]; then __areia_words "$options"
  elif [[ -n $subcommands ]]; then __areia_words "$subcommands"
  else eval "$positional"
  fi
}}
complete -F _areia areia
)bash",
                     fmt::arg("commands", commands), fmt::arg("words", words), fmt::arg("values", values));
}

// ---- zsh ----

std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const OptionWords& o) {
  switch (o.offer) {
    case Offer::choices:
      return "(" + joined(o.choices) + ")";
    case Offer::file:
      return "_files";
    case Offer::folder:
      return "_files -/";
    case Offer::key:
      return "__areia_keys";
    case Offer::example:
      return "__areia_examples";
    case Offer::nothing:
      break;
  }
  return "";
}

std::string zsh_function(const CommandWords& c) { return "_" + c.name("_"); }

std::string zsh(const CommandWords& program) {
  std::string functions;
  for_each_command(program, [&](const CommandWords& c) {
    functions += fmt::format("{}() {{\n", zsh_function(c));
    std::string arguments;
    int place = 0;
    for (const OptionWords& o : c.options) {
      const std::string help = zsh_text(o.help);
      if (o.positional) {
        const std::string where = o.many ? "*" : std::to_string(++place);
        arguments += " \\\n    " + in_quotes(fmt::format("{}:{}:{}", where, zsh_text(o.names[0]), zsh_action(o)));
        continue;
      }
      for (const std::string& name : o.names) {
        std::string word = fmt::format("{}{}{}[{}]", o.offer == Offer::key ? "*" : "", name,
                                       o.takes_value && name.starts_with("--") ? "=" : "", help);
        if (o.takes_value) word += fmt::format(":{}:{}", zsh_text(o.value), zsh_action(o));
        arguments += " \\\n    " + in_quotes(word);
      }
    }
    if (c.commands.empty()) {
      functions += fmt::format("  _arguments -s{}\n}}\n", arguments);
      return;
    }
    std::string list, branches;
    for (const CommandWords& one : c.commands) {
      list += " \\\n      " + in_quotes(one.path.back() + ":" + one.help);
      branches += fmt::format("      {}) {} ;;\n", one.path.back(), zsh_function(one));
    }
    functions += fmt::format(R"zsh(  local state line curcontext=$curcontext
  local -a commands
  _arguments -C{arguments} \
    '1:command:->command' '*::argument:->argument'
  case $state in
    command) commands=({list})
      _describe command commands ;;
    argument) case $line[1] in
{branches}    esac ;;
  esac
}}
)zsh",
                             fmt::arg("arguments", arguments), fmt::arg("list", list), fmt::arg("branches", branches));
  });
  return fmt::format(R"zsh(#compdef areia
# Completion of areia for zsh. Made by: areia completion zsh
__areia_keys() {{
  local -a keys plain
  plain=("${{(@Q)words}}")  # as the program would get them
  local file=${{plain[(r)*.toml]}}
  [[ $file == '~/'* ]] && file=$HOME/${{file#'~/'}}
  keys=(${{(f)"$(areia completion --keys "$file" 2>/dev/null)"}})
  compadd -S '' -- $keys
}}
__areia_examples() {{ compadd -- ${{(f)"$(areia completion --examples 2>/dev/null)"}} }}
{functions}if [[ $funcstack[1] == _areia ]]; then _areia "$@"; else compdef _areia areia; fi
)zsh",
                     fmt::arg("functions", functions));
}

// ---- fish ----

std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

// That the words so far name this command and none below it.
std::string fish_condition(const CommandWords& c) {
  return fish_quoted(fmt::format("test (__areia_command) = {}", fish_quoted(c.name())));
}

std::string fish_values(const OptionWords& o) {
  switch (o.offer) {
    case Offer::choices:
      return fmt::format(" -f -a {}", fish_quoted(joined(o.choices)));
    case Offer::file:
      return " -F";
    case Offer::folder:
      return " -f -a '(__fish_complete_directories)'";
    case Offer::key:
      return " -f -a '(__areia_keys)'";
    case Offer::example:
      return " -f -a '(areia completion --examples 2>/dev/null)'";
    case Offer::nothing:
      break;
  }
  return " -f";
}

std::string fish(const CommandWords& program) {
  std::string lines, branches;
  for_each_command(program, [&](const CommandWords& c) {
    const std::string here = fmt::format("complete -c areia -n {}", fish_condition(c));
    if (!c.commands.empty())
      branches +=
          fmt::format("      case {}\n        set subcommands {}\n", fish_quoted(c.name()), joined(command_names(c)));
    for (const CommandWords& one : c.commands)
      lines += fmt::format("{} -f -a {} -d {}\n", here, one.path.back(), fish_quoted(one.help));
    for (const OptionWords& o : c.options) {
      if (o.positional) {
        lines += here + fish_values(o) + "\n";
        continue;
      }
      std::string names;
      for (const std::string& name : o.names)
        names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      lines +=
          fmt::format("{}{}{} -d {}\n", here, names, o.takes_value ? " -r" + fish_values(o) : "", fish_quoted(o.help));
    }
  });
  return fmt::format(R"fish(# Completion of areia for fish. Made by: areia completion fish
function __areia_command
  set -l command areia
  for word in (commandline -opc)[2..-1]
    set -l subcommands
    switch $command
{branches}    end
    contains -- $word $subcommands; and set command "$command $word"
  end
  echo $command
end
function __areia_keys
  set -l files (string match -- '*.toml' (commandline -opc))
  areia completion --keys (string replace -r '^~/' "$HOME/" -- "$files[1]") 2>/dev/null
end
complete -c areia -f
{lines})fish",
                     fmt::arg("branches", branches), fmt::arg("lines", lines));
}

}  // namespace

std::string completion_script(const CommandWords& program, const std::string& shell) {
  return shell == "bash" ? bash(program) : shell == "zsh" ? zsh(program) : fish(program);
}

}  // namespace areia::app
