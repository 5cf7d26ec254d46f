// How the ranks of a run talk to each other: processes joined by MPI (mpi_library.cpp), or threads of a test.
//
// Rank 0 leads: it has the case, the stages, the files and whoever asks; the others do what it says (rank_backend.h).
// All bodies are shared out among all of them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace areia::ranks {

using Message = std::vector<std::uint64_t>;  // words of eight bytes (wire.h)

class Link {
 public:
  virtual ~Link() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int here() const = 0;  // of the ranks, how many share this machine

  // Messages from one rank to another arrive in the order in which they were sent. One that is sent stays as it is
  // until finish_sends() returns. Whoever waits throws a StoppedError when a rank has failed.
  virtual void send(int to, const Message& message) = 0;
  virtual void receive(int from, Message& message) = 0;
  virtual void finish_sends() = 0;
  // The largest of each number over all ranks.
  virtual void take_largest(std::span<double> numbers) = 0;
  // Of a rank that cannot go on, and has no way to agree on it with the others: ends the wait of rank 0.
  virtual void tell_failure(const std::string& why) = 0;

  // Rank 0 was thrown out of something that all do together: the others may wait for it for ever.
  void give_up() { given_up_ = true; }
  bool is_given_up() const { return given_up_; }

 private:
  bool given_up_ = false;
};

// On all ranks what rank 0 has, along a tree of messages.
void broadcast(Link& link, Message& message);
// On rank 0 what all have, by rank; elsewhere nothing.
std::vector<Message> gather(Link& link, const Message& own);
// On all ranks what all have.
std::vector<Message> gather_everywhere(Link& link, const Message& own);
// to[r] goes to rank r; returns what came, by rank.
std::vector<Message> swap_messages(Link& link, const std::vector<Message>& to);

}  // namespace areia::ranks
