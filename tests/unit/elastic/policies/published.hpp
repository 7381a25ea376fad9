// What a baseline gives to jobs of one row each, as its paper has it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "libplanner/elastic/policies/policy.hpp"
#include "tests/unit/elastic/states.hpp"

namespace hora::elastic {

struct Row {
    std::uint32_t gpus;
    std::uint32_t requested;
    double epochs_left;
    std::vector<double> seconds;
};

struct PublishedCase {
    const char* name;
    const char* policy;
    std::uint32_t gpus;
    std::uint32_t waiting;
    std::vector<Row> jobs;
    std::vector<std::uint32_t> wanted;
};

inline void check(const PublishedCase& each) {
    SCOPED_TRACE(std::string(each.policy) + ": " + each.name);
    MadeState made;
    made.state.gpus = each.gpus;
    made.state.waiting = each.waiting;
    for (const Row& row : each.jobs) {
        made.add(row.gpus, row.epochs_left, row.seconds).requested = row.requested;
    }
    const auto policy = make_policy(each.policy);
    ASSERT_TRUE(policy);
    EXPECT_EQ((*policy)->decide(made.state).gpus, each.wanted);
}

// 60 / g + 10, and 60 / g: the first levels out, the second does not.
inline const std::vector<double> levels{70, 40, 30, 25};
inline const std::vector<double> linear{60, 30, 20, 15};
inline const std::vector<double> slows{60, 35, 40, 50};

}  // namespace hora::elastic
