// Ranks that are processes joined by MPI: a library that the program opens when it was started as one of several
// (plugin.h), so that a program without MPI is the same program.
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "areia/error.h"
#include "engine/ranks/plugin.h"

namespace areia::ranks {

namespace {

constexpr int kMoves = 1, kFailure = 2;  // tags

// Whoever waits looks again and again, ever less often: where there are more ranks than cores, the one that is waited
// for needs the core.
class Patience {
 public:
  void wait() {
    constexpr int kAtOnce = 200, kSoon = 20000;
    if (++looks_ <= kAtOnce) return;
    if (looks_ <= kSoon) {
      sched_yield();
      return;
    }
    const timespec pause{0, 100'000};
    nanosleep(&pause, nullptr);
  }
  bool is_time_for_more() const { return looks_ % 64 == 0; }

 private:
  int looks_ = 0;
};

class MpiLink final : public Link {
 public:
  MpiLink() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here_);
    MPI_Comm_free(&machine);
  }
  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int here() const override { return here_; }

  void send(int to, const Message& message) override {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data(), length_of(message.size()), MPI_UINT64_T, to, kMoves, MPI_COMM_WORLD, &request);
    sent_.push_back(request);
  }
  void receive(int from, Message& message) override {
    MPI_Message found = MPI_MESSAGE_NULL;
    MPI_Status status;
    wait_until([&] {
      int there = 0;
      MPI_Improbe(from, kMoves, MPI_COMM_WORLD, &there, &found, &status);
      return there != 0;
    });
    int length = 0;
    MPI_Get_count(&status, MPI_UINT64_T, &length);
    message.resize(static_cast<std::size_t>(length));
    MPI_Mrecv(message.data(), length, MPI_UINT64_T, &found, MPI_STATUS_IGNORE);
  }
  void finish_sends() override {
    wait_until([&] {
      int done = 0;
      MPI_Testall(static_cast<int>(sent_.size()), sent_.data(), &done, MPI_STATUSES_IGNORE);
      return done != 0;
    });
    sent_.clear();
  }
  void take_largest(std::span<double> numbers) override {
    std::vector<double> own(numbers.begin(), numbers.end());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(own.data(), numbers.data(), static_cast<int>(own.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,
                   &request);
    wait_until([&] {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      return done != 0;
    });
  }
  void tell_failure(const std::string& why) override {
    // rank 0 ends the run when it has told why; should it not be there any more, nobody waits for ever
    constexpr unsigned kMostSeconds = 60;
    if (rank_ > 0) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Isend(why.data(), length_of(why.size()), MPI_CHAR, 0, kFailure, MPI_COMM_WORLD, &request);
      const std::time_t began = std::time(nullptr);
      while (std::time(nullptr) - began < kMostSeconds) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        const timespec pause{0, 10'000'000};
        nanosleep(&pause, nullptr);
      }
    }
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }

 private:
  static int length_of(std::size_t length) {
    if (length > INT_MAX) throw StoppedError("a message between ranks is too long; take more ranks");
    return static_cast<int>(length);
  }
  template <class IsDone>
  void wait_until(IsDone&& is_done) {
    Patience patience;
    while (!is_done()) {
      patience.wait();
      if (rank_ == 0 && patience.is_time_for_more()) look_for_failure();
    }
  }
  void look_for_failure() {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kFailure, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return;
    int length = 0;
    MPI_Get_count(&status, MPI_CHAR, &length);
    std::string why(static_cast<std::size_t>(length), ' ');
    MPI_Recv(why.data(), length, MPI_CHAR, status.MPI_SOURCE, kFailure, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    throw StoppedError("rank " + std::to_string(status.MPI_SOURCE) + ": " + why);
  }

  int rank_ = 0, size_ = 1, here_ = 1;
  std::vector<MPI_Request> sent_;
};

}  // namespace

}  // namespace areia::ranks

extern "C" {

const char* areia_mpi_version() { return AREIA_MPI_VERSION; }

// Its own line about itself, as far as the first comma.
const char* areia_mpi_name() {
  static char name[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(name, &length);
  name[std::string(name, static_cast<std::size_t>(length)).find_first_of(",\n") % MPI_MAX_LIBRARY_VERSION_STRING] = 0;
  return name;
}

// Null: MPI says no.
areia::ranks::Link* areia_mpi_join() {
  int given = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS) return nullptr;
  return new areia::ranks::MpiLink;
}

// `exit_code` of a run that cannot wait for the other ranks, as they wait for something that will not come; or 0.
void areia_mpi_leave(int exit_code) {
  if (exit_code == 0) MPI_Finalize();
  else MPI_Abort(MPI_COMM_WORLD, exit_code);
}
}
