// The ring that does not wait for a late rank (P2): a rank to which a piece comes too late goes
// ahead without it, and what comes later passes it by.
#include "plugins/mpi/allreduce/bypass.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hora::mpi {
namespace {

void require(bool holds) {
    if (!holds) {
        throw std::runtime_error("hora: the ranks reduce vectors of different lengths");
    }
}

}  // namespace

Bypass::Bypass(const Reduction& reduction, std::uint32_t number, std::uint32_t rank,
               const Layout& layout, LatePartials late_partials, std::shared_ptr<Pace> pace,
               std::optional<Seconds> patience, Outbox& outbox)
    : reduction_(reduction),
      number_(number),
      rank_(rank),
      next_((rank + 1) % layout.ranks()),
      layout_(layout),
      late_partials_(late_partials),
      outbox_(outbox),
      pieces_(layout.pieces()),
      pace_(std::move(pace)),
      schedule_(*pace_),
      patience_(patience),
      arrivals_(layout.pieces() - 2 * layout.slices()) {
    for (std::uint32_t piece = 0; piece < layout.pieces(); ++piece) {
        const bool is_empty = layout.elements_of(piece).size() == 0;
        pieces_[piece].has_left = is_empty;
        missing_ += is_empty ? 0 : 1;
        const bool goes_on = late_partials == LatePartials::to_owner &&
                             layout.position(rank, layout.owner_of(piece)) > 0 &&
                             layout.owner_of(piece) != rank;
        awaited_ += goes_on && !is_empty ? 1 : 0;
    }
}

// Of the pieces that come from the predecessor and go on; they come in this order while no rank is
// late.
std::uint32_t Bypass::piece_at(std::size_t turn) const {
    const auto distance = static_cast<std::uint32_t>(turn / layout_.slices()) + 2;
    const std::uint32_t owner = (rank_ + layout_.ranks() - distance) % layout_.ranks();
    return layout_.piece_of(owner, static_cast<std::uint32_t>(turn % layout_.slices()));
}

std::size_t Bypass::turn_of(std::uint32_t piece) const {
    const std::size_t position = layout_.position(rank_, layout_.owner_of(piece));
    return (position - 1) * layout_.slices() + layout_.slice_of(piece);
}

void Bypass::start() {
    begun_ = outbox_.now();
    last_arrival_ = begun_;
    const std::uint32_t owner = (rank_ + layout_.ranks() - 1) % layout_.ranks();
    for (std::uint32_t slice = 0; slice < layout_.slices(); ++slice) {
        send_own_part(layout_.piece_of(owner, slice), next_);
    }
}

void Bypass::send_own_part(std::uint32_t piece, std::uint32_t to) {
    const std::uint32_t position = layout_.position(rank_, layout_.owner_of(piece));
    const ItemHeader header{
        .reduction = number_, .piece = piece, .first = position, .last = position};
    pieces_[piece].has_left = true;
    send_part(header, to, reduction_.own(layout_.elements_of(piece)), nullptr);
}

// The next rank gets this rank's part of each piece, or its absence.
void Bypass::send_part(ItemHeader header, std::uint32_t to, std::span<const std::byte> payload,
                       std::shared_ptr<Buffer> message) {
    outbox_.send(to, header, payload, std::move(message));
    if (to != next_) {
        header.first = header.last;
        header.kind = ItemKind::absent;
        outbox_.send(next_, header, {}, nullptr);
    }
}

// -- what arrives -----------------------------------------------------------

void Bypass::accept(Arrived arrived) {
    const ItemHeader& header = arrived.header;
    require(header.piece < layout_.pieces());
    const bool is_absent = header.kind == ItemKind::absent;
    const std::size_t bytes = reduction_.own(layout_.elements_of(header.piece)).size();
    require(arrived.payload.size() == (is_absent ? 0 : bytes));
    require(header.first <= header.last && header.last < layout_.ranks());
    if (header.kind == ItemKind::result) {
        return sums_.push_back(std::move(arrived));
    }
    const std::uint32_t owner = layout_.owner_of(header.piece);
    if (owner == rank_) {
        require(!is_absent);
        return accept_own(std::move(arrived));
    }
    require(header.last < layout_.position(rank_, owner));
    if (late_partials_ == LatePartials::to_owner) {
        require(!std::exchange(pieces_[header.piece].has_come, true));
        --awaited_;
    }
    if (is_absent) {
        return accept_absence(arrived);
    }
    note_arrival(arrived);
    accept_partial(std::move(arrived));
}

void Bypass::accept_absence(const Arrived& arrived) {
    require(late_partials_ == LatePartials::to_owner);
    if (pieces_[arrived.header.piece].has_left) {
        return note_arrival(arrived);
    }
    last_arrival_ = arrived.at.latest;
    go_ahead(turn_of(arrived.header.piece), next_);
}

