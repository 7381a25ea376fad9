// What an algorithm on one rank sends, kept until a test delivers it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "plugins/mpi/allreduce/algorithm.hpp"

namespace hora::mpi {

// Its clock is the test's.
class Postbox final : public Outbox {
  public:
    struct Letter {
        std::uint32_t to = 0;
        ItemHeader header{};
        // Read when it is delivered: a sender that changes it before is found out.
        std::span<const std::byte> payload{};
        std::shared_ptr<Buffer> message{};
    };

    Seconds now() const override { return clock; }
    void went_ahead() override { ++gone_ahead; }
    void send(std::uint32_t to, const ItemHeader& header, std::span<const std::byte> payload,
              std::shared_ptr<Buffer> message) override {
        if (is_sent(header, payload.size())) {
            letters.push_back({to, header, payload, std::move(message)});
        }
    }
    void perform(const Work& work) override {
        mpi::perform(work);
        if (work.vectors.size() > 1) {
            clock = clock + addition;
            ++additions;
        }
    }

    // As a worker of two threads, whose work takes a time between these, and reads and writes at
    // once or at its end.
    void start_threads(Seconds shortest, Seconds longest, std::uint32_t seed) {
        desks_.resize(2);
        shortest_ = shortest;
        longest_ = longest;
        random_.seed(seed);
    }
    bool is_full() const override {
        return !desks_.empty() && std::ranges::all_of(desks_, &Desk::is_taken);
    }
    std::uint64_t begin_work(Work work) override {
        if (desks_.empty()) {
            perform(work);
            return 0;
        }
        const auto desk = std::ranges::find_if_not(desks_, &Desk::is_taken);
        additions += work.vectors.size() > 1 ? 1 : 0;
        const double part = std::uniform_real_distribution<double>(0, 1)(random_);
        *desk = {true, clock + shortest_ + (longest_ - shortest_) * part, std::nullopt};
        if (random_() % 2 == 0) {
            mpi::perform(work);
        } else {
            desk->work = std::move(work);
        }
        return static_cast<std::uint64_t>(desk - desks_.begin());
    }
    bool take_done(std::uint64_t number) override {
        if (desks_.empty()) {
            return true;
        }
        Desk& desk = desks_[number];
        if (desk.end > clock) {
            return false;
        }
        if (desk.work) {
            mpi::perform(*desk.work);
        }
        desk = {};
        return true;
    }
    bool is_working() const { return std::ranges::any_of(desks_, &Desk::is_taken); }

    Seconds clock;
    Seconds addition;  // how long each takes, without threads
    std::size_t additions = 0;
    std::size_t gone_ahead = 0;
    std::deque<Letter> letters;

  private:
    struct Desk {
        bool is_taken = false;
        Seconds end;
        std::optional<Work> work{};  // that is still to be done
    };

    std::vector<Desk> desks_;
    Seconds shortest_;
    Seconds longest_;
    std::mt19937 random_;
};

inline Arrived arrived(const ItemHeader& header, std::span<const std::byte> payload,
                       Seconds at = Seconds(0)) {
    auto buffer = std::make_shared<Buffer>();
    buffer->bytes = std::make_unique_for_overwrite<std::byte[]>(payload.size());
    buffer->size = payload.size();
    std::ranges::copy(payload, buffer->bytes.get());
    const std::span<std::byte> own(buffer->bytes.get(), buffer->size);
    return {header, own, std::move(buffer), {at, at}};
}

// All ranks of one reduction, whose messages arrive in any order.
template <class T>
class AllRanks {
  public:
    using Make = std::function<std::unique_ptr<Algorithm>(const Reduction& reduction,
                                                          std::uint32_t rank, Outbox& outbox)>;

    AllRanks(std::vector<std::vector<T>> own, Element element, bool is_in_place, const Make& make)
        : from_(std::move(own)), into_(from_) {
        boxes_.resize(from_.size());
        for (std::uint32_t rank = 0; rank < from_.size(); ++rank) {
            std::vector<T>& into = into_[rank];
            if (!is_in_place) {
                std::ranges::fill(into, T(77));
            }
            const std::vector<T>& from = is_in_place ? into : from_[rank];
            const Reduction reduction{.element = element,
                                      .operation = Operation::sum,
                                      .from = reinterpret_cast<const std::byte*>(from.data()),
                                      .into = reinterpret_cast<std::byte*>(into.data()),
                                      .count = from.size()};
            algorithms_.push_back(make(reduction, rank, boxes_[rank]));
        }
    }

