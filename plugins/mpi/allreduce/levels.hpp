// Sums over one digit of the ranks' numbers after the other.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "plugins/mpi/allreduce/algorithm.hpp"
#include "plugins/mpi/allreduce/route.hpp"

namespace hora::mpi {

// The vector is cut into lanes, which go their way independently. The ranks of a level, whose
// numbers differ in that level's digit alone, exchange the parts of what they have summed so far:
// each sums one part, in the order of the digits, and takes it to the next level. Then the sums go
// the same way back. On a whole level each sums everything, so nothing goes back. The first level's
// digit is the least one, so that the longest messages stay among neighbours.
class Levels final : public Algorithm {
  public:
    // `number` is the reduction's own, and `outbox` outlives it. `lanes` is at least 1.
    Levels(const Reduction& reduction, std::uint32_t number, std::uint32_t rank,
           const std::vector<Level>& levels, std::uint32_t lanes, Outbox& outbox);

    void start() override;
    void accept(Arrived arrived) override;
    bool is_complete() const override { return missing_ == 0; }

  private:
    struct Stage {
        Range block;                                 // what its ranks have summed so far
        std::map<std::uint32_t, Arrived> waiting{};  // parts by digit, for those before them
        std::uint32_t next = 0;                      // digit of the first part that is missing
        Arrived sum{};                               // of the parts before
        std::uint32_t sums = 0;                      // of other ranks' parts that have come back
        bool has_begun = false;
        bool is_returned = false;  // its sum was sent back
    };
    struct Lane {
        std::vector<Stage> stages;
        Arrived sum{};  // of the levels before; empty on the first, where it is the caller's
        bool is_summed = false;
        std::size_t to_return = 0;  // levels whose sums are not complete yet
    };

    std::uint32_t digit(std::size_t level) const;
    std::uint32_t peer(std::size_t level, std::uint32_t digit) const;
    Range part(std::size_t level, const Range& block, std::uint32_t digit) const;
    ItemHeader header(std::uint32_t lane, std::size_t level, ItemKind kind) const;
    std::span<const std::byte> summed(const Lane& lane, Range of, Range elements) const;

    void begin_level(std::uint32_t lane, std::size_t level);
    void add_parts(std::uint32_t lane, std::size_t level);
    void finish_lane(std::uint32_t lane);
    void return_sums(std::uint32_t lane);

    const Reduction reduction_;
    const std::uint32_t number_;
    const std::uint32_t rank_;
    const std::vector<Level> levels_;
    std::vector<std::uint32_t> strides_;  // by level: what its digit is worth
    Outbox& outbox_;
    std::vector<Lane> lanes_;
    std::uint32_t missing_ = 0;  // lanes that are not complete
};

}  // namespace hora::mpi
