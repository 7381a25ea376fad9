// Which of the partitions that a request names rules it?
#include "libplanner/request/scope/partition.hpp"

#include <gtest/gtest.h>

namespace hora::request {
namespace {

domain::Partition partition(const char* name, bool is_up = true, bool is_default = false) {
    domain::Partition made;
    made.name = name;
    made.is_up = is_up;
    made.is_default = is_default;
    return made;
}

struct Case {
    const char* sentence;
    std::vector<std::string> named;
    const char* rules;
};

const Case cases[] = {
    {"none is named: the default", {}, "main"},
    {"the one that is named", {"long"}, "long"},
    {"of several the first", {"long", "main"}, "long"},
    {"that is up", {"down", "long"}, "long"},
    {"that the snapshot knows", {"other", "main"}, "main"},
    {"one that is down is no default's business", {"down"}, ""},
    {"nor is one that is not known", {"other"}, ""},
    {"names are whole", {"lon"}, ""},
};

TEST(Partition, IsTheFirstNamedThatIsUp) {
    domain::Snapshot snapshot;
    snapshot.partitions = {partition("down", false), partition("long"),
                           partition("main", true, true)};
    for (const Case& test : cases) {
        EXPECT_EQ(partition_of(test.named, snapshot), test.rules) << test.sentence;
    }
    EXPECT_EQ(find_partition("long", snapshot), &snapshot.partitions[1]);
    EXPECT_EQ(find_partition("down", snapshot), &snapshot.partitions[0]);
    EXPECT_EQ(find_partition("", snapshot), nullptr);
}

TEST(Partition, IsNoneWithoutADefault) {
    domain::Snapshot snapshot;
    EXPECT_EQ(partition_of({}, snapshot), "");
    snapshot.partitions = {partition("long")};
    EXPECT_EQ(partition_of({}, snapshot), "");
}

}  // namespace
}  // namespace hora::request