void Bypass::accept_own(Arrived arrived) {
    const std::uint32_t number = arrived.header.piece;
    Piece& piece = pieces_[number];
    piece.parts += arrived.header.last - arrived.header.first + 1;
    require(piece.parts < layout_.ranks());
    piece.partials.push_back(std::move(arrived));
    if (piece.partials.size() == 1) {
        to_finish_.push_back(number);
    }
}

void Bypass::accept_partial(Arrived arrived) {
    const std::uint32_t number = arrived.header.piece;
    const std::uint32_t position = layout_.position(rank_, layout_.owner_of(number));
    Piece& piece = pieces_[number];
    if (piece.has_left) {
        return pass_on(std::move(arrived));
    }
    piece.parts += arrived.header.last - arrived.header.first + 1;
    piece.partials.push_back(std::move(arrived));
    if (late_partials_ == LatePartials::to_owner || piece.parts == position) {
        to_add_.push_back(number);
    }
}

void Bypass::pass_on(Arrived arrived) {
    const std::uint32_t to =
        late_partials_ == LatePartials::to_owner ? layout_.owner_of(arrived.header.piece) : next_;
    outbox_.send(to, arrived.header, arrived.payload, std::move(arrived.message));
}

Seconds Bypass::patience() const {
    return patience_ ? *patience_ : pace_->patience();
}

void Bypass::note_arrival(const Arrived& arrived) {
    const std::size_t turn = turn_of(arrived.header.piece);
    last_arrival_ = arrived.at.latest;
    if (pieces_[arrived.header.piece].has_left) {
        // Had it come as much later as this at other times, waiting would have been better.
        const Seconds late = arrived.at.latest - schedule_.expected(turn);
        if (first_ahead_ == turn && late < 2 * pace_->patience()) {
            pace_->learn_lateness(late);
        }
        return;
    }
    // A rank that begins later than the others must not hold that against them.
    arrivals_[turn] = {std::max(arrived.at.earliest, begun_), std::max(arrived.at.latest, begun_)};
    schedule_.came(turn, arrivals_[turn].earliest);
    ++arrived_;
}

// -- what is to be done -----------------------------------------------------

Seconds Bypass::deadline() const {
    const Seconds part = turn_ == arrivals_.size() ? never : deadline_of(turn_);
    return std::min(part, under_way_ && !late_ ? under_way_->overdue : never);
}

Seconds Bypass::deadline_of(std::size_t turn) const {
    if (patience_) {
        return last_arrival_ + *patience_;
    }
    return is_alone_ ? schedule_.deadline(turn) : never;
}

// What this rank has not sent by now, the next rank goes ahead without: then past it.
std::uint32_t Bypass::receiver_of(std::size_t turn) const {
    const bool is_past_next =
        late_partials_ == LatePartials::to_owner && deadline_of(turn) + patience() < outbox_.now();
    return is_past_next ? layout_.owner_of(piece_at(turn)) : next_;
}

bool Bypass::work() {
    const auto is_at_hand = [this](std::uint32_t piece) { return !pieces_[piece].is_summed; };
    const auto has_all_parts = [&](std::uint32_t piece) {
        return is_at_hand(piece) && pieces_[piece].parts + 1 == layout_.ranks();
    };
    const bool has_late_ended = end_work(late_);
    const bool has_ended = end_work(under_way_) || has_late_ended;
    if (go_ahead_where_due()) {
        return true;
    }
    if (under_way_ && !late_ && under_way_->overdue <= outbox_.now()) {
        late_.swap(under_way_);
    }
    if (under_way_ || outbox_.is_full()) {
        pass_on_sums(sums_.size());
        return has_ended;
    }
    // Where an addition is late, what would follow it goes on without one at its deadline.
    if (!to_add_.empty() && !late_) {
        const std::uint32_t piece = to_add_.front();
        to_add_.pop_front();
        add(piece);
    } else if (const auto whole = std::ranges::find_if(to_finish_, has_all_parts);
               whole != to_finish_.end()) {
        const std::uint32_t piece = *whole;
        to_finish_.erase(whole);
        finish(piece);
    } else if (!sums_.empty()) {
        pass_on_sums(std::max<std::size_t>(passed_on_, 1));
        Arrived sum = std::move(sums_.front());
        sums_.pop_front();
        --passed_on_;
        copy(std::move(sum));
    } else if (const auto part = std::ranges::find_if(to_finish_, is_at_hand);
               part != to_finish_.end() && turn_ == arrivals_.size()) {
        // An addition for each part would keep those waiting for whom this rank adds.
        const std::uint32_t piece = *part;
        to_finish_.erase(part);
        finish(piece);
    } else {
        return has_ended;
    }
    return true;
}

