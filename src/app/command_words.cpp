#include "app/command_words.h"

#include "app/commands.h"

namespace areia::app {
namespace {

Offer offer_of(std::string_view value, const std::vector<std::string>& choices) {
  if (!choices.empty()) return Offer::choices;
  if (value == kFile) return Offer::file;
  if (value == kFolder) return Offer::folder;
  if (value == kSetting) return Offer::key;
  if (value == kExample) return Offer::example;
  return Offer::nothing;
}

OptionWords option_words(const CLI::Option& option) {
  OptionWords o;
  o.positional = option.get_positional();
  if (o.positional) o.names.push_back(option.get_name(true));
  for (const std::string& name : option.get_snames()) o.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) o.names.push_back("--" + name);
  o.required = option.get_required();
  o.takes_value = o.positional || option.get_items_expected_max() > 0;
  o.many = option.get_items_expected_max() > 1;
  o.help = option.get_description();
  // CLI11 gives the type, and behind colons what its checks want: "TEXT:{cpu,cuda}".
  const std::string type = option.get_type_name();
  o.value = type.substr(0, type.find(':'));
  if (o.value == "INT" || o.value == "UINT" || o.value == "FLOAT") o.value = "NUMBER";
  if (const auto open = type.find('{'), close = type.find('}'); open != type.npos && close != type.npos)
    o.choices = CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
  o.offer = offer_of(o.value, o.choices);
  return o;
}

CommandWords words_below(const CLI::App& app, std::vector<std::string> path) {
  CommandWords c;
  c.path = std::move(path);
  c.help = app.get_description();
  c.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) c.options.push_back(option_words(*option));
  for (const CLI::App* one : app.get_subcommands([](const CLI::App* a) { return !a->get_group().empty(); })) {
    std::vector<std::string> there = c.path;
    there.push_back(one->get_name());
    c.commands.push_back(words_below(*one, std::move(there)));
  }
  return c;
}

}  // namespace

std::string CommandWords::name(const char* between) const {
  std::string text;
  for (const std::string& word : path) text += (text.empty() ? "" : between) + word;
  return text;
}

CommandWords words_of(const CLI::App& app) { return words_below(app, {app.get_name()}); }

}  // namespace areia::app