    void additions_take(Seconds time) {
        for (Postbox& box : boxes_) {
            box.addition = time;
        }
    }

    void additions_take_up_to(Seconds longest, std::uint32_t seed) {
        for (Postbox& box : boxes_) {
            box.start_threads(Seconds(0), longest, seed++);
        }
    }

    // Until nothing is on its way: ranks begin, and messages arrive, in any order.
    void run(std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<std::uint32_t> late(from_.size());
        for (std::uint32_t rank = 0; rank < late.size(); ++rank) {
            late[rank] = rank;
        }
        std::ranges::shuffle(late, random);
        while (!late.empty() || is_any_on_its_way() || does_any_work()) {
            if (!late.empty() && random() % 4 == 0) {
                const std::uint32_t rank = late.back();
                late.pop_back();
                has_begun_.push_back(rank);
                algorithms_[rank]->start();
                for (Arrived& one : std::exchange(early_[rank], {})) {
                    algorithms_[rank]->accept(std::move(one));
                }
                work(rank, random);
            }
            const auto rank = static_cast<std::uint32_t>(random() % boxes_.size());
            deliver(rank, random);
            if (boxes_[rank].is_working()) {
                boxes_[rank].clock += Seconds(1);
                work(rank, random);
            }
        }
    }

    const std::vector<T>& result(std::uint32_t rank) const { return into_[rank]; }
    const std::vector<T>& own(std::uint32_t rank) const { return from_[rank]; }
    // So many items of this kind have arrived.
    std::size_t delivered(ItemKind kind) const {
        return delivered_[static_cast<std::size_t>(kind)];
    }
    bool is_complete() const {
        return std::ranges::all_of(algorithms_, [](const auto& it) { return it->is_complete(); });
    }

  private:
    bool is_any_on_its_way() const {
        return std::ranges::any_of(
            boxes_, [](const auto& box) { return !box.letters.empty() || box.is_working(); });
    }

    bool does_any_work() {
        bool does_any = false;
        for (const auto& algorithm : algorithms_) {
            while (algorithm->work()) {
                does_any = true;
            }
        }
        return does_any;
    }

    void deliver(std::uint32_t sender, std::mt19937& random) {
        auto& letters = boxes_[sender].letters;
        if (letters.empty()) {
            return;
        }
        const auto place = letters.begin() + static_cast<std::ptrdiff_t>(random() % letters.size());
        const Postbox::Letter letter = std::move(*place);
        letters.erase(place);
        ++delivered_[static_cast<std::size_t>(letter.header.kind)];
        boxes_[letter.to].clock += Seconds(1);
        Arrived one = arrived(letter.header, letter.payload, boxes_[letter.to].clock);
        if (std::ranges::find(has_begun_, letter.to) == has_begun_.end()) {
            early_[letter.to].push_back(std::move(one));
            return;
        }
        algorithms_[letter.to]->accept(std::move(one));
        work(letter.to, random);
    }

    // At times later, when more has come.
    void work(std::uint32_t rank, std::mt19937& random) {
        const bool has_begun = std::ranges::find(has_begun_, rank) != has_begun_.end();
        while (has_begun && random() % 2 == 0 && algorithms_[rank]->work()) {
        }
    }

    std::vector<std::vector<T>> from_;
    std::vector<std::vector<T>> into_;
    std::deque<Postbox> boxes_;
    std::vector<std::unique_ptr<Algorithm>> algorithms_;
    std::map<std::uint32_t, std::vector<Arrived>> early_;
    std::vector<std::uint32_t> has_begun_;
    std::array<std::size_t, 3> delivered_{};  // by kind
};

// One vector a rank. Sums of whole numbers are the same in every order, those of others are not.
template <class T>
std::vector<std::vector<T>> vectors_of(std::uint32_t ranks, std::size_t count, T step) {
    std::vector<std::vector<T>> all(ranks, std::vector<T>(count));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::size_t i = 0; i < count; ++i) {
            all[rank][i] = static_cast<T>((rank * 31 + i * 7) % 101) * step + step / T(3);
        }
    }
    return all;
}

}  // namespace hora::mpi
