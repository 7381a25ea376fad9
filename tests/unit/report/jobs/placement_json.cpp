// Is there a wait only where Slurm is held to a placement?
#include "libplanner/report/jobs/placement_json.hpp"

#include <gtest/gtest.h>

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(PlacementJson, SaysHowFarAPromiseGoes) {
    domain::Placement placement;
    placement.is_enforced = true;
    EXPECT_TRUE(json_of(placement).is_null()) << "nothing is promised";
    placement = {.promise = domain::Promise::preferred,
                 .what = "a\"b",
                 .is_enforced = false,
                 .is_free = false,
                 .wait = Seconds(60),
                 .relaxed = 0};
    EXPECT_EQ(json_of(placement),
              Json({{"promise", "preferred"}, {"what", "a\"b"}, {"enforced", false}}));
    placement.is_enforced = true;
    EXPECT_EQ(json_of(placement)["free"], false);
    EXPECT_EQ(json_of(placement)["wait"], 60);
}

}  // namespace
}  // namespace hora::report
