// When is a piece of a reduction overdue on this rank?
#include "plugins/mpi/allreduce/pace.hpp"

#include <algorithm>

namespace hora::mpi {
namespace {

// The mean of all at first; later ones count for more.
double weight_of_next(std::size_t learnt) {
    constexpr double least = 0.125;
    return std::max(least, 1 / (static_cast<double>(learnt) + 1));
}

}  // namespace

bool Pace::is_known() const {
    constexpr std::size_t enough = 4;
    return reductions_ >= enough;
}

Seconds Pace::patience() const {
    constexpr double beyond_all_seen = 3;
    return std::max(addition_, beyond_all_seen * latest_);
}

void Pace::learn(std::span<const Arrival> pieces) {
    constexpr double kept = 0.95;
    latest_ = kept * latest_;
    Schedule schedule(*this);
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        if (reductions_ > 0 && piece > 0) {
            learn_lateness(pieces[piece].latest - schedule.expected(piece));
        }
        schedule.came(piece, pieces[piece].earliest);
    }
    const double weight = weight_of_next(reductions_++);
    for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
        const Seconds offset = pieces[piece].latest - pieces.front().latest;
        offsets_[piece] += weight * (offset - offsets_[piece]);
    }
}

Seconds Pace::longest_addition() const {
    constexpr std::size_t enough = 8;
    return additions_ >= enough ? 2 * addition_ : never;
}

bool Pace::learn_addition(Seconds took) {
    constexpr std::size_t most_late_ones = 4;
    const bool is_late = took > longest_addition();
    late_additions_ = is_late ? late_additions_ + 1 : 0;
    if (late_additions_ > most_late_ones) {
        additions_ = 0;
    } else if (is_late) {
        return false;
    }
    addition_ += weight_of_next(additions_++) * (took - addition_);
    return true;
}

void Pace::learn_lateness(Seconds by) {
    latest_ = std::max(latest_, by);
}

void Schedule::came(std::size_t piece, Seconds earliest) {
    const Seconds begin = earliest - pace_.offset(piece);
    begin_ = std::max(begin_.value_or(begin), begin);
}

Seconds Schedule::expected(std::size_t piece) const {
    return begin_ ? *begin_ + pace_.offset(piece) : never;
}

Seconds Schedule::deadline(std::size_t piece) const {
    return pace_.is_known() ? expected(piece) + pace_.patience() : never;
}

}  // namespace hora::mpi
