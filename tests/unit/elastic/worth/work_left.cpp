// Is what is left what was stated, until that is done?
#include "libplanner/elastic/worth/work_left.hpp"

#include <gtest/gtest.h>

namespace hora::elastic {
namespace {

TEST(WorkLeft, IsWhatWasStatedUntilThatIsDone) {
    struct Case {
        const char* name;
        double stated;
        double done;
        double wanted;
    };
    const Case cases[] = {
        {"before the start", 100, 0, 100},         {"under way", 100, 60, 40},
        {"just before the end", 100, 99.5, 0.5},   {"at the end", 100, 100, 0},
        {"a little after", 100, 110, 11},          {"long after", 100, 300, 30},
        {"nothing stated, nothing done", 0, 0, 0},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_DOUBLE_EQ(work_left(each.stated, each.done), each.wanted);
    }
}

}  // namespace
}  // namespace hora::elastic
