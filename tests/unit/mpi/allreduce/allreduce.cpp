#include "plugins/mpi/allreduce/allreduce.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "plugins/mpi/allreduce/thread_worker.hpp"
#include "tests/unit/any_number.hpp"
#include "tests/unit/mpi/allreduce/any_times.hpp"
#include "tests/unit/mpi/allreduce/network.hpp"

namespace hora::mpi {
namespace {

using hora::testing::any_number;

constexpr double measured_sizes[] = {8, 100, 1000, 10000};
// Of a network in which the ring is the best way.
const MessageTimes ring_times({{Bytes(0), Seconds(1e-9), Seconds(1e-9)},
                               {Bytes(1e6), Seconds(1e-3), Seconds(1e-3)}});

struct Kind {
    Element element;
    Operation operation;
    std::size_t count;
    bool is_in_place;
};

std::vector<std::byte> any_vector(const Kind& kind, std::mt19937& random) {
    std::vector<std::byte> bytes(kind.count * size_of(kind.element));
    for (std::size_t i = 0; i < kind.count; ++i) {
        const double number = std::uniform_real_distribution<double>(-1, 1)(random);
        if (kind.element == Element::float64) {
            std::memcpy(bytes.data() + i * sizeof number, &number, sizeof number);
        } else if (kind.element == Element::float32) {
            const auto single = static_cast<float>(number);
            std::memcpy(bytes.data() + i * sizeof single, &single, sizeof single);
        } else {
            for (std::size_t j = 0; j < size_of(kind.element); ++j) {
                bytes[i * size_of(kind.element) + j] = static_cast<std::byte>(random());
            }
        }
    }
    return bytes;
}

// Numbers whose sums are exact in any order.
std::vector<std::byte> exact_vector(const Kind& kind, std::mt19937& random) {
    std::vector<std::byte> bytes(kind.count * size_of(kind.element));
    for (std::size_t i = 0; i < kind.count; ++i) {
        const int number = static_cast<int>(random() % 2001) - 1000;
        if (kind.element == Element::float64) {
            const double exact = number;
            std::memcpy(bytes.data() + i * sizeof exact, &exact, sizeof exact);
        } else {
            const auto exact = static_cast<float>(number);
            std::memcpy(bytes.data() + i * sizeof exact, &exact, sizeof exact);
        }
    }
    return bytes;
}

bool is_float(Element element) {
    return element == Element::float32 || element == Element::float64;
}

std::vector<std::byte> expected_sum(const Kind& kind,
                                    const std::vector<const std::vector<std::byte>*>& vectors) {
    std::vector<std::byte> sum = *vectors.front();
    for (std::size_t rank = 1; rank < vectors.size(); ++rank) {
        kernel_of(kind.element, kind.operation)(sum.data(), sum.data(), vectors[rank]->data(),
                                                kind.count);
    }
    return sum;
}

// One rank's program: it begins the reductions in their order, and waits for those it has begun in
// any order, whenever it likes.
class Program {
  public:
    Program(Transport& transport, const Settings& settings, const std::vector<Kind>& kinds,
            std::mt19937& random, std::vector<std::vector<std::byte>> from)
        : worker_(0),
          allreduce_(transport, settings, random() % 2 == 0 ? &worker_ : nullptr),
          kinds_(kinds),
          random_(random),
          from_(std::move(from)) {
        for (std::size_t i = 0; i < kinds_.size(); ++i) {
            const Kind& kind = kinds_[i];
            into_.push_back(kind.is_in_place ? from_[i] : std::vector<std::byte>(from_[i].size()));
        }
    }

    void step() {
        if (awaited_ < kinds_.size()) {
            if (allreduce_.is_done(awaited_)) {
                awaited_ = kinds_.size();
            } else {
                allreduce_.progress(Urgency::blocking);
            }
            return;
        }
        const std::size_t choices = random_() % 4;
        if (choices < 2 && begun_ < kinds_.size()) {
            begin();
        } else if (choices == 2 && begun_ > 0) {
            awaited_ = begun_ == kinds_.size() ? next_to_await() : random_() % begun_;
        } else {
            allreduce_.progress(Urgency::none);
        }
    }

    bool has_finished() const { return begun_ == kinds_.size() && next_to_await() == begun_; }
    const std::vector<std::vector<std::byte>>& into() const { return into_; }

  private:
    void begin() {
        const Kind& kind = kinds_[begun_];
        const std::byte* const from =
            kind.is_in_place ? into_[begun_].data() : from_[begun_].data();
        EXPECT_EQ(allreduce_.begin({.element = kind.element,
                                    .operation = kind.operation,
                                    .from = from,
                                    .into = into_[begun_].data(),
                                    .count = kind.count}),
                  begun_);
        ++begun_;
    }

