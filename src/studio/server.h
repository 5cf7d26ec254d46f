// The server of the studio: HTTP on the loopback device, for whoever knows the token.
//
// Who may ask: the name of the host must be this machine's (a page of another site that had its name point here would
// send its own), an Origin must be our own, and every address needs the token. There are GET and HEAD, and POST for
// what is computed: a run of the impact lab, the quick examples of the verification; nothing is written. A connection
// that takes too long is closed, bodies and heads are limited, and so is their number.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace areia::studio {

struct ServerOptions {
  std::filesystem::path folder;
  std::optional<std::uint16_t> port;  // nothing: kUsualPort, or another where that is taken
  // Called when connections are accepted.
  std::function<void(std::uint16_t port, const std::string& token)> ready;
};
inline constexpr std::uint16_t kUsualPort = 8470;

// Returns after SIGINT or SIGTERM. Throws InputError for a port that is taken, FileError for no such folder.
void serve(const ServerOptions& options);

}  // namespace areia::studio
