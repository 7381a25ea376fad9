// Is a job known that is on its way from one size to another?
#include "scripts/horad/resize/resize_context.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

TEST(ResizeContext, KnowsAJobBetweenTwoSizes) {
    const auto with_tasks_per_node = [](std::uint32_t gpus, std::uint32_t tasks_per_node) {
        slurm::JobShape shape = shape_with(gpus);
        shape.tasks_per_node = tasks_per_node;
        return shape;
    };
    struct Case {
        const char* name;
        slurm::JobShape now;
        bool is_between;
    };
    const Case cases[] = {
        {"the old size", shape_with(2), true},
        {"the new size", shape_with(4), true},
        {"tasks per node raised", with_tasks_per_node(2, 4), true},
        {"tasks per node not lowered yet", with_tasks_per_node(4, 2), true},
        {"another size", shape_with(3), false},
        {"tasks per node of another size", with_tasks_per_node(2, 3), false},
        {"another size with one's tasks per node", with_tasks_per_node(3, 2), false},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(is_between(each.now, shape_with(2), shape_with(4)), each.is_between) << each.name;
    }
}

}  // namespace
}  // namespace hora::horad