    std::size_t next_to_await() const {
        std::size_t i = 0;
        while (i < begun_ && allreduce_.is_done(i)) {
            ++i;
        }
        return i;
    }

    ThreadWorker worker_;
    Allreduce allreduce_;
    const std::vector<Kind>& kinds_;
    std::mt19937& random_;
    std::vector<std::vector<std::byte>> from_;
    std::vector<std::vector<std::byte>> into_;
    std::size_t begun_ = 0;
    std::size_t awaited_ = ~std::size_t{0};
};

std::vector<Kind> any_kinds() {
    std::vector<Kind> kinds(any_number<std::size_t>(1, 12));
    for (Kind& kind : kinds) {
        kind = {.element = static_cast<Element>(any_number(0, 10)),
                .operation = static_cast<Operation>(any_number(0, 3)),
                .count = any_number<std::size_t>(0, any_number(0, 3) == 0 ? 3000U : 40U),
                .is_in_place = any_number(0, 2) == 0};
    }
    return kinds;
}

Settings any_settings(const MessageTimes& times) {
    return {.times = times,
            .fusion_bytes = Bytes(any_number(0, 20000)),
            .fusion_wait = Seconds(any_number(0, 100) * 1e-6),
            .window = any_number<std::uint32_t>(1, 4)};
}

// Ranks go ahead of each other at any time.
Settings any_bypass(const MessageTimes& times) {
    Settings settings = any_settings(times);
    settings.bypass = any_number(0, 2) == 0 ? LatePartials::to_owner : LatePartials::to_successor;
    settings.patience = Seconds(any_number(0, 300) * 1e-6);
    return settings;
}

using Vectors = std::vector<std::vector<std::byte>>;  // by reduction

// What each rank has in the end, by rank. Empty where a rank waits for ever.
std::vector<Vectors> reduce(const std::vector<Vectors>& from, const std::vector<Kind>& kinds,
                            const Settings& settings, std::size_t largest_message) {
    // Steps after which a program that goes on at all has long ended.
    constexpr int most_steps = 2000000;
    const auto ranks = static_cast<std::uint32_t>(from.size());
    Network network(ranks, largest_message, any_number(0U, 1U << 31));
    std::vector<std::unique_ptr<Program>> programs;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        programs.push_back(std::make_unique<Program>(network.rank(rank), settings, kinds,
                                                     network.random(), from[rank]));
    }
    int steps = 0;
    while (!std::ranges::all_of(programs, [](const auto& one) { return one->has_finished(); })) {
        programs[network.random()() % ranks]->step();
        if (++steps == most_steps) {
            return {};
        }
    }
    EXPECT_TRUE(network.is_quiet());
    std::vector<Vectors> into;
    for (const auto& program : programs) {
        into.push_back(program->into());
    }
    return into;
}

template <class MakeVector>
std::vector<Vectors> any_vectors(std::uint32_t ranks, const std::vector<Kind>& kinds,
                                 const MakeVector& make) {
    std::mt19937 random(any_number(0U, 1U << 31));
    std::vector<Vectors> vectors(ranks);
    for (Vectors& of_rank : vectors) {
        for (const Kind& kind : kinds) {
            of_rank.push_back(make(kind, random));
        }
    }
    return vectors;
}

std::vector<std::byte> exactly_summed(const Kind& kind, std::mt19937& random) {
    return is_float(kind.element) ? exact_vector(kind, random) : any_vector(kind, random);
}

void expect_sums(const std::vector<Vectors>& from, const std::vector<Kind>& kinds,
                 const std::vector<Vectors>& into) {
    RC_ASSERT(into.size() == from.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        std::vector<const std::vector<std::byte>*> vectors;
        for (const Vectors& of_rank : from) {
            vectors.push_back(&of_rank[i]);
        }
        const auto expected = expected_sum(kinds[i], vectors);
        for (const Vectors& of_rank : into) {
            RC_ASSERT(of_rank[i] == expected);
        }
    }
}

RC_GTEST_PROP(Allreduce, SumsWhateverTheOrderOfAskingAndWaiting, ()) {
    const auto ranks = any_number<std::uint32_t>(1, 13);
    const auto kinds = any_kinds();
    const auto from = any_vectors(ranks, kinds, exactly_summed);
    expect_sums(from, kinds,
                reduce(from, kinds, any_settings(any_times(measured_sizes)),
                       any_number<std::size_t>(128, 5000)));
}

RC_GTEST_PROP(Allreduce, SumsWhoeverGoesAheadOfWhom, ()) {
    const auto ranks = any_number<std::uint32_t>(1, 13);
    auto kinds = any_kinds();
    // In half of the cases alone: ranks only go ahead in such a reduction.
    kinds.resize(any_number(0, 2) == 0 ? 1 : kinds.size());
    const auto from = any_vectors(ranks, kinds, exactly_summed);
    expect_sums(from, kinds,
                reduce(from, kinds, any_bypass(ring_times), any_number<std::size_t>(128, 5000)));
}

RC_GTEST_PROP(Allreduce, HasTheSameBitsOnAllRanksWhoeverGoesAheadOfWhom, ()) {
    const auto ranks = any_number<std::uint32_t>(2, 13);
    const std::vector<Kind> kinds = {{Element::float32, Operation::sum,
                                      any_number<std::size_t>(1, 3000), any_number(0, 2) == 0}};
    const auto into = reduce(any_vectors(ranks, kinds, any_vector), kinds, any_bypass(ring_times),
                             any_number<std::size_t>(128, 5000));
    RC_ASSERT(into == std::vector<Vectors>(ranks, into.front()));
}

RC_GTEST_PROP(Allreduce, HasTheSameBitsOnAllRanksAndHoweverReductionsAreSentTogether, ()) {
    const auto ranks = any_number<std::uint32_t>(2, 13);
    const auto kinds = any_kinds();
    const auto from = any_vectors(ranks, kinds, any_vector);
    const MessageTimes times = any_times(measured_sizes);
    const auto largest = any_number<std::size_t>(128, 5000);
    const auto into = reduce(from, kinds, any_settings(times), largest);
    RC_ASSERT(into.size() == ranks);
    RC_ASSERT(into == std::vector<Vectors>(ranks, into.front()));
    RC_ASSERT(into == reduce(from, kinds, any_settings(times), largest));
}

TEST(Allreduce, GoesAheadAfterItsPatienceOnly) {
    constexpr std::uint32_t ranks = 5;
    for (const Seconds patience : {Seconds(0), never}) {
        Network network(ranks, 1 << 20, 1);
        std::vector<std::unique_ptr<Allreduce>> all;
        std::vector<std::vector<float>> vectors(ranks, std::vector<float>(1000, 1));
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            all.push_back(std::make_unique<Allreduce>(
                network.rank(rank),
                Settings{
                    .times = ring_times, .bypass = LatePartials::to_owner, .patience = patience}));
            auto* const bytes = reinterpret_cast<std::byte*>(vectors[rank].data());
            all.back()->begin({.from = bytes, .into = bytes, .count = 1000});
        }
        while (!std::ranges::all_of(all, [](const auto& one) { return one->is_idle(); })) {
            for (const auto& one : all) {
                one->progress(Urgency::blocking);
            }
        }
        std::uint64_t gone_ahead = 0;
        for (const auto& one : all) {
            gone_ahead += one->gone_ahead();
        }
        EXPECT_EQ(gone_ahead > 0, patience == Seconds(0));
        EXPECT_EQ(vectors, std::vector(ranks, std::vector<float>(1000, ranks)));
    }
}

