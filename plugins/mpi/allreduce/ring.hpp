// The ring: chunks are summed on their way to their owners, and their sums go around once more
// (P3).
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plugins/mpi/allreduce/algorithm.hpp"

namespace hora::mpi {

class Ring final : public Algorithm {
  public:
    // `number` is the reduction's own, and `outbox` outlives it.
    Ring(const Reduction& reduction, std::uint32_t number, std::uint32_t rank, const Layout& layout,
         Outbox& outbox);

    void start() override;
    void accept(Arrived arrived) override;
    bool is_complete() const override { return missing_ == 0; }

  private:
    void accept_sum(Arrived arrived);
    void add_own_part(Arrived arrived);
    void finish(Arrived arrived);

    const Reduction reduction_;
    const std::uint32_t number_;
    const std::uint32_t rank_;
    const std::uint32_t next_;
    const Layout layout_;
    Outbox& outbox_;
    std::uint32_t missing_ = 0;  // pieces whose sums are not known yet
};

}  // namespace hora::mpi
