#include "studio/server.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/resource.h>

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <memory>

#include "areia/error.h"
#include "io/files/atomic_file.h"
#include "studio/lab.h"
#include "studio/page.h"
#include "studio/routes.h"
#include "studio/verification.h"

namespace areia::studio {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using net::ip::tcp;
using namespace std::chrono_literals;

constexpr auto kTimeToAsk = 10s, kTimeToTake = 60s;
constexpr std::uint64_t kLongestBody = 3 << 20;  // a case as JSON
constexpr std::uint32_t kLongestHead = 16 << 10;
constexpr int kMostConnections = 256;
constexpr auto kTimeToCompute = 2s;  // a run of the impact lab
constexpr int kMostWaiting = 16;     // runs of the impact lab that nobody has begun

std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
    throw FileError("the system gives no random numbers");
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

// In a time that does not tell how much of it agrees.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k) difference |= static_cast<unsigned char>(a[k] ^ b[k]);
  return difference == 0;
}

std::string_view as_view(beast::string_view text) { return {text.data(), text.size()}; }

// "localhost:8470": the name without the port, which `ssh -L` may change.
bool is_this_machine(std::string_view host) {
  const std::string_view name = host.substr(0, host.rfind(':'));
  const std::string_view port = name.size() < host.size() ? host.substr(name.size() + 1) : std::string_view("80");
  return (name == "127.0.0.1" || name == "localhost") && !port.empty() &&
         port.find_first_not_of("0123456789") == std::string_view::npos;
}

// Who watches a run must not slow it down: frames are read, and pictures drawn, when nobody else wants the processor.
// Of a thread, and of those that it starts; not of the one that starts runs, which would go on like that.
void give_way() { ::setpriority(PRIO_PROCESS, 0, 5); }

struct Shared {
  Shared(std::string t, std::string p, const std::filesystem::path& folder)
      : token(std::move(t)), policy(std::move(p)), routes(folder) {
    net::post(readers, give_way);
    net::post(drawers, give_way);
  }
  std::string token, policy;
  Routes routes;
  Verification verification{routes.folder()};
  net::thread_pool workers{1};   // one: what changes something comes in turn
  net::thread_pool readers{1};   // frames, which must not hold up others
  net::thread_pool drawers{1};   // pictures, one at a time
  net::thread_pool checkers{2};  // checks of cases take their time
  net::thread_pool lab{1};       // apart: what it computes may take its time
  std::atomic<int> waiting = 0;
  std::atomic<bool> ending = false;
  int connections = 0;
};

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

// Why a request gets no answer, or nothing.
std::optional<Answer> objection(const Request& request, const Target& target, const std::string& token) {
  if (request.count(http::field::host) != 1 || !is_this_machine(as_view(request[http::field::host])))
    return refusal(403, "this server answers to the names 127.0.0.1 and localhost");
  for (const auto& field : request)
    if (field.name() == http::field::origin &&
        as_view(field.value()) != fmt::format("http://{}", as_view(request[http::field::host])))
      return refusal(403, "this server answers to its own page only");
  const auto given = target.query.find("token");
  const std::string_view header = as_view(request["X-Areia-Token"]);
  if (!same(given != target.query.end() ? std::string_view(given->second) : header, token))
    return refusal(401, "the token of the address that `areia studio` printed is missing or wrong");
  const bool computes = target.path == kLabRun || target.path == kVerificationQuick;
  if (!computes && !Control::takes(target.path)) {
    if (request.method() == http::verb::get || request.method() == http::verb::head) return {};
    return refusal(405, "there is nothing here but GET and HEAD");
  }
  if (request.method() != http::verb::post) return refusal(405, "there is nothing here but POST");
  // What changes or starts something is asked for by our page alone: browsers name the page that asks, and let no other
  // one send this header or this kind of body without asking first.
  if (request.count(http::field::origin) != 1) return refusal(403, "this server answers to its own page only");
  if (header.empty()) return refusal(401, "the token must come as a header");
  if (!as_view(request[http::field::content_type]).starts_with("application/json"))
    return refusal(415, "the body must be JSON");
  return {};
}