// `then` is called when it is done: at once where there is no worker.
void Bypass::begin(Work work, std::function<void()> then) {
    // Two vectors are read and one is written in an addition that the pace knows.
    const double additions = std::max(1.0, static_cast<double>(work.vectors.size() + 1) / 3);
    const Seconds overdue = outbox_.now() + additions * pace_->longest_addition();
    under_way_ = {outbox_.begin_work(std::move(work)), std::move(then), overdue};
    end_work(under_way_);
}

bool Bypass::end_work(std::optional<UnderWay>& work) {
    if (!work || !outbox_.take_done(work->number)) {
        return false;
    }
    const std::function<void()> then = std::move(work->then);
    work.reset();
    then();
    return true;
}

bool Bypass::go_ahead_where_due() {
    const Seconds now = outbox_.now();
    bool went_ahead = false;
    while (turn_ < arrivals_.size() &&
           (pieces_[piece_at(turn_)].has_left || deadline_of(turn_) <= now)) {
        const std::uint32_t piece = piece_at(turn_);
        if (!pieces_[piece].has_left) {
            go_ahead(turn_, receiver_of(turn_));
            went_ahead = true;
        }
        ++turn_;
    }
    return went_ahead;
}

void Bypass::go_ahead(std::size_t turn, std::uint32_t to) {
    const std::uint32_t number = piece_at(turn);
    outbox_.went_ahead();
    first_ahead_ = first_ahead_.value_or(turn);
    send_own_part(number, to);
    for (Arrived& partial : pieces_[number].partials) {
        pass_on(std::move(partial));
    }
    pieces_[number].partials.clear();
    std::erase(to_add_, number);
}

void Bypass::add(std::uint32_t number) {
    const Range elements = layout_.elements_of(number);
    std::vector<Arrived> partials = std::move(pieces_[number].partials);
    std::vector<const std::byte*> vectors;
    ItemHeader header = partials.front().header;
    for (const Arrived& partial : partials) {
        header.first = std::min(header.first, partial.header.first);
        vectors.push_back(partial.payload.data());
    }
    header.last = layout_.position(rank_, layout_.owner_of(number));
    vectors.push_back(reduction_.own(elements).data());
    pieces_[number].has_left = true;
    std::byte* const sum = partials.front().payload.data();
    begin({reduction_.element, reduction_.operation, sum, std::move(vectors), elements.size()},
          [this, header, begun = outbox_.now(), partials = std::move(partials)] {
              is_usual_ = pace_->learn_addition(outbox_.now() - begun) && is_usual_;
              const Arrived& first = partials.front();
              send_part(header, receiver_of(turn_of(header.piece)), first.payload, first.message);
          });
}

// All partials of the piece that are there. The owner's own part goes in with the first ones; the
// sum goes out from the caller's memory.
void Bypass::finish(std::uint32_t number) {
    Piece& piece = pieces_[number];
    const Range elements = layout_.elements_of(number);
    const auto sum = reduction_.result(elements);
    std::vector<const std::byte*> vectors = {piece.has_left ? sum.data()
                                                            : reduction_.own(elements).data()};
    std::vector<Arrived> partials = std::move(piece.partials);
    piece.partials.clear();
    for (const Arrived& partial : partials) {
        vectors.push_back(partial.payload.data());
    }
    piece.has_left = true;
    piece.is_summed = true;
    const bool is_last = piece.parts + 1 == layout_.ranks();
    begin(
        {reduction_.element, reduction_.operation, sum.data(), std::move(vectors), elements.size()},
        [this, number, sum, is_last, partials = std::move(partials)] {
            pieces_[number].is_summed = false;
            if (is_last) {
                outbox_.send(next_,
                             {.reduction = number_,
                              .piece = number,
                              .last = layout_.ranks() - 1,
                              .kind = ItemKind::result},
                             sum, nullptr);
                note_sum();
            }
        });
}

void Bypass::copy(Arrived sum) {
    const auto into = reduction_.result(layout_.elements_of(sum.header.piece));
    const Work work = copy_of(sum.payload, into);
    begin(work, [this, sum = std::move(sum)] { note_sum(); });
}

// The next rank need not wait until this one has copied them.
void Bypass::pass_on_sums(std::size_t count) {
    for (; passed_on_ < count; ++passed_on_) {
        const Arrived& sum = sums_[passed_on_];
        if (next_ != layout_.owner_of(sum.header.piece)) {
            outbox_.send(next_, sum.header, sum.payload, sum.message);
        }
    }
}

void Bypass::note_sum() {
    if (--missing_ == 0 && is_alone_ && is_usual_ && arrived_ == arrivals_.size()) {
        pace_->learn(arrivals_);
    }
}

}  // namespace hora::mpi
