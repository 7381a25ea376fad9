// What does an all-reduce need of the network between its ranks?
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "libplanner/base/units.hpp"
#include "plugins/mpi/allreduce/worker.hpp"

namespace hora::mpi {

constexpr Seconds never(std::numeric_limits<double>::infinity());

// Memory of a message that has arrived, aligned for every element type.
struct Buffer {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
};

// A group of ranks 0 .. size - 1. Messages arrive whole and each once; of those from one rank that
// lie there the handler gets the oldest first, but a long one may arrive after a shorter one that
// was sent later. A transport is used by one thread at a time.
class Transport {
  public:
    // Called from within progress().
    class Handler {
      public:
        virtual void received(std::shared_ptr<Buffer> message) = 0;
        virtual void sent(std::uint64_t message) = 0;
        // The worker, while it has work: a wait ends as well when some is done. Null otherwise.
        virtual const Worker* worker() const { return nullptr; }

      protected:
        ~Handler() = default;
    };

    virtual ~Transport() = default;
    virtual std::uint32_t rank() const = 0;
    virtual std::uint32_t size() const = 0;
    // The largest message that may be sent.
    virtual std::size_t largest_message() const = 0;

    // Begins to send the parts as one message. They stay where they are until sent(message), which
    // is never called from within send().
    virtual void send(std::uint32_t to, std::uint64_t message,
                      std::span<const std::span<const std::byte>> parts) = 0;
    // Calls the handler for what has happened since the last call. Waits until something has, its
    // clock is at `until`, or the handler's worker has done something.
    virtual void progress(Handler& handler, Seconds until) = 0;

    // This rank's own clock: seconds since any moment.
    virtual Seconds now() const = 0;
    // A simulation lets the time pass that this takes.
    virtual void performed(const Work&) {}
};

}  // namespace hora::mpi