// One connection: a request at a time, answered by the worker, until it is closed or silent for too long.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Shared& shared) : stream_(std::move(socket)), shared_(shared) {
    ++shared_.connections;
  }
  ~Connection() { --shared_.connections; }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read() {
    parser_.emplace();
    parser_->body_limit(kLongestBody);
    parser_->header_limit(kLongestHead);
    stream_.expires_after(kTimeToAsk);
    http::async_read_header(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](beast::error_code error, std::size_t) { self->on_head(error); });
  }

 private:
  bool is_refused(beast::error_code error) {
    if (!error) return false;
    if (error == http::error::body_limit) send(refusal(413, "the body is too long"), true);
    else if (error == http::error::header_limit) send(refusal(431, "the head is too long"), true);
    else if (error != http::error::end_of_stream && error != beast::error::timeout &&
             error.category() == http::make_error_code(http::error::bad_method).category())
      send(refusal(400, "this is no request"), true);
    return true;
  }

  // Whoever may not ask does not get as far as its body.
  void on_head(beast::error_code error) {
    if (is_refused(error)) return;
    const Request& request = parser_->get();
    keep_alive_ = request.keep_alive();
    head_only_ = request.method() == http::verb::head;
    auto target = std::make_shared<Target>();
    if (!parse_target(as_view(request.target()), *target)) return send(refusal(400, "this is no address"), true);
    if (std::optional<Answer> no = objection(request, *target, shared_.token)) return send(std::move(*no), true);
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this(), target](beast::error_code error, std::size_t) { self->on_body(error, target); });
  }

  void on_body(beast::error_code error, const std::shared_ptr<Target>& target) {
    if (is_refused(error)) return;
    target->post = parser_->get().method() == http::verb::post;
    target->body = std::move(parser_->get().body());
    const bool lab = target->path == kLab || target->path == kLabRun;
    if (lab && shared_.waiting.fetch_add(1) >= kMostWaiting) {
      --shared_.waiting;
      return send(refusal(503, "the impact lab is busy; please ask again"), false);
    }
    stream_.expires_never();  // while it is being answered
    const bool drawn = Routes::is_drawn(*target);
    if (drawn) target->turn = shared_.routes.turns().enter(value_of(*target, "client"));
    net::thread_pool& pool = lab                         ? shared_.lab
                             : drawn                     ? shared_.drawers
                             : Routes::is_read(*target)  ? shared_.readers
                             : Routes::is_check(*target) ? shared_.checkers
                                                         : shared_.workers;
    net::post(pool, [self = shared_from_this(), target, lab]() mutable {
      auto answer = std::make_shared<Answer>(self->answer(*target));
      if (lab) --self->shared_.waiting;
      const auto home = self->stream_.get_executor();  // where the connection lives, and ends
      net::post(home, [self = std::move(self), answer] { self->send(std::move(*answer), false); });
    });
  }

  Answer answer(const Target& target) {
    try {
      if (target.path == kLab) return lab_choices();
      if (target.path == kLabRun) {
        const auto end = std::chrono::steady_clock::now() + kTimeToCompute;
        return lab_run(target.body, [&] { return shared_.ending || std::chrono::steady_clock::now() > end; });
      }
      if (target.path == kVerification) return shared_.verification.list();
      if (target.path == kVerificationQuick) return shared_.verification.start();
      if (target.path == kVerificationReport) {
        const auto path = target.query.find("report");
        return shared_.verification.report(path == target.query.end() ? std::nullopt : std::optional(path->second));
      }
      return Routes::is_check(target) ? shared_.routes.check(target) : shared_.routes.answer(target);
    } catch (const std::bad_alloc&) { return refusal(503, "not enough memory"); } catch (const std::exception& e) {
      return refusal(500, e.what());
    }
  }

  void send(Answer answer, bool close) {
    response_.emplace();
    response_->result(static_cast<unsigned>(answer.status));
    response_->set(http::field::content_type, answer.type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("Referrer-Policy", "no-referrer");
    response_->set("Content-Security-Policy", shared_.policy);
    response_->set("Cross-Origin-Resource-Policy", "same-origin");
    if (answer.gzipped) response_->set(http::field::content_encoding, "gzip");
    response_->keep_alive(keep_alive_ && !close);
    const std::size_t size = answer.body.size();
    if (!head_only_) response_->body() = std::move(answer.body);
    response_->content_length(size);
    stream_.expires_after(kTimeToTake);
    http::async_write(stream_, *response_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error && self->response_->keep_alive()) return self->read();
      beast::error_code ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
      if (!error) self->drain();
    });
  }

  // What was still to come of a request that was refused: closing at once would reset the connection, and the client
  // would not see the answer. For a moment only.
  void drain() {
    stream_.expires_after(1s);
    stream_.async_read_some(net::buffer(rest_), [self = shared_from_this()](beast::error_code error, std::size_t n) {
      if (error || (self->drained_ += n) > kLongestBody * 16) return;
      self->drain();
    });
  }

  beast::tcp_stream stream_;
  Shared& shared_;
  beast::flat_buffer buffer_{kLongestHead + 8192};
  std::optional<http::request_parser<http::string_body>> parser_;
  std::optional<Response> response_;
  bool keep_alive_ = false, head_only_ = false;
  char rest_[4096];
  std::uint64_t drained_ = 0;
};