// Sees that nothing waits to be sent while this rank adds.
class Watched final : public Transport {
  public:
    explicit Watched(Transport& network) : network_(network) {}

    void watch(const Allreduce& allreduce) { allreduce_ = &allreduce; }
    std::size_t additions() const { return additions_; }

    std::uint32_t rank() const override { return network_.rank(); }
    std::uint32_t size() const override { return network_.size(); }
    std::size_t largest_message() const override { return network_.largest_message(); }
    void send(std::uint32_t to, std::uint64_t message,
              std::span<const std::span<const std::byte>> parts) override {
        gone_ahead_ = allreduce_->gone_ahead();
        network_.send(to, message, parts);
    }
    void progress(Handler& handler, Seconds until) override {
        const bool waits = until > Seconds(0);
        EXPECT_FALSE(waits && allreduce_->is_done(0)) << "it would wait for ever";
        network_.progress(handler, until);
    }
    Seconds now() const override { return network_.now(); }
    void performed(const Work& work) override {
        additions_ += work.vectors.size() > 1 ? 1 : 0;
        EXPECT_EQ(allreduce_->gone_ahead(), gone_ahead_);
    }

  private:
    Transport& network_;
    const Allreduce* allreduce_ = nullptr;
    std::uint64_t gone_ahead_ = 0;
    std::size_t additions_ = 0;
};

