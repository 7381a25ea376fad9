// Is the snapshot written where there is news, and before it gets old?
#include "scripts/horad/observe/snapshot_writer.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

TEST(SnapshotWriter, WritesNewsAndBeforeItGetsOld) {
    const tests::ScratchFolder folder;
    SnapshotWriter writer(folder.file("snapshot.json"), Seconds(3600));
    const domain::Snapshot cluster;
    EXPECT_TRUE(writer.write(cluster, {}, false, {}, 100).value_or(false)) << "the first";
    EXPECT_FALSE(writer.write(cluster, {}, false, {}, 101).value_or(true)) << "no news";
    EXPECT_TRUE(writer.write(cluster, {}, true, {}, 102).value_or(false)) << "news";
    SnapshotWriter hasty(folder.file("snapshot.json"), Seconds(0));
    EXPECT_TRUE(hasty.write(cluster, {}, false, {}, 100).value_or(false));
    EXPECT_TRUE(hasty.write(cluster, {}, false, {}, 101).value_or(false)) << "too old at once";
    SnapshotWriter lost(folder.file("missing/snapshot.json"), Seconds(60));
    EXPECT_FALSE(lost.write(cluster, {}, true, {}, 100));
}

}  // namespace
}  // namespace hora::horad
