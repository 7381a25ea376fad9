// Is what threads add and copy right, and do they end?
#include "plugins/mpi/allreduce/thread_worker.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

namespace hora::mpi {
namespace {

using Numbers = std::vector<std::int32_t>;

Work sum_of(Numbers& out, const std::vector<const Numbers*>& vectors) {
    Work work{.element = Element::int32,
              .out = reinterpret_cast<std::byte*>(out.data()),
              .count = out.size()};
    for (const Numbers* const vector : vectors) {
        work.vectors.push_back(reinterpret_cast<const std::byte*>(vector->data()));
    }
    return work;
}

void wait_for(ThreadWorker& worker, std::uint64_t number) {
    while (!worker.take_done(number)) {
        std::this_thread::yield();
    }
}

TEST(ThreadWorker, AddsAndCopies) {
    for (const std::size_t shortest : {std::size_t{0}, std::size_t{1} << 30U}) {
        ThreadWorker worker(shortest);
        for (std::int32_t round = 0; round < 200; ++round) {
            const Numbers a(1000, round);
            const Numbers b(1000, 7);
            const Numbers c(1000, 10);
            Numbers sum(1000);
            Numbers copy(1000);
            const std::uint64_t first = worker.begin(sum_of(sum, {&a, &b, &c}));
            EXPECT_FALSE(worker.is_full());
            const std::uint64_t second = worker.begin(sum_of(copy, {&b}));
            EXPECT_TRUE(worker.is_full());
            wait_for(worker, second);
            EXPECT_FALSE(worker.is_full());
            wait_for(worker, first);
            EXPECT_FALSE(worker.has_done());
            EXPECT_EQ(sum, Numbers(1000, round + 17));
            EXPECT_EQ(copy, b);
        }
    }
}

TEST(ThreadWorker, SaysThatWorkIsDoneUntilItIsTaken) {
    ThreadWorker worker(0);
    const Numbers a(10, 1);
    Numbers sum(10);
    EXPECT_FALSE(worker.has_done());
    const std::uint64_t number = worker.begin(sum_of(sum, {&a, &a}));
    while (!worker.has_done()) {
        std::this_thread::yield();
    }
    EXPECT_TRUE(worker.has_done());
    EXPECT_TRUE(worker.take_done(number));
    EXPECT_FALSE(worker.has_done());
}

TEST(ThreadWorker, EndsAfterWhatIsUnderWay) {
    for (int round = 0; round < 50; ++round) {
        const Numbers a(100000, round);
        Numbers sum(100000);
        {
            ThreadWorker worker(0);
            worker.begin(sum_of(sum, {&a, &a}));
        }
        ASSERT_EQ(sum, Numbers(100000, 2 * round));
    }
}

TEST(ThreadWorker, StartsNoThreadForShortWork) {
    ThreadWorker worker(1000);
    const Numbers a(10, 1);
    Numbers sum(10);
    const std::uint64_t number = worker.begin(sum_of(sum, {&a, &a}));
    EXPECT_EQ(sum, Numbers(10, 2));
    EXPECT_TRUE(worker.take_done(number));
}

}  // namespace
}  // namespace hora::mpi