TEST(Allreduce, SendsWhatIsOverdueBeforeItAdds) {
    constexpr std::uint32_t ranks = 5;
    Network network(ranks, 1 << 20, 1);
    std::vector<std::unique_ptr<Watched>> watched;
    std::vector<std::unique_ptr<Allreduce>> all;
    std::vector<std::vector<float>> vectors(ranks, std::vector<float>(1000, 1));
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        watched.push_back(std::make_unique<Watched>(network.rank(rank)));
        all.push_back(
            std::make_unique<Allreduce>(*watched.back(), Settings{.times = ring_times,
                                                                  .window = 100,
                                                                  .bypass = LatePartials::to_owner,
                                                                  .patience = Seconds(2e-6)}));
        watched.back()->watch(*all.back());
        auto* const bytes = reinterpret_cast<std::byte*>(vectors[rank].data());
        all.back()->begin({.from = bytes, .into = bytes, .count = 1000});
    }
    while (!std::ranges::all_of(all, [](const auto& one) { return one->is_idle(); })) {
        for (const auto& one : all) {
            one->progress(Urgency::blocking);
        }
    }
    std::uint64_t gone_ahead = 0;
    std::size_t additions = 0;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        gone_ahead += all[rank]->gone_ahead();
        additions += watched[rank]->additions();
    }
    EXPECT_GT(gone_ahead, 0u);
    EXPECT_GT(additions, ranks);
}

// Says of each work a few times that it is not done.
class SlowWorker final : public Worker {
  public:
    bool is_full() const override { return left_ > 0; }
    std::uint64_t begin(Work work) override {
        perform(work);
        left_ = 3;
        return 0;
    }
    bool take_done(std::uint64_t) override { return --left_ == 0; }
    bool has_done() const override { return false; }

  private:
    int left_ = 0;
};

// What the worker does last may complete the reduction, and then nothing comes any more.
TEST(Allreduce, DoesNotWaitForAMessageWhenItsWorkerHasCompletedIt) {
    constexpr std::uint32_t ranks = 3;
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        Network network(ranks, 1 << 20, seed);
        std::vector<std::unique_ptr<Watched>> watched;
        std::vector<SlowWorker> workers(ranks);
        std::vector<std::unique_ptr<Allreduce>> all;
        std::vector<std::vector<float>> vectors(ranks, std::vector<float>(1000, 1));
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            watched.push_back(std::make_unique<Watched>(network.rank(rank)));
            all.push_back(std::make_unique<Allreduce>(
                *watched.back(),
                Settings{.times = ring_times, .window = 100, .bypass = LatePartials::to_owner},
                &workers[rank]));
            watched.back()->watch(*all.back());
            auto* const bytes = reinterpret_cast<std::byte*>(vectors[rank].data());
            all.back()->begin({.from = bytes, .into = bytes, .count = 1000});
        }
        while (!std::ranges::all_of(all, [](const auto& one) { return one->is_idle(); })) {
            for (const auto& one : all) {
                one->progress(Urgency::blocking);
            }
        }
        EXPECT_EQ(vectors, std::vector(ranks, std::vector<float>(1000, ranks)));
    }
}

// Messages of all ranks together.
std::uint64_t messages_of(const std::vector<Kind>& kinds, bool waits_for_each) {
    constexpr std::uint32_t ranks = 4;
    Network network(ranks, 1 << 20, 1);
    std::vector<std::unique_ptr<Allreduce>> all;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        all.push_back(std::make_unique<Allreduce>(
            network.rank(rank), Settings{.fusion_bytes = Bytes(1e9), .fusion_wait = Seconds(1e9)}));
    }
    std::vector<std::vector<std::byte>> vectors;
    const auto wait = [&] {
        while (!std::ranges::all_of(all, [](const auto& one) { return one->is_idle(); })) {
            for (const auto& one : all) {
                one->progress(Urgency::blocking);
            }
        }
    };
    for (const Kind& kind : kinds) {
        for (const auto& one : all) {
            vectors.emplace_back(kind.count * size_of(kind.element));
            one->begin({.element = kind.element,
                        .operation = kind.operation,
                        .from = vectors.back().data(),
                        .into = vectors.back().data(),
                        .count = kind.count});
        }
        if (waits_for_each) {
            wait();
        }
    }
    wait();
    std::uint64_t messages = 0;
    for (const auto& one : all) {
        messages += one->messages();
    }
    return messages;
}

TEST(Allreduce, SendsReductionsThatAreUnderWayTogetherInOneMessage) {
    const std::vector<Kind> kinds(20, {Element::float32, Operation::sum, 100, true});
    EXPECT_EQ(messages_of(kinds, true), 20 * messages_of(kinds, false));
}

}  // namespace
}  // namespace hora::mpi
