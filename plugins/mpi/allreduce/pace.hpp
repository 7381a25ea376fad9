// When is a piece of a reduction overdue on this rank?
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "libplanner/base/units.hpp"
#include "plugins/mpi/allreduce/algorithm.hpp"

namespace hora::mpi {

// Learnt from earlier reductions of the same length in which no rank was late: when each piece came
// after the first one. So it knows nothing of bandwidths and slices, and a rank that is slow in
// every reduction is never late.
//
// A piece may come as much later than expected as its addition takes: a rank that goes ahead
// without it saves that addition, and its successor does not notice. And it may come three times as
// much later as any did lately in reductions in which no rank went ahead: where times are noisy, no
// rank goes ahead.
class Pace {
  public:
    explicit Pace(std::size_t pieces) : offsets_(pieces) {}

    bool is_known() const;
    // When the piece is expected after the first one.
    Seconds offset(std::size_t piece) const { return offsets_[piece]; }
    // How much later it may come.
    Seconds patience() const;

    // All pieces of a reduction in which this rank neither went ahead nor was late itself.
    void learn(std::span<const Arrival> pieces);
    // An addition took so long. False where that is this rank's own lateness; after some in a row
    // this rank has become slower, and that is its pace.
    bool learn_addition(Seconds took);
    // What takes longer is late; `never` before enough is known.
    Seconds longest_addition() const;
    // A piece came so much later than expected, although no rank was late.
    void learn_lateness(Seconds by);

  private:
    std::vector<Seconds> offsets_;
    std::size_t reductions_ = 0;
    Seconds addition_;
    std::size_t additions_ = 0;
    std::size_t late_additions_ = 0;  // in a row, the last ones
    Seconds latest_;                  // how much later than expected a piece came
};

// When the pieces of one reduction are expected. None before the first has come: the ranks may have
// begun at any time.
class Schedule {
  public:
    explicit Schedule(const Pace& pace) : pace_(pace) {}

    void came(std::size_t piece, Seconds earliest);
    Seconds expected(std::size_t piece) const;
    // When a rank goes ahead without the piece.
    Seconds deadline(std::size_t piece) const;

  private:
    const Pace& pace_;
    std::optional<Seconds> begin_;  // when the first piece came, had all come as expected
};

}  // namespace hora::mpi
