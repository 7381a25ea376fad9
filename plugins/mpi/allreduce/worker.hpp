// Who adds and copies the pieces of a reduction while its messages go on?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "plugins/mpi/allreduce/kernel.hpp"

namespace hora::mpi {

// out = vectors[0] op vectors[1] op ...; `out` may be one of these two. A single vector is copied.
struct Work {
    Element element = Element::float32;
    Operation operation = Operation::sum;
    std::byte* out = nullptr;
    std::vector<const std::byte*> vectors{};
    std::size_t count = 0;

    Bytes bytes() const { return Bytes(static_cast<double>(count * size_of(element))); }
};

inline Work copy_of(std::span<const std::byte> from, std::span<std::byte> into) {
    return {.element = Element::uint8,
            .out = into.data(),
            .vectors = {from.data()},
            .count = from.size()};
}

void perform(const Work& work);

// Called by one thread at a time.
class Worker {
  public:
    virtual ~Worker() = default;
    // No more can be begun.
    virtual bool is_full() const = 0;
    // While it is not full. The work's number; what it names stays as it is until it is done.
    virtual std::uint64_t begin(Work work) = 0;
    // True once: then what was written can be read, and the number means nothing any more.
    virtual bool take_done(std::uint64_t number) = 0;
    // Some work is done and not taken.
    virtual bool has_done() const = 0;
};

}  // namespace hora::mpi
