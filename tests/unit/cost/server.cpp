// How fast do members train around a server, by P1's formula?
#include "libplanner/cost/server.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <algorithm>
#include <functional>

namespace hora::cost {
namespace {

struct Case {
    const char* sentence;
    std::vector<Workers> workers;
    double exchange;  // seconds
    double rate;      // of a share of 12
};

const Case cases[] = {
    {"one alone has nothing to serve", {{Seconds(2), 1}}, 1, 6},
    {"a free exchange adds up all rates", {{Seconds(2), 1}, {Seconds(3), 2}}, 0, 6 + 8},
    {"several of the strongest: one of them serves", {{Seconds(2), 3}}, 0, 18},
    // An update each 4 s costs the server 1 s, in which it would have trained 6 samples.
    {"serving takes the server's time", {{Seconds(2), 1}, {Seconds(3), 1}}, 1, 6 + 6.0 / 4},
    {"one exchange at a time", {{Seconds(2), 1}, {Seconds(3), 100}}, 1, 6 + 6},
    {"a server that would lose lets the others wait", {{Seconds(2), 1}, {Seconds(3), 9}}, 2, 6},
    {"or would lose much", {{Seconds(2), 1}, {Seconds(3), 9}}, 100, 6},
};

TEST(Server, TrainsAtTheRateOfTheFormula) {
    for (const Case& test : cases) {
        const domain::Link link{Bandwidth(100), Seconds(0)};
        const Bytes gradient(test.exchange * 50);  // there and back
        EXPECT_DOUBLE_EQ(asynchronous_rate(test.workers, 12, gradient, link), test.rate)
            << test.sentence;
    }
}

RC_GTEST_PROP(Server, NobodySlowsTheOthersDown, ()) {
    std::vector<Workers> workers;
    const auto kinds = *rc::gen::inRange(1, 5);
    double compute = 1;
    for (int i = 0; i < kinds; ++i) {
        compute += *rc::gen::inRange(0, 5);
        workers.push_back({Seconds(compute), *rc::gen::inRange<std::uint64_t>(1, 6)});
    }
    const domain::Link link{Bandwidth(100), Seconds(*rc::gen::inRange(0, 3))};
    const Bytes gradient(*rc::gen::inRange(0, 200));
    const double rate = asynchronous_rate(workers, 12, gradient, link);
    constexpr double rounding = 1 - 1e-12;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        std::vector<Workers> more = workers;
        ++more[i].count;
        RC_ASSERT(asynchronous_rate(more, 12, gradient, link) >= rate * rounding);
        if (i > 0) {
            std::vector<Workers> faster = workers;
            faster[i].compute = workers[i - 1].compute;
            RC_ASSERT(asynchronous_rate(faster, 12, gradient, link) >= rate * rounding);
        }
    }
}

}  // namespace
}  // namespace hora::cost
