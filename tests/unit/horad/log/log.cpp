// Is each thing said once, in one line?
#include "scripts/horad/log/log.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

TEST(Log, ATroubleIsSaidOnceAndItsEndToo) {
    testing::internal::CaptureStderr();
    Log log;
    for (int i = 0; i < 3; ++i) {
        log.trouble("slurmctld", "it is away");
    }
    log.trouble("slurmctld", "it is slow");
    EXPECT_EQ(log.troubles().size(), 1U);
    log.fine("slurmctld", "it is back");
    log.fine("slurmctld", "it is back");
    log.note("a name\nof two lines");
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "horad: it is away\nhorad: it is slow\nhorad: it is back\n"
              "horad: a name?of two lines\n");
}

TEST(Log, ATroubleIsAmendedInSilence) {
    testing::internal::CaptureStderr();
    Log log;
    log.amend("plans", "1 is lost");
    EXPECT_TRUE(log.troubles().empty());
    log.trouble("plans", "2 are lost");
    log.amend("plans", "1 is lost");
    EXPECT_EQ(log.troubles().at("plans"), "1 is lost");
    log.trouble("plans", "2 are lost");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "horad: 2 are lost\nhorad: 2 are lost\n");
}

}  // namespace
}  // namespace hora::horad
