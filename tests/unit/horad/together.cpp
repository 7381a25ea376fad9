// Do the server's thread and the daemon's loop share the desks without losing anything?
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "scripts/horad/progress/report_filter.hpp"
#include "scripts/horad/progress/resize_requests.hpp"
#include "tests/unit/horad/progress/some_report.hpp"

namespace hora::horad {
namespace {

constexpr std::uint64_t rounds = 300;

TEST(Together, ReportsAreJudgedWhileTheDaemonLooks) {
    ReportFilter filter;
    filter.see(with_job(7, 1000, 1, slurm::JobState::running));
    std::atomic<bool> is_done = false;
    std::thread server([&] {
        for (std::uint64_t step = 1; step <= rounds; ++step) {
            EXPECT_EQ(filter.judge({progress(7, 1, step), 1000}, 100).verdict, Verdict::taken);
            EXPECT_EQ(filter.judge({progress(7, 0, step), 1000}, 100).verdict, Verdict::refused);
        }
        is_done = true;
    });
    while (!is_done) {
        filter.see(with_job(7, 1000, 1, slurm::JobState::running));
        const auto heard = filter.reports().of(7);
        EXPECT_TRUE(!heard || heard->progress->step <= rounds);
        EXPECT_LE(filter.refused(), rounds);
    }
    server.join();
    EXPECT_EQ(filter.reports().count(), rounds);
    EXPECT_EQ(filter.reports().of(7)->progress->step, rounds);
    EXPECT_EQ(filter.refused(), rounds);
}

TEST(Together, EachRequestForAResizeIsDecidedOnce) {
    ResizeRequests filter;
    std::atomic<bool> is_done = false;
    std::thread server([&] {
        for (std::uint32_t tag = 0; tag < rounds; ++tag) {
            const ResizeRequest request{.job = 7, .gpus = 4, .tag = tag, .uid = 1000};
            auto answer = filter.ask(request);
            while (!answer) {
                std::this_thread::yield();
                answer = filter.ask(request);
            }
            EXPECT_EQ(answer->error().message, std::to_string(tag));
        }
        is_done = true;
    });
    std::multiset<std::uint32_t> decided;
    while (!is_done) {
        for (const ResizeRequest& request : filter.take()) {
            decided.insert(request.tag);
            filter.answer(request, failure(std::to_string(request.tag)));
        }
    }
    server.join();
    EXPECT_EQ(decided.size(), rounds);
    EXPECT_EQ(std::set<std::uint32_t>(decided.begin(), decided.end()).size(), rounds);
}

}  // namespace
}  // namespace hora::horad
