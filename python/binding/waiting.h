// Work without the interpreter's lock, from which Ctrl-C comes back.
#pragma once
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <thread>

#include "binding.h"

namespace areia::python {

// Raises what a signal asks for, such as KeyboardInterrupt.
inline void look_at_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// f() on a thread of its own, while this one looks for signals. A signal that raises sets `interrupt`, upon which f has
// to come to its end; what it did then is dropped for what the signal raised.
template <class F>
auto interruptible(std::atomic<int>& interrupt, F&& f) {
  constexpr std::chrono::milliseconds kLook(20);
  auto result = std::async(std::launch::async, std::forward<F>(f));
  for (;;) {
    {
      const py::gil_scoped_release free;
      if (result.wait_for(kLook) == std::future_status::ready) break;
    }
    try {
      look_at_signals();
    } catch (...) {
      interrupt.store(1);
      const py::gil_scoped_release free;
      result.wait();
      throw;
    }
  }
  return result.get();
}

}  // namespace areia::python