class Listener {
 public:
  Listener(net::io_context& io, Shared& shared) : acceptor_(io), pause_(io), shared_(shared) {}

  std::uint16_t listen(std::optional<std::uint16_t> port) {
    const net::ip::address here = net::ip::address_v4::loopback();
    beast::error_code error;
    const auto try_port = [&](std::uint16_t p) {
      if (acceptor_.is_open()) acceptor_.close(error);
      acceptor_.open(tcp::v4(), error);
      if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
      if (!error) acceptor_.bind({here, p}, error);
      if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
      return !error;
    };
    const bool open = port ? try_port(*port) : try_port(kUsualPort) || try_port(0);
    if (!open) throw InputError("--port", fmt::format("{}", port.value_or(0)), error.message());
    return acceptor_.local_endpoint().port();
  }

  void accept() {
    acceptor_.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == net::error::operation_aborted) return;
      if (error) {  // no more descriptors: those that are there will end
        pause_.expires_after(100ms);
        pause_.async_wait([this](beast::error_code stopped) {
          if (!stopped) accept();
        });
        return;
      }
      if (shared_.connections < kMostConnections) std::make_shared<Connection>(std::move(socket), shared_)->read();
      accept();
    });
  }

 private:
  tcp::acceptor acceptor_;
  net::steady_timer pause_;
  Shared& shared_;
};

}  // namespace

void serve(const ServerOptions& options) {
  const Page page = studio_page();
  // Nothing from elsewhere: neither scripts nor styles that are not in the page, no frames, no forms.
  const std::string policy = fmt::format(
      "default-src 'none'; script-src '{}' '{}'; style-src '{}'; connect-src 'self'; img-src 'self' data: "
      "blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      page.script_hash, page.editor_hash, page.style_hash);
  Shared shared{random_token(), policy, options.folder};
  net::io_context io(1);
  Listener listener(io, shared);
  const std::uint16_t port = listener.listen(options.port);
  listener.accept();
  net::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&](beast::error_code, int) { io.stop(); });
  if (options.ready) options.ready(port, shared.token);
  io.run();
  signals.clear();  // a second one ends it at once, whatever is still computed
  shared.ending = true;
  shared.workers.join();
  shared.readers.join();
  shared.drawers.join();
  shared.lab.join();
  shared.checkers.join();
}

}  // namespace areia::studio
