// Reduces vectors over all ranks; reductions that are under way together share messages.
#include "plugins/mpi/allreduce/allreduce.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "plugins/mpi/allreduce/levels.hpp"
#include "plugins/mpi/allreduce/ring.hpp"

namespace hora::mpi {
namespace {

Bytes bytes_of(const Reduction& reduction) {
    return Bytes(static_cast<double>(reduction.bytes()));
}

// The largest payload of one item; room is left for parts that are longer by an element.
Bytes payload_of(Bytes message) {
    constexpr double longest_element = 8;
    return message - Bytes(message_head + sizeof(ItemHeader) + 2 * longest_element);
}

// The first level's messages are the longest.
std::uint32_t lanes_of(const Reduction& reduction, const Level& first, Bytes message) {
    const Bytes each = bytes_of(reduction) / (first.is_whole ? 1 : first.factor);
    return static_cast<std::uint32_t>(std::max(1.0, std::ceil(each / payload_of(message))));
}

Layout layout_of(const Reduction& reduction, std::uint32_t ranks, Bytes message) {
    const Range largest_chunk = Layout(reduction.count, ranks, 1).chunk(0);
    return {reduction.count, ranks,
            slices_of_chunk(Bytes(static_cast<double>(reduction.own(largest_chunk).size())),
                            payload_of(message))};
}

}  // namespace

Allreduce::Allreduce(Transport& transport, const Settings& settings, Worker* worker)
    : transport_(transport),
      worker_(worker),
      settings_(settings),
      rank_(transport.rank()),
      ranks_(transport.size()),
      message_size_(
          message_size(settings.times, Bytes(static_cast<double>(transport.largest_message())))) {}

std::uint64_t Allreduce::begin(const Reduction& reduction) {
    const std::uint64_t number = first_ + active_.size();
    for (Active& other : active_) {
        if (other.algorithm) {
            other.algorithm->disturb();
        }
    }
    active_.push_back({.reduction = reduction});
    if (held_back_ == Bytes(0)) {
        held_back_since_ = transport_.now();
    }
    held_back_ += bytes_of(reduction);
    // What has come already came from a rank that waits.
    if (held_back_ >= settings_.fusion_bytes || !early_.empty()) {
        start_all();
        send_queued();
    }
    return number;
}

bool Allreduce::is_done(std::uint64_t reduction) const {
    return reduction < first_ || (reduction < started_ && active_[reduction - first_].is_done());
}

void Allreduce::progress(Urgency urgency) {
    if (started_ < first_ + active_.size() &&
        (urgency != Urgency::none ||
         transport_.now() - held_back_since_ >= settings_.fusion_wait)) {
        start_all();
    }
    send_queued();
    forget_done();
    if (is_idle()) {
        return;
    }
    // Who comes by only now and then would take what is done much later.
    uses_worker_ = worker_ != nullptr && urgency != Urgency::none;
    const Seconds until = urgency == Urgency::blocking ? never : Seconds(0);
    if (!settings_.bypass) {
        look(until);
    } else {
        // First without waiting: what lay there came some time ago.
        look(Seconds(0));
        if (!work() && !has_news_) {
            look(std::min(until, deadline()));
        }
        while (work()) {
            look(Seconds(0));
        }
    }
    forget_done();
}

void Allreduce::look(Seconds until) {
    has_news_ = false;
    is_waiting_ = until > Seconds(0);
    const Seconds begin = transport_.now();
    transport_.progress(*this, until);
    looked_ = transport_.now();
    if (!is_waiting_ && !has_news_) {
        constexpr double weight_of_last = 0.125;
        look_ += weight_of_last * (looked_ - begin - look_);
    }
    send_queued();
}

// As much as is worth a look at the network: looks take no more than a twentieth of the time, and
// no piece waits for long to be sent. False where nothing is left to do.
bool Allreduce::work() {
    constexpr double looks = 20;
    constexpr Seconds most(20e-6);  // a preempted look may have taken long
    const Seconds worth_a_look = std::min(looks * look_, most);
    const Seconds begin = transport_.now();
    const std::uint64_t gone_ahead_before = gone_ahead_;
    bool is_done = false;
    for (std::uint64_t number = first_; number < started_ && !is_done; ++number) {
        while (!is_done && active(number).algorithm && active(number).algorithm->work()) {
            // What is overdue leaves before this rank goes on.
            is_done = gone_ahead_ > gone_ahead_before || transport_.now() - begin >= worth_a_look;
        }
    }
    send_queued();
    return is_done;
}

Seconds Allreduce::deadline() const {
    Seconds first = never;
    for (const Active& it : active_) {
        first = it.algorithm ? std::min(first, it.algorithm->deadline()) : first;
    }
    return first;
}

void Allreduce::forget_done() {
    while (first_ < started_ && active_.front().is_done()) {
        active_.pop_front();
        ++first_;
    }
}

// -- starting ---------------------------------------------------------------

void Allreduce::start_all() {
    held_back_ = Bytes(0);
    while (started_ < first_ + active_.size()) {
        const std::uint64_t number = started_++;
        start(number);
        if (const auto early = early_.extract(number)) {
            for (Arrived& arrived : early.mapped()) {
                active(number).algorithm->accept(std::move(arrived));
            }
        }
    }
}

void Allreduce::start(std::uint64_t number) {
    Active& it = active(number);
    if (ranks_ == 1 && it.reduction.from != it.reduction.into) {
        std::copy_n(it.reduction.from, it.reduction.bytes(), it.reduction.into);
    }
    if (ranks_ > 1 && it.reduction.count > 0) {
        it.algorithm = algorithm_for(number);
        it.algorithm->start();
    }
}

std::unique_ptr<Algorithm> Allreduce::algorithm_for(std::uint64_t number) {
    const Reduction& reduction = active(number).reduction;
    const auto on_the_wire = static_cast<std::uint32_t>(number);
    const Route& route = route_for(reduction.bytes());
    Outbox& outbox = *this;
    if (route.is_ring() && settings_.bypass) {
        const Layout layout = layout_of(reduction, ranks_, message_size_);
        auto bypass =
            std::make_unique<Bypass>(reduction, on_the_wire, rank_, layout, *settings_.bypass,
                                     pace_of(reduction, layout), settings_.patience, outbox);
        if (active_.size() > 1) {
            bypass->disturb();
        }
        return bypass;
    }
    if (route.is_ring()) {
        return std::make_unique<Ring>(reduction, on_the_wire, rank_,
                                      layout_of(reduction, ranks_, message_size_), outbox);
    }
    return std::make_unique<Levels>(reduction, on_the_wire, rank_, route.levels,
                                    lanes_of(reduction, route.levels.front(), message_size_),
                                    outbox);
}

std::shared_ptr<Pace> Allreduce::pace_of(const Reduction& reduction, const Layout& layout) {
    // A program that reduces ever other lengths has none worth keeping.
    constexpr std::size_t most = 1000;
    if (paces_.size() >= most) {
        paces_.clear();
    }
    auto& pace = paces_[{reduction.count, size_of(reduction.element)}];
    if (!pace) {
        pace = std::make_shared<Pace>(layout.pieces() - 2 * layout.slices());
    }
    return pace;
}

const Route& Allreduce::route_for(std::size_t bytes) {
    const auto [found, is_new] = routes_.try_emplace(bytes);
    if (is_new) {
        found->second = choose_route(Bytes(static_cast<double>(bytes)), ranks_, settings_.times,
                                     settings_.bypass ? Preference::ring : Preference::fastest);
    }
    return found->second;
}

// -- what arrives -----------------------------------------------------------

std::uint64_t Allreduce::number_of(std::uint32_t on_the_wire) const {
    const auto offset = static_cast<std::int32_t>(on_the_wire - static_cast<std::uint32_t>(first_));
    return first_ + static_cast<std::uint64_t>(std::int64_t{offset});
}

void Allreduce::received(std::shared_ptr<Buffer> message) {
    has_news_ = true;
    const Seconds now = transport_.now();
    const Arrival at{is_waiting_ ? now : looked_, now};
    for (const Item& item : read_message({message->bytes.get(), message->size})) {
        Arrived arrived{item.header, item.payload, message, at};
        const std::uint64_t number = number_of(item.header.reduction);
        if (number < first_) {
            throw std::runtime_error("hora: a message of a reduction that is over");
        }
        if (number >= started_) {
            early_[number].push_back(std::move(arrived));
        } else {
            active(number).algorithm->accept(std::move(arrived));
        }
    }
    if (!early_.empty() && early_.begin()->first < first_ + active_.size()) {
        start_all();
    }
}

void Allreduce::perform(const Work& work) {
    mpi::perform(work);
    transport_.performed(work);
}

std::uint64_t Allreduce::begin_work(Work work) {
    if (uses_worker_) {
        ++working_;
        return worker_->begin(std::move(work));
    }
    perform(work);
    return done_at_once;
}

bool Allreduce::take_done(std::uint64_t work) {
    if (work == done_at_once) {
        return true;
    }
    const bool is_done = worker_->take_done(work);
    working_ -= is_done ? 1 : 0;
    has_news_ |= is_done;
    return is_done;
}

// -- sending ----------------------------------------------------------------

void Allreduce::send(std::uint32_t to, const ItemHeader& header, std::span<const std::byte> payload,
                     std::shared_ptr<Buffer> message) {
    if (!is_sent(header, payload.size())) {
        return;
    }
    ++active(number_of(header.reduction)).unsent;
    Channel& channel = channels_[to];
    channel.queue.push_back({header, payload, std::move(message)});
    channel.queue.back().header.bytes = static_cast<std::uint32_t>(payload.size());
    make_ready(to, channel);
}

void Allreduce::make_ready(std::uint32_t to, Channel& channel) {
    if (!channel.is_ready && !channel.queue.empty() && channel.in_flight < settings_.window) {
        channel.is_ready = true;
        ready_.push_back(to);
    }
}

void Allreduce::send_queued() {
    while (!ready_.empty()) {
        const std::uint32_t to = ready_.front();
        ready_.pop_front();
        Channel& channel = channels_[to];
        channel.is_ready = false;
        send_message(to, channel);
        make_ready(to, channel);
    }
}

void Allreduce::send_message(std::uint32_t to, Channel& channel) {
    static constexpr std::array<std::byte, 8> padding = {};
    Sent sent{.to = to};
    std::vector<ItemHeader> headers;
    std::size_t bytes = message_head;
    while (!channel.queue.empty()) {
        Outgoing& next = channel.queue.front();
        bytes += bytes_in_message(next.payload.size());
        if (!headers.empty() && Bytes(static_cast<double>(bytes)) > message_size_) {
            break;
        }
        headers.push_back(next.header);
        sent.items.push_back(std::move(next));
        channel.queue.pop_front();
    }
    sent.head = write_head(headers);
    std::vector<std::span<const std::byte>> parts = {sent.head};
    for (const Outgoing& item : sent.items) {
        const std::size_t size = item.payload.size();
        parts.push_back(item.payload);
        if (padded(size) != size) {
            parts.push_back(std::span(padding).first(padded(size) - size));
        }
    }
    ++channel.in_flight;
    const std::uint64_t number = messages_++;
    unsent_.emplace(number, std::move(sent));
    transport_.send(to, number, parts);
}

void Allreduce::sent(std::uint64_t message) {
    has_news_ = true;
    const Sent sent = std::move(unsent_.extract(message).mapped());
    for (const Outgoing& item : sent.items) {
        --active(number_of(item.header.reduction)).unsent;
    }
    Channel& channel = channels_[sent.to];
    --channel.in_flight;
    make_ready(sent.to, channel);
}

}  // namespace hora::mpi
