// Reduces vectors over all ranks; reductions that are under way together share messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "libplanner/base/units.hpp"
#include "plugins/mpi/allreduce/algorithm.hpp"
#include "plugins/mpi/allreduce/bypass.hpp"
#include "plugins/mpi/allreduce/message.hpp"
#include "plugins/mpi/allreduce/route.hpp"
#include "plugins/mpi/allreduce/transport.hpp"

namespace hora::mpi {

struct Settings {
    // Of the network between the ranks, the same on all of them.
    MessageTimes times{
        {{Bytes(0), Seconds(20e-6), Seconds(0)}, {Bytes(1e6), Seconds(1e-3), Seconds(1e-3)}}};
    // Reductions wait for each other until so much is to be sent, or the first has waited so long
    // (P3's tensor fusion), or somebody waits for one of them.
    Bytes fusion_bytes{64.0 * 1024 * 1024};
    Seconds fusion_wait{1e-3};
    // Messages to one rank that may be on their way at once: one is sent, one follows.
    std::uint32_t window = 2;
    // Where a rank is late the others go ahead (bypass.hpp), and the order of the additions follows
    // from that.
    std::optional<LatePartials> bypass{};
    // For tests: how much later than the one before a piece may come, whatever was learnt.
    std::optional<Seconds> patience{};
};

enum class Urgency {
    none,      // no caller waits for a reduction
    awaited,   // nothing is held back for fusion
    blocking,  // nor is there anything else to do until something has happened
};

// The ranks of one communicator begin their reductions in the same order, with the same element
// types, operations and counts; when each of them asks and waits is its own affair. Who has begun
// which reduction is never negotiated: a message says of which reductions it brings what, and what
// comes before its reduction has begun is kept. So any rank may put any of its reductions into one
// message, and no order of waiting can block.
//
// The sum of an element has the same bits on all ranks, and whatever reductions it shares messages
// with; without Settings::bypass the order of the additions follows from the number of ranks, the
// vector's bytes and Settings::times.
class Allreduce final : private Transport::Handler, private Outbox {
  public:
    // `worker` outlives it, and is used while a caller waits; without one, additions keep messages
    // waiting. Ranks may differ in it.
    Allreduce(Transport& transport, const Settings& settings, Worker* worker = nullptr);

    // The number of the reduction, counted from 0.
    std::uint64_t begin(const Reduction& reduction);
    bool is_done(std::uint64_t reduction) const;
    bool is_idle() const { return active_.empty(); }

    // Goes on with all reductions as far as it can.
    void progress(Urgency urgency);

    // For benchmarks and tests: messages sent so far.
    std::uint64_t messages() const { return messages_; }
    // Pieces so far for which this rank did not wait.
    std::uint64_t gone_ahead() const { return gone_ahead_; }

  private:
    struct Active {
        Reduction reduction;
        std::unique_ptr<Algorithm> algorithm{};  // from its start on; none where nothing is to do
        std::uint32_t unsent = 0;                // items that this rank has still to send

        // Once it has been started.
        bool is_done() const { return unsent == 0 && (!algorithm || algorithm->is_complete()); }
    };
    struct Outgoing {
        ItemHeader header;
        std::span<const std::byte> payload;
        std::shared_ptr<Buffer> message{};  // in which the payload lies, or in the caller's memory
    };
    struct Channel {
        std::deque<Outgoing> queue;
        std::uint32_t in_flight = 0;
        bool is_ready = false;  // it stands in ready_
    };
    struct Sent {
        std::uint32_t to = 0;
        std::vector<std::byte> head{};
        std::vector<Outgoing> items{};
    };

    void received(std::shared_ptr<Buffer> message) override;
    void sent(std::uint64_t message) override;

    void send(std::uint32_t to, const ItemHeader& header, std::span<const std::byte> payload,
              std::shared_ptr<Buffer> message) override;
    void perform(const Work& work) override;
    std::uint64_t begin_work(Work work) override;
    bool take_done(std::uint64_t work) override;
    bool is_full() const override { return uses_worker_ && worker_->is_full(); }
    const Worker* worker() const override { return working_ > 0 ? worker_ : nullptr; }
    Seconds now() const override { return transport_.now(); }
    void went_ahead() override { ++gone_ahead_; }

    void start_all();
    void start(std::uint64_t number);
    std::unique_ptr<Algorithm> algorithm_for(std::uint64_t number);
    const Route& route_for(std::size_t bytes);
    void forget_done();

    void look(Seconds until);
    bool work();
    Seconds deadline() const;
    std::shared_ptr<Pace> pace_of(const Reduction& reduction, const Layout& layout);

    void send_queued();
    void send_message(std::uint32_t to, Channel& channel);
    void make_ready(std::uint32_t to, Channel& channel);

    Active& active(std::uint64_t number) { return active_[number - first_]; }
    std::uint64_t number_of(std::uint32_t on_the_wire) const;

    Transport& transport_;
    Worker* const worker_;
    const Settings settings_;
    const std::uint32_t rank_;
    const std::uint32_t ranks_;
    const Bytes message_size_;  // no message is larger

    std::unordered_map<std::size_t, Route> routes_;  // by the vector's bytes
    std::deque<Active> active_;                      // the reductions from first_ on
    std::uint64_t first_ = 0;
    std::uint64_t started_ = 0;  // those before have been started
    Bytes held_back_;            // of those that have not
    Seconds held_back_since_;

    std::map<std::uint64_t, std::vector<Arrived>> early_;  // of reductions that have not begun
    std::unordered_map<std::uint32_t, Channel> channels_;  // by destination
    std::deque<std::uint32_t> ready_;  // destinations with items, in the order of sending
    std::unordered_map<std::uint64_t, Sent> unsent_;
    std::uint64_t messages_ = 0;
    std::uint64_t gone_ahead_ = 0;

    std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<Pace>> paces_;  // by lengths
    bool uses_worker_ = false;
    std::size_t working_ = 0;  // pieces that the worker has
    Seconds looked_;           // at the network, the last time
    Seconds look_;             // how long one takes that finds nothing
    bool is_waiting_ = false;  // for the network: what arrives comes just now
    bool has_news_ = false;    // something has happened since this look at the network began
};

}  // namespace hora::mpi
