// Does each job start as early as it can without delaying those before it, by their time limits?
#include "libplanner/elastic/policies/backfill.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {
namespace {

struct Running {
    std::uint32_t gpus;
    double left;
};
struct Pending {
    std::uint32_t gpus;
    double limit;
};

struct Case {
    const char* name;
    std::vector<Running> running;  // on four GPUs
    std::vector<Pending> pending;
    std::vector<bool> conservative;  // who starts
    std::vector<bool> easy;
};

TEST(Backfill, StartsWhatDelaysNobodyBeforeIt) {
    const Case cases[] = {
        {"all that fit", {}, {{2, 9}, {2, 9}}, {true, true}, {true, true}},
        {"one that is over in time", {{3, 10}}, {{4, 9}, {1, 10}}, {false, true}, {false, true}},
        {"not one that is not", {{3, 10}}, {{4, 9}, {1, 11}}, {false, false}, {false, false}},
        {"one beside the first", {{3, 10}}, {{2, 9}, {1, 99}}, {false, true}, {false, true}},
        {"EASY delays the second",
         {{3, 10}},
         {{3, 10}, {4, 10}, {1, 25}},
         {false, false, false},
         {false, false, true}},
        {"one that is past its limit holds its GPUs still", {{4, -5}}, {{1, 1}}, {false}, {false}},
        {"one that never fits delays no other", {}, {{5, 9}, {1, 9}}, {false, true}, {false, true}},
    };
    for (const Case& each : cases) {
        for (const Reservations reservations : {Reservations::all, Reservations::first}) {
            SCOPED_TRACE(each.name);
            BackfillPlan plan(4, reservations);
            for (const Running& job : each.running) {
                plan.hold(job.gpus, Seconds(job.left));
            }
            std::vector<bool> starts;
            for (const Pending& job : each.pending) {
                starts.push_back(plan.starts(job.gpus, Seconds(job.limit)));
            }
            EXPECT_EQ(starts, reservations == Reservations::all ? each.conservative : each.easy);
        }
    }
}

TEST(Backfill, LooksAtAsManyAsSlurmDoes) {
    BackfillPlan plan(1, Reservations::all);
    plan.hold(1, Seconds(10));
    int looked_at = 0;
    for (; !plan.is_over(); ++looked_at) {
        EXPECT_FALSE(plan.starts(1, Seconds(10)));
    }
    EXPECT_EQ(looked_at, 500);
}

TEST(Backfill, TakesAJobWithoutALimitForOneOfAYear) {
    const std::vector<double> hour{3600};
    MadeState made;
    made.state.gpus = 4;
    made.state.now = Seconds(100);
    made.add(3, 1, hour).started = Seconds(0);
    made.add(0, 1, hour).requested = 4;
    made.add(0, 1, hour).requested = 1;
    EXPECT_EQ(Backfill(Reservations::all).decide(made.state).gpus,
              (std::vector<std::uint32_t>{3, 0, 0}))
        << "the third would end after the first";
    made.state.jobs[2].deadline = domain::Deadline{.left = Seconds(3600), .epochs = 1};
    EXPECT_EQ(Backfill(Reservations::all).decide(made.state).gpus,
              (std::vector<std::uint32_t>{3, 0, 1}));
}

// By the second: who holds how many GPUs at each of the next ones, if all run to their limits.
class Grid {
  public:
    explicit Grid(std::uint32_t gpus) : gpus_(gpus), used_(length) {}

    void hold(std::uint32_t gpus, int from, int seconds) {
        for (int second = from; second < std::min<int>(length, from + seconds); ++second) {
            used_[second] += gpus;
        }
    }
    int earliest(std::uint32_t gpus, int seconds, int from) const {
        for (;; ++from) {
            bool fits = true;
            for (int second = from; second < std::min<int>(length, from + seconds); ++second) {
                fits = fits && used_[second] + gpus <= gpus_;
            }
            if (fits) {
                return from;
            }
        }
    }

  private:
    static constexpr int length = 2000;
    std::uint32_t gpus_;
    std::vector<std::uint32_t> used_;
};

RC_GTEST_PROP(Backfill, EqualsAPlanBySeconds, ()) {
    const auto gpus = *rc::gen::inRange<std::uint32_t>(1, 9);
    const auto reservations = *rc::gen::element(Reservations::all, Reservations::first);
    BackfillPlan plan(gpus, reservations);
    Grid grid(gpus);
    std::uint32_t idle = gpus;
    for (int i = *rc::gen::inRange(0, 5); i > 0 && idle > 0; --i) {
        const auto held = *rc::gen::inRange<std::uint32_t>(1, idle + 1);
        const auto left = *rc::gen::inRange(1, 60);
        plan.hold(held, Seconds(left));
        grid.hold(held, 0, left);
        idle -= held;
    }
    bool is_first = true;
    for (int i = *rc::gen::inRange(0, 12); i > 0; --i) {
        const auto wanted = *rc::gen::inRange<std::uint32_t>(1, gpus + 1);
        const auto limit = *rc::gen::inRange(1, 60);
        const int can_start = *rc::gen::element(0, 0, 7);
        const int from = grid.earliest(wanted, limit, can_start);
        RC_ASSERT(plan.starts(wanted, Seconds(limit), Seconds(can_start)) == (from == 0));
        if (from == 0 || reservations == Reservations::all || is_first) {
            grid.hold(wanted, from, limit);
        }
        is_first = is_first && from == 0;
    }
}

}  // namespace
}  // namespace hora::elastic
