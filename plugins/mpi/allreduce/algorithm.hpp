// How does one reduction go on when a message arrives?
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "plugins/mpi/allreduce/kernel.hpp"
#include "plugins/mpi/allreduce/layout.hpp"
#include "plugins/mpi/allreduce/message.hpp"
#include "plugins/mpi/allreduce/transport.hpp"
#include "plugins/mpi/allreduce/worker.hpp"

namespace hora::mpi {

// One reduction of one rank. `from` and `into` are the same, or do not overlap; both are the
// caller's, untouched by the caller until the reduction is done.
struct Reduction {
    Element element = Element::float32;
    Operation operation = Operation::sum;
    const std::byte* from = nullptr;
    std::byte* into = nullptr;
    std::size_t count = 0;

    std::size_t bytes() const { return count * size_of(element); }
    std::span<const std::byte> own(Range elements) const {
        return {from + elements.begin * size_of(element), elements.size() * size_of(element)};
    }
    std::span<std::byte> result(Range elements) const {
        return {into + elements.begin * size_of(element), elements.size() * size_of(element)};
    }
};

// A rank that was busy does not know when a message came that it finds afterwards, and must not
// take its own lateness for that of others.
struct Arrival {
    Seconds earliest;
    Seconds latest;
};

struct Arrived {
    ItemHeader header;
    std::span<std::byte> payload;
    std::shared_ptr<Buffer> message{};  // in which the payload lies
    Arrival at{};
};

// What an algorithm needs to go on.
class Outbox {
  public:
    virtual Seconds now() const = 0;
    // This rank did not wait for a piece.
    virtual void went_ahead() = 0;
    // The payload lies in `message`, or in the caller's memory. What is_sent() refuses is left out.
    virtual void send(std::uint32_t to, const ItemHeader& header,
                      std::span<const std::byte> payload, std::shared_ptr<Buffer> message) = 0;
    // At once.
    virtual void perform(const Work& work) = 0;
    // As a Worker (worker.hpp) does it; without one it is done at once.
    static constexpr std::uint64_t done_at_once = ~std::uint64_t{0};
    virtual std::uint64_t begin_work(Work work) {
        perform(work);
        return done_at_once;
    }
    virtual bool take_done(std::uint64_t /*work*/) { return true; }
    virtual bool is_full() const { return false; }

    void reduce(const Reduction& reduction, std::byte* out, const std::byte* a, const std::byte* b,
                std::size_t count) {
        perform({reduction.element, reduction.operation, out, {a, b}, count});
    }
    // Of a sum that has arrived, into the caller's memory.
    void copy(std::span<const std::byte> from, std::span<std::byte> into) {
        perform(copy_of(from, into));
    }

  protected:
    ~Outbox() = default;
};

// Sends what is to be sent, keeps what comes too early, and never waits. Throws std::runtime_error
// where ranks reduce different vectors.
class Algorithm {
  public:
    virtual ~Algorithm() = default;
    virtual void start() = 0;
    virtual void accept(Arrived arrived) = 0;
    // One step of what can wait for a look at the network; false where nothing is left to do.
    virtual bool work() { return false; }
    // When to call work() even if nothing has arrived.
    virtual Seconds deadline() const { return never; }
    // Other reductions are under way beside it: its messages wait for theirs.
    virtual void disturb() {}
    // All of the sum stands in `into`.
    virtual bool is_complete() const = 0;
};

}  // namespace hora::mpi
