// How do the ranks sum what they learned in a step: all of it, or the rows that matter (P4)?
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contrib/language-model/word_network.hpp"
#include "plugins/mpi/sampling/row_choice.hpp"

namespace hora::trainer {

enum class ExchangeWay {
    allreduce,  // of all ranks
    server,     // rank 0 adds up, and sends the sums to all (P4's)
    hierarchy   // all-reduces in groups of ranks, and between the groups
};

struct ExchangeChoice {
    ExchangeWay way = ExchangeWay::allreduce;
    double rate = 1;        // of the rows, beside those of the step's words; 1: all rows
    double outer_rate = 1;  // between groups, whose links may be slower
    double frequent = 0.5;  // of the rows beside the words' the part that is the most frequent ones
    int group = 0;          // ranks of a group, one after the other; 0: those of a node
    bool keeps = true;      // rows that are not sent wait for their turn; else they are lost (P4)
    std::uint64_t seed = 0;
};

// Plain gradient descent on the sums: a row may be changed later, but never by less, since what is
// kept on any rank or between groups is added when its turn comes; without `keeps` it is lost.
// Between groups the rows that have not been exchanged differ meanwhile. exchange() and settle()
// are called by all ranks together.
class GradientExchange {
  public:
    using Arrays = WordNetwork::Arrays;

    // keeps, or the rates are equal: what is lost between groups alone would never be made up for.
    GradientExchange(WordNetwork& network, const ExchangeChoice& choice);
    GradientExchange(const GradientExchange&) = delete;
    GradientExchange& operator=(const GradientExchange&) = delete;
    ~GradientExchange();

    // Changes the network's parameters by −rate · the sums over the ranks of what is chosen of
    // `gradient`, and leaves what is kept in it. `step` and rate are the same on all ranks, the
    // words those of this rank's samples.
    void exchange(std::uint64_t step, mpi::WordSet words, Arrays& gradient, float rate);
    // The same of all that is kept: after it all ranks have the parameters of all steps, those of
    // the groups of a hierarchy up to rounding.
    void settle(Arrays& gradient, float rate);

    // A hierarchy of more than one group.
    bool has_groups() const { return has_groups_; }

    // Of gradients that a rank gave to be summed a step, those to settle counted in; where there
    // are groups those that went between them. 0 before the first step.
    double bytes_per_step() const;

  private:
    struct Rows {
        std::vector<std::uint32_t> input;
        std::vector<std::uint32_t> output;
    };
    struct Level {
        MPI_Comm ranks = MPI_COMM_WORLD;       // MPI_COMM_NULL: this one has no part in it
        std::optional<mpi::RowChoice> choice;  // empty: all rows
    };

    void make_groups();
    Rows choose(const Level& level, std::uint64_t step, const mpi::WordSet& words) const;
    Rows all_rows() const;
    std::span<float> take(Arrays& from, const Rows& rows, std::vector<float>& buffer) const;
    void add(Arrays& to, const Rows& rows, std::span<const float> packed, float factor) const;
    void sum(std::span<float> values) const;
    void exchange(const Rows& inside, const Rows& between, Arrays& gradient, float rate);
    void exchange_between_groups(const Rows& inside, const Rows& between, float rate);

    WordNetwork& network_;
    const ExchangeChoice choice_;
    Level inside_;
    Level between_;
    std::optional<Arrays> waiting_;  // of a group's first rank: what other groups have not got yet
    std::vector<float> packed_;
    std::vector<float> others_;
    std::uint64_t bytes_ = 0;
    std::uint64_t steps_ = 0;
    bool is_settled_ = true;
    bool has_groups_ = false;
};

}  // namespace hora::trainer
