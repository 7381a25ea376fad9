// The ring that does not wait for a late rank (P2): a rank to which a piece comes too late goes
// ahead without it, and what comes later passes it by.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "plugins/mpi/allreduce/algorithm.hpp"
#include "plugins/mpi/allreduce/pace.hpp"

namespace hora::mpi {

// Where the partials go for which a rank has not waited. To the owner, which adds them; or to the
// rank after, which waits for all parts before its own (P2 as printed).
enum class LatePartials { to_owner, to_successor };

// A partial always sums the parts of neighbours in the ring, positions first ... last (layout.hpp);
// each rank's part of a piece leaves it once. So the partials of a piece have no part in common,
// and its owner has the sum when they have all of them. A partial only moves towards its owner: no
// rank waits for one that waits for it. All ranks get the owner's sum, so the same bits; which
// additions were made in which order depends on the times.
//
// A rank's own part leaves at the piece's deadline at the latest, unless a worker is adding it:
// with the partial that has come by then, or alone. So a rank that is late itself sends what is
// overdue, and adds afterwards. With to_owner, what is overdue by the patience twice over goes
// straight to the owner (also the sum in whose addition the rank was late), for the rank after has
// most likely gone ahead without it; in its place that one gets an absence, and goes ahead at once
// if it still waits.
//
// A worker (worker.hpp) adds and copies one piece at a time, and messages go on meanwhile. The
// piece in addition is not sent before its sum is known: at its deadline the rank after goes ahead
// by its own clock. While an addition is late (pace.hpp) nothing is added to what comes, which
// leaves at its deadline, but this rank's own chunk is completed, and sums are copied.
class Bypass final : public Algorithm {
  public:
    // `number` is the reduction's own, `pace` that of its length, and `outbox` outlives it. With
    // `patience` a piece is overdue so long after the one before.
    Bypass(const Reduction& reduction, std::uint32_t number, std::uint32_t rank,
           const Layout& layout, LatePartials late_partials, std::shared_ptr<Pace> pace,
           std::optional<Seconds> patience, Outbox& outbox);

    void start() override;
    void accept(Arrived arrived) override;
    bool work() override;
    Seconds deadline() const override;
    void disturb() override { is_alone_ = false; }
    bool is_complete() const override {
        return missing_ == 0 && awaited_ == 0 && !under_way_ && !late_;
    }

  private:
    // Of the partials of one piece on this rank.
    struct Piece {
        bool has_left = false;    // this rank's part, or it is being added
        bool is_summed = false;   // its parts are being added to this rank's own
        bool has_come = false;    // that of the rank before, or its absence (to_owner)
        std::uint32_t parts = 0;  // of other ranks that have come
        std::vector<Arrived> partials{};
    };

    // What is being added or copied. When it is overdue, others are begun beside it.
    struct UnderWay {
        std::uint64_t number = 0;
        std::function<void()> then;
        Seconds overdue;
    };

    std::uint32_t piece_at(std::size_t turn) const;
    std::size_t turn_of(std::uint32_t piece) const;
    void send_own_part(std::uint32_t piece, std::uint32_t to);
    void send_part(ItemHeader header, std::uint32_t to, std::span<const std::byte> payload,
                   std::shared_ptr<Buffer> message);
    void accept_own(Arrived arrived);
    void accept_absence(const Arrived& arrived);
    void accept_partial(Arrived arrived);
    void pass_on(Arrived arrived);
    Seconds patience() const;
    Seconds deadline_of(std::size_t turn) const;
    std::uint32_t receiver_of(std::size_t turn) const;
    void note_arrival(const Arrived& arrived);
    bool go_ahead_where_due();
    void go_ahead(std::size_t turn, std::uint32_t to);
    void add(std::uint32_t number);
    void finish(std::uint32_t number);
    void copy(Arrived sum);
    void note_sum();
    void begin(Work work, std::function<void()> then);
    bool end_work(std::optional<UnderWay>& work);
    void pass_on_sums(std::size_t count);

    const Reduction reduction_;
    const std::uint32_t number_;
    const std::uint32_t rank_;
    const std::uint32_t next_;
    const Layout layout_;
    const LatePartials late_partials_;
    Outbox& outbox_;

    std::uint32_t missing_ = 0;  // pieces whose sums are not in the caller's memory yet
    // Pieces of which the rank before has sent neither its part nor its absence yet (to_owner). An
    // absence may be overtaken by the sum, and must not come when the reduction is over.
    std::uint32_t awaited_ = 0;
    std::vector<Piece> pieces_;
    std::deque<std::uint32_t> to_add_;     // pieces
    std::deque<std::uint32_t> to_finish_;  // pieces of this rank's own chunk
    std::deque<Arrived> sums_;             // not copied yet
    std::size_t passed_on_ = 0;            // of sums_, the first ones
    std::optional<UnderWay> under_way_;
    std::optional<UnderWay> late_;  // was overdue

    // Pieces that come from the predecessor and go on, in turn.
    const std::shared_ptr<Pace> pace_;
    Schedule schedule_;
    const std::optional<Seconds> patience_;
    Seconds begun_;
    Seconds last_arrival_;
    std::size_t turn_ = 0;  // the first whose part has not left
    std::vector<Arrival> arrivals_;
    std::size_t arrived_ = 0;
    std::optional<std::size_t> first_ahead_;  // the first piece without which this rank went ahead
    bool is_alone_ = true;  // no other reduction was under way, so that times can be compared
    bool is_usual_ = true;  // this rank was not late itself
};

}  // namespace hora::mpi
