#include "contrib/nccl/tcp_exchange.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <list>

#include "contrib/trainer/failure.hpp"
#include "tests/unit/contrib/nccl/processes.hpp"

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

using Work = std::function<std::string(TcpExchange&)>;

// Runs `work` on all ranks, and returns what they say, in their order.
std::vector<std::string> on_ranks(int size, const Work& work) {
    const std::uint16_t port = free_port();
    std::list<Process> ranks;
    for (int rank = 0; rank < size; ++rank) {
        ranks.emplace_back([&, rank]() -> std::string {
            const Launch launch{.rank = rank,
                                .size = size,
                                .local_rank = rank,
                                .address = "localhost",
                                .port = port,
                                .step = "1.0"};
            const auto exchange = TcpExchange::open(launch, 30s);
            return exchange ? work(**exchange) : exchange.error().message;
        });
    }
    std::vector<std::string> results;
    for (Process& rank : ranks) {
        results.push_back(rank.result());
    }
    return results;
}

TEST(TcpExchange, GathersAndCopies) {
    for (const int size : {1, 2, 3, 8}) {
        const auto results = on_ranks(size, [](TcpExchange& exchange) {
            const auto own = static_cast<std::uint64_t>(exchange.rank());
            std::string said;
            for (std::uint64_t round = 0; round < 50; ++round) {
                const auto all = exchange.gather(own * 1000 + round);
                const auto first = exchange.copy_from_first(own + round);
                for (std::size_t rank = 0; all && rank < all->size(); ++rank) {
                    said += (*all)[rank] == rank * 1000 + round ? "" : "wrong ";
                }
                said += first == round ? "" : "wrong ";
            }
            std::array<std::byte, 128> id{};
            id.fill(static_cast<std::byte>(own + 7));
            const bool is_copied = exchange.copy_from_first(id).has_value();
            const bool is_right =
                std::ranges::all_of(id, [](std::byte b) { return b == std::byte{7}; });
            return said + (is_copied && is_right ? "right" : "wrong id");
        });
        EXPECT_THAT(results, testing::Each("right")) << size;
    }
}

TEST(TcpExchange, CollectsTextsOfAnyLength) {
    const auto results = on_ranks(3, [](TcpExchange& exchange) {
        constexpr std::size_t lengths[] = {3, 0, 5'000'000};
        const auto own = static_cast<std::size_t>(exchange.rank());
        const auto texts =
            exchange.collect(std::string(lengths[own], static_cast<char>('a' + own)), 4'000'000);
        if (!texts || texts->empty()) {
            return std::string(texts ? "nothing" : texts.error().message);
        }
        return fmt::format("{} {} {}", (*texts)[0], (*texts)[1].size(),
                           std::ranges::count((*texts)[2], 'c'));
    });
    EXPECT_EQ(results, (std::vector<std::string>{"aaa 0 4000000", "nothing", "nothing"}));
}

// Rank 0 waits for a byte that another one sends only while it is idle.
TEST(TcpExchange, OtherRanksAreIdleWhileTheFirstWaits) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const auto results = on_ranks(3, [&](TcpExchange& exchange) {
        char byte = 0;
        int idle = 0;
        const auto waited =
            exchange.while_first_waits([&] { static_cast<void>(!read(ends[0], &byte, 1)); },
                                       [&] {
                                           if (exchange.rank() == 1 && idle++ == 0) {
                                               static_cast<void>(!write(ends[1], "x", 1));
                                           }
                                       });
        return waited ? std::string(1, exchange.is_first() ? byte : 'y') : waited.error().message;
    });
    close(ends[0]);
    close(ends[1]);
    EXPECT_EQ(results, (std::vector<std::string>{"x", "y", "y"}));
}

TEST(TcpExchange, SaysWhichRankIsLost) {
    const auto results = on_ranks(3, [](TcpExchange& exchange) -> std::string {
        if (exchange.rank() == 2) {
            return "left";
        }
        const auto all = exchange.gather(1);
        return all ? "gathered" : all.error().message;
    });
    EXPECT_THAT(results[0], HasSubstr("rank 2 is lost: it has ended the connection"));
    EXPECT_THAT(results[1], HasSubstr("rank 0 is lost"));
}

// A rank that waits for its GPU asks whether the others still compute.
TEST(TcpExchange, SeesThatARankHasLeftWithoutExchange) {
    const auto results = on_ranks(3, [](TcpExchange& exchange) -> std::string {
        if (exchange.check()) {
            static_cast<void>(exchange.gather(0));
        }
        const auto until = Clock::now() + 30s;
        while (exchange.rank() != 1 && Clock::now() < until) {
            if (const auto all = exchange.check(); !all) {
                return all.error().message;
            }
        }
        return "left";
    });
    EXPECT_THAT(results[0], HasSubstr("rank 1 is lost"));
    EXPECT_THAT(results[2], HasSubstr("rank 0 is lost"));
}

TEST(TcpExchange, OneRankSpeaksForAll) {
    const auto results = on_ranks(4, [](TcpExchange& exchange) {
        testing::internal::CaptureStderr();
        const Expected<int> outcome =
            exchange.rank() % 2 == 1 ? Expected<int>(failure("odd")) : Expected<int>(1);
        const bool failed = has_failed(exchange, "name", outcome);
        return fmt::format("{} {}", failed, testing::internal::GetCapturedStderr());
    });
    EXPECT_EQ(results, (std::vector<std::string>{"true ", "true name: odd\n", "true ", "true "}));
}

}  // namespace
}  // namespace hora::trainer
