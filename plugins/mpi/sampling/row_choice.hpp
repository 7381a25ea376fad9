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

    void add(std::uint32_t word) { blocks_[word / 64] |= std::uint64_t{1} << word % 64; }
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
    // repetition until all had their turn, then in another order: in twice as many steps in
    // sequence as that takes each of them has its turn. O(rows / 64 + those chosen).
    std::vector<std::uint32_t> choose(std::uint64_t step, WordSet words) const;

  private:
    std::uint32_t drawn(std::uint64_t turn) const;

    std::uint32_t rows_;
    domain::RowShares shares_;
    std::uint64_t seed_;
};

}  // namespace hora::mpi
