#include "scripts/horad/pending/rollback.hpp"

#include <gtest/gtest.h>

#include "tests/unit/horad/fake_queue.hpp"

namespace hora::horad {
namespace {

TEST(Rollback, goes_back_step_by_step) {
    Queue queue;
    queue.give({3, 4});
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    EXPECT_EQ(queue.gpus(), 3U);
    queue.live(100);
    expect_as_before(queue);
}

// Two GPUs of the eight of its own request.
TEST(Rollback, gives_back_the_time_limit_that_a_size_brought_along) {
    Queue queue;
    queue.limit_requested = 8;
    queue.slurm.job().time_limit = Seconds(1200);
    queue.give({4});
    EXPECT_EQ(queue.slurm.job().time_limit, Seconds(600)) << queue.log;
    EXPECT_EQ(queue.slurm.job().admin_comment, "hora-limit=300:600");
    queue.give({6, 3, 5});
    EXPECT_EQ(queue.slurm.job().time_limit, Seconds(480)) << queue.log;
    queue.slurm.finds_sizes_impossible = true;
    ASSERT_TRUE(queue.ask(3));
    queue.live(1000);
    expect_as_before(queue);
    EXPECT_EQ(queue.slurm.job().time_limit, Seconds(1200)) << queue.log;
    EXPECT_EQ(queue.slurm.job().admin_comment, "");
}

TEST(Rollback, gives_back_the_batch_that_a_size_took_the_place_of) {
    Queue queue;
    queue.slurm.job().admin_comment = "mine hora-batch=128";
    queue.batch = 512;
    queue.give({4});
    EXPECT_EQ(queue.slurm.job().admin_comment, "mine hora-batch=512") << queue.log;
    EXPECT_NE(queue.log.find("manual resize, with a batch of 512"), std::string::npos) << queue.log;
    queue.batch = 0;
    queue.give({6, 3, 5});
    EXPECT_EQ(queue.slurm.job().admin_comment, "mine hora-batch=512") << "it stays";
    queue.slurm.finds_sizes_impossible = true;
    ASSERT_TRUE(queue.ask(3));
    queue.live(1000);
    expect_as_before(queue);
    EXPECT_EQ(queue.slurm.job().admin_comment, "mine hora-batch=128") << queue.log;
}

TEST(Rollback, leaves_a_batch_that_somebody_has_written_since) {
    Queue queue;
    queue.batch = 512;
    queue.give({4});
    queue.slurm.job().admin_comment = "hora-batch=256";
    queue.slurm.finds_sizes_impossible = true;
    queue.live(1000);
    expect_as_before(queue);
    EXPECT_EQ(queue.slurm.job().admin_comment, "hora-batch=256") << queue.log;
}

TEST(Rollback, leaves_a_time_limit_that_somebody_has_set_since) {
    Queue queue;
    queue.limit_requested = 8;
    queue.slurm.job().time_limit = Seconds(1200);
    queue.give({4});
    queue.slurm.job().time_limit = Seconds(900);
    queue.slurm.finds_sizes_impossible = true;
    queue.live(1000);
    EXPECT_EQ(queue.gpus(), 2U) << queue.log;
    EXPECT_EQ(queue.slurm.job().time_limit, Seconds(900)) << queue.log;
}

TEST(Rollback, refuses_a_size_whose_time_limit_slurm_does_not_take) {
    Queue queue;
    queue.limit_requested = 8;
    queue.slurm.job().time_limit = Seconds(600);
    queue.slurm.refuses_limits_above = Seconds(600);
    ASSERT_TRUE(queue.ask(1));
    queue.live(20);
    EXPECT_EQ(queue.gpus(), 2U) << queue.log;
    EXPECT_EQ(queue.slurm.job().time_limit, Seconds(600));
}

TEST(Rollback, keeps_the_newest_few_of_a_job) {
    Queue queue;
    for (std::uint32_t i = 0; i < 40; ++i) {
        queue.give({i % 2 == 0 ? 1U : 2U});
    }
    EXPECT_EQ(queue.of_pending.entries.size(), 4U);
    EXPECT_EQ(queue.of_pending.entries.rbegin()->first, 40U);
}

TEST(Rollback, ends_at_the_owners_request_however_many_sizes_were_given) {
    const std::vector<std::vector<std::uint32_t>> all = {
        {3, 4, 5, 6, 7},
        {3, 4, 5, 6, 7, 8, 3, 4, 5, 6, 7, 8},
        {3, 4, 3, 4, 3, 4, 3, 4, 3},
        {4, 2, 4, 2, 4, 2, 4, 2, 4},
        {3, 2, 5, 6, 7, 8, 2, 9, 3},
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(i);
        Queue queue;
        for (const std::uint32_t size : all[i]) {
            queue.give({size});
            EXPECT_LE(queue.of_pending.entries.size(), 4U);
        }
        queue.slurm.finds_sizes_impossible = true;
        queue.live(1000);
        expect_as_before(queue);
    }
}

TEST(Rollback, ends_at_what_the_owner_asked_for_last) {
    Queue queue;
    queue.give({4});
    queue.slurm.user_changes();  // to 3, manually
    queue.give({5, 6, 7, 8, 9, 10});
    queue.slurm.finds_sizes_impossible = true;
    queue.live(1000);
    EXPECT_EQ(queue.gpus(), 3U);
    EXPECT_TRUE(queue.of_pending.entries.empty());
}

TEST(Rollback, is_not_lost_to_requests_that_slurm_refuses) {
    Queue queue;
    queue.give({4});
    queue.slurm.refuses_sizes = true;
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(queue.ask(3));
        queue.live(20);
        EXPECT_EQ(queue.of_pending.entries.size(), 1U) << "what was not given is not kept";
    }
    EXPECT_EQ(queue.gpus(), 4U);
    queue.slurm.refuses_sizes = false;
    queue.slurm.finds_sizes_impossible = true;
    queue.live(500);
    expect_as_before(queue);
}

TEST(Rollback, is_not_lost_to_a_kill) {
    for (const bool is_refused : {false, true}) {
        for (int call = 0; call < 60; ++call) {
            SCOPED_TRACE(call);
            Queue queue;
            queue.give({3, 4, 5, 6});
            queue.slurm.refuses_sizes = is_refused;
            ASSERT_TRUE(queue.ask(7));
            queue.slurm.killed_at = queue.slurm.calls + call;
            queue.live(20);
            EXPECT_EQ(queue.gpus(), is_refused ? 6U : 7U);
            EXPECT_EQ(queue.of_pending.entries.size(), is_refused ? 3U : 4U);
            queue.slurm.refuses_sizes = false;
            queue.slurm.finds_sizes_impossible = true;
            queue.live(500);
            expect_as_before(queue);
        }
    }
}

TEST(Rollback, leaves_out_what_slurm_refused_and_the_owner_gave_by_hand) {
    Queue queue;
    queue.slurm.refuses_sizes = true;
    ASSERT_TRUE(queue.ask(3));
    queue.live(20);
    queue.slurm.refuses_sizes = false;
    queue.slurm.user_changes();  // to 3, manually
    queue.slurm.finds_sizes_impossible = true;
    queue.live(500);
    EXPECT_EQ(queue.gpus(), 3U) << queue.log;
}

TEST(Rollback, is_not_lost_where_slurm_takes_back_only_with_difficulty) {
    Queue queue;
    queue.slurm.refuses_cpus_of = 4;
    ASSERT_TRUE(queue.ask(4));
    queue.live(0.25);
    queue.slurm.refuses_sizes = true;
    queue.live(20);
    ASSERT_EQ(queue.gpus(), 4U);
    ASSERT_EQ(queue.history.list.back().ending, Ending::refused) << queue.log;
    EXPECT_EQ(queue.of_pending.entries.size(), 1U) << "it was given all the same";
    queue.slurm.refuses_sizes = false;
    queue.slurm.finds_sizes_impossible = true;
    queue.live(500);
    expect_as_before(queue);
}

}  // namespace
}  // namespace hora::horad
