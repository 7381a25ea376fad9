// Which rows of a large table of gradients do all ranks exchange in a step?
//
// A language model has two tables with a row for each word of its vocabulary, and a mini-batch has
// few of the words. P4 exchanges the rows of V_base (the words of all ranks' mini-batches), V_α
// (the most frequent words) and V_β (words drawn at random).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/domain/row_shares.hpp"

namespace hora::mpi {

// One bit a word. The union over ranks is the bitwise or of their blocks: MPI_BOR on MPI_UINT64_T.
class WordSet {
  public:
    explicit WordSet(std::uint32_t words) : blocks_((words + std::size_t{63}) / 64) {}

    void clear();
    void add(std::uint32_t word) { blocks_[word / 64] |= std::uint64_t{1} << word % 64; }
    bool has(std::uint32_t word) const { return (blocks_[word / 64] >> word % 64 & 1U) != 0; }
    // Its words in their order. O(words / 64 + those in it).
    std::vector<std::uint32_t> words() const;

    std::span<std::uint64_t> blocks() { return blocks_; }

  private:
    std::vector<std::uint64_t> blocks_;
};

// The same on all ranks that give the same, also after a restart: it depends on nothing else.
class RowChoice {
  public:
    // shares.frequent + shares.random <= rows
    RowChoice(std::uint32_t rows, domain::RowShares shares, std::uint64_t seed);

    // V_base ∪ V_α ∪ V_β: sorted, each row once. The rows that are not frequent are drawn without
    // repetition until all had their turn, then in another order: in any 2 · most_wait() steps in
    // sequence each of them has its turn. O(rows / 64 + those chosen).
    std::vector<std::uint32_t> choose(std::uint64_t step, WordSet words) const;

    // Steps in which each row has its turn once; 0 where no rows are drawn.
    std::uint64_t most_wait() const;

  private:
    std::uint32_t drawn(std::uint64_t turn) const;

    std::uint32_t rows_;
    domain::RowShares shares_;
    std::uint64_t seed_;
};

}  // namespace hora::mpi
