// Does what the history holds reach the snapshot?
#include "scripts/history/digest.hpp"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::history {
namespace {

Sample sample(std::uint32_t uid) {
    return {.of = {.job = uid, .submitted = 1, .restarts = 0},
            .uid = uid,
            .model = "resnet50",
            .device = "a100-40gb",
            .gpus = 8,
            .nodes = 2,
            .where = "n[1-2]",
            .batch = 256,
            .predicted_compute = Seconds(0.25),
            .predicted_exchange = Seconds(0.25),
            .step = Seconds(0.75),
            .steps = 100,
            .lost = Seconds(30),
            .when = 1000,
            .late = Seconds(0.1875)};
}

TEST(Digest, BringsSharedFiguresAndOverheadsToTheSnapshot) {
    const tests::ScratchFolder folder;
    auto database = Database::open(folder.file("history.db"), Access::write);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->record({sample(1), sample(2), sample(3)}));
    const auto made = digest(*database, 500);
    ASSERT_TRUE(made) << made.error().message;
    domain::Snapshot snapshot;
    for (const char* name : {"n1", "n2", "n3"}) {
        snapshot.cluster.nodes.push_back({.name = name, .overhead = Seconds(5), .cpus = 8});
    }
    put_into(snapshot, *made);
    ASSERT_EQ(snapshot.measured.size(), 4U);
    EXPECT_FALSE(snapshot.measured[0].uid);
    EXPECT_EQ(snapshot.measured[0].users, 3U);
    EXPECT_EQ(snapshot.measured[0].ratio, 1.5);
    EXPECT_EQ(snapshot.measured[0].exchange_share, 0.5);
    EXPECT_EQ(snapshot.measured[0].late, std::nullopt) << "it is the owner's alone";
    EXPECT_TRUE(snapshot.measured[1].uid);
    EXPECT_EQ(snapshot.measured[1].late, 0.25);
    EXPECT_EQ(snapshot.cluster.nodes[0].overhead, Seconds(30));
    EXPECT_EQ(snapshot.cluster.nodes[1].overhead, Seconds(30));
    EXPECT_EQ(snapshot.cluster.nodes[2].overhead, Seconds(5));
    EXPECT_TRUE(digest(*database, 2000)->measured.empty());
}

TEST(Digest, TellsWhatRestartsOfAModelCost) {
    const tests::ScratchFolder folder;
    auto database = Database::open(folder.file("history.db"), Access::write);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->record({sample(1), sample(2)}));
    Rescale rescale;
    rescale.of = {.job = 1, .submitted = 1, .restarts = 0};
    rescale.uid = 1;
    rescale.asked = 900;
    rescale.first_step = 930;
    rescale.lost = Seconds(25);
    ASSERT_TRUE(database->record(rescale));
    rescale.of.restarts = 1;
    rescale.first_step.reset();  // it never stepped: nothing was measured
    rescale.lost = Seconds(99);
    ASSERT_TRUE(database->record(rescale));
    rescale.of = {.job = 2, .submitted = 77, .restarts = 0};  // an older job of the number
    rescale.uid = 2;
    rescale.first_step = 930;
    ASSERT_TRUE(database->record(rescale));
    const auto made = digest(*database, 500);
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ(made->rescales.of(1, "resnet50"), Seconds(25));
    EXPECT_FALSE(made->rescales.of(2, "resnet50"));
}

}  // namespace
}  // namespace hora::history
