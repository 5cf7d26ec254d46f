// What commands print. A terminal that went away or a full device must not matter to the work that is done: nothing
// here throws. Whether the standard output could be written is asked once, at the end.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "core/plain_text.h"

namespace areia::app {

void write_error(std::string_view text);   // to stderr, as it is
void write_output(std::string_view text);  // to stdout, as it is

// For people: without what would act on their terminal.
template <class... A>
void tell(fmt::format_string<A...> format, A&&... values) {
  write_error(plain_text(fmt::format(format, std::forward<A>(values)...)));
}
template <class... A>
void print(fmt::format_string<A...> format, A&&... values) {
  write_output(plain_text(fmt::format(format, std::forward<A>(values)...)));
}

// Whether stderr is a terminal that shows colours, and the user has not asked for none (NO_COLOR).
bool shows_colours();
enum class Colour { alarm = 31, warning = 33 };  // as terminals number them
std::string coloured(Colour colour, std::string plain);

// What went wrong.
template <class... A>
void tell_alarm(fmt::format_string<A...> format, A&&... values) {
  write_error(coloured(Colour::alarm, plain_text(fmt::format(format, std::forward<A>(values)...))));
}

// Descriptors 0, 1 and 2 that are closed would be given to files, into which messages would then go. A pipe that nobody
// reads and a limit on the size of files (PIPE, XFSZ) become errors of the write in place of signals.
void prepare_streams();

// Everything printed has left the process: an errno, or 0.
int finish_output();

}  // namespace areia::app
