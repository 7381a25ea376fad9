#include "scripts/horad/resize/restart_nodes.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

const ResizeLimits limits{.ready = Seconds(100)};

// By the steady clock; slurmctld's shows a thousand seconds more, as the wall's.
Moment at(double seconds) {
    return {.wall = 1000 + seconds, .steady = Seconds(seconds)};
}

ResizeEntry entry(std::uint64_t number, const char* where, std::uint32_t uid,
                  ResizeState state = ResizeState::checkpoint_requested) {
    ResizeEntry made;
    made.number = number;
    made.where = where;
    made.uid = uid;
    made.state = state;
    made.reserves_nodes = true;
    made.latest = static_cast<std::int64_t>(1000 + number);
    return made;
}

TEST(RestartNodes, are_those_of_all_jobs_that_restart) {
    const auto without = [](ResizeEntry changed) {
        changed.reserves_nodes = false;
        return changed;
    };
    const auto over = [](ResizeEntry changed) {
        changed.latest -= 161;
        return changed;
    };
    const auto later = [](ResizeEntry changed, std::int64_t seconds) {
        changed.latest += seconds;
        return changed;
    };
    struct Case {
        const char* name;
        std::vector<ResizeEntry> entries;
        std::optional<slurm::ReservedNodes> nodes;
    };
    const Case cases[] = {
        {"none", {}, {}},
        {"one", {entry(1, "n[1-2]", 7)}, {{"n[1-2]", {7}, 1161}}},
        {"two jobs of one user",
         {entry(1, "n1", 7), entry(2, "n[1-2]", 7)},
         {{"n1,n[1-2]", {7}, 1162}}},
        {"two of a node, and of two users",
         {entry(2, "n1", 8), entry(1, "n1", 7)},
         {{"n1", {7, 8}, 1162}}},
        {"one that keeps none", {without(entry(1, "n1", 7))}, {}},
        {"not asked for its checkpoint yet", {entry(1, "n1", 7, ResizeState::queued)}, {}},
        {"requeued", {entry(1, "n1", 7, ResizeState::updating_request)}, {{"n1", {7}, 1161}}},
        {"about to start", {entry(1, "n1", 7, ResizeState::waiting_to_start)}, {{"n1", {7}, 1161}}},
        {"it runs again", {entry(1, "n1", 7, ResizeState::verifying)}, {}},
        {"one of them runs again, and may be in the reservation for a moment",
         {entry(1, "n1", 7, ResizeState::verifying), entry(2, "n2", 8)},
         {{"n2", {7, 8}, 1162}}},
        {"its time is over", {over(entry(1, "n1", 7))}, {}},
        {"the clock was set back a little", {later(entry(1, "n1", 7), 59)}, {{"n1", {7}, 1220}}},
        {"by more, and that long it would hold its nodes",
         {later(entry(1, "n1", 7), 86400), entry(2, "n2", 8)},
         {{"n2", {7, 8}, 1162}}},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        EXPECT_EQ(nodes_of(each.entries, limits, at(0)), each.nodes);
    }
}

TEST(RestartNodes, are_asked_for_only_where_they_are_others) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    const std::vector<ResizeEntry> one{entry(1, "n1", 7)};
    const std::vector<ResizeEntry> both{entry(1, "n1", 7), entry(2, "n2", 7)};
    EXPECT_EQ(nodes.keep(one, limits, at(0)), "");
    EXPECT_EQ(nodes.keep(one, limits, at(1)), "");
    EXPECT_EQ(slurm.reservations, 1);
    EXPECT_TRUE(nodes.has(both[0]));
    EXPECT_FALSE(nodes.has(both[1]));
    EXPECT_EQ(nodes.keep(both, limits, at(2)), "");
    EXPECT_EQ(slurm.reservations, 2);
    EXPECT_TRUE(nodes.has(both[1]));
    EXPECT_EQ(slurm.reserved()->nodes, "n1,n2");
}

// Another reservation of the site has the other node.
TEST(RestartNodes, stay_as_they_were_where_more_are_refused) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    const std::vector<ResizeEntry> one{entry(1, "n1", 7)};
    const std::vector<ResizeEntry> both{entry(1, "n1", 7), entry(2, "n2", 7)};
    nodes.keep(one, limits, at(0));
    slurm.refuses_reservations = true;
    EXPECT_NE(nodes.keep(both, limits, at(1)), "");
    EXPECT_EQ(nodes.keep(both, limits, at(2)), "") << "it is logged once";
    EXPECT_TRUE(nodes.is_refused());
    EXPECT_TRUE(nodes.has(both[0]));
    EXPECT_FALSE(nodes.has(both[1]));
    nodes.keep({both[1]}, limits, at(3));
    EXPECT_FALSE(slurm.reserved()) << "it stands for no job any more";
    slurm.refuses_reservations = false;
    EXPECT_EQ(nodes.keep({both[1]}, limits, at(4)), "");
    EXPECT_FALSE(slurm.reserved()) << "that job is restarted without";
    nodes.keep({entry(3, "n3", 7)}, limits, at(5));
    EXPECT_FALSE(nodes.is_refused());
}

TEST(RestartNodes, are_asked_for_again_when_slurmctld_is_back) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    const std::vector<ResizeEntry> one{entry(1, "n1", 7)};
    slurm.is_away = true;
    EXPECT_EQ(nodes.keep(one, limits, at(0)), "");
    EXPECT_FALSE(nodes.has(one[0]));
    slurm.is_away = false;
    EXPECT_EQ(nodes.keep(one, limits, at(1)), "");
    EXPECT_TRUE(nodes.has(one[0]));
}

TEST(RestartNodes, are_given_back_once_no_job_is_in_the_reservation) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    nodes.keep({entry(1, "n1", 7)}, limits, at(0));
    slurm.job().is_in_restart_reservation = true;
    nodes.keep({}, limits, at(1));
    EXPECT_TRUE(slurm.reserved());
    EXPECT_TRUE(nodes.is_open());
    slurm.job().is_in_restart_reservation = false;
    nodes.keep({}, limits, at(2));
    EXPECT_TRUE(slurm.reserved()) << "it was tried a second ago";
    nodes.keep({}, limits, at(10));
    EXPECT_FALSE(slurm.reserved());
    EXPECT_FALSE(nodes.is_open());
}

// It was killed before it saved that.
TEST(RestartNodes, are_given_back_again_where_slurmctld_has_forgotten_it) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    nodes.keep({entry(1, "n1", 7)}, limits, at(0));
    nodes.keep({}, limits, at(1));
    EXPECT_FALSE(nodes.is_open());
    slurm.reserve({.nodes = "n1", .users = {7}, .until = 1161});
    nodes.suspect();
    EXPECT_TRUE(nodes.is_open());
    nodes.keep({}, limits, at(2));
    EXPECT_TRUE(slurm.reserved()) << "what it is known to have may be a second old";
    nodes.keep({}, limits, at(7));
    EXPECT_FALSE(slurm.reserved());
    EXPECT_FALSE(nodes.is_open());
}

TEST(RestartNodes, seem_to_close_nodes_for_a_minute_longer) {
    FakeSlurm slurm;
    RestartNodes nodes(slurm);
    EXPECT_FALSE(nodes.closes_nodes(Seconds(0)));
    nodes.keep({entry(1, "n1", 7)}, limits, at(0));
    EXPECT_TRUE(nodes.closes_nodes(Seconds(1)));
    nodes.keep({}, limits, at(10));
    EXPECT_TRUE(nodes.closes_nodes(Seconds(60)));
    EXPECT_FALSE(nodes.closes_nodes(Seconds(71)));
}

}  // namespace
}  // namespace hora::horad
