// Is a pending job that was given an impossible request brought back to what it asked for before,
// whatever happens meanwhile?
#include "scripts/horad/pending/pending_changes.hpp"

#include <gtest/gtest.h>

#include "scripts/horad/pending/rollback.hpp"
#include "tests/unit/horad/fake_queue.hpp"

namespace hora::horad {
namespace {

TEST(PendingChanges, gives_back_what_an_impossible_job_asked_for_before) {
    Queue queue;
    queue.slurm.finds_sizes_impossible = true;
    ASSERT_TRUE(queue.ask(4));
    queue.live(10);
    expect_as_before(queue);
    EXPECT_TRUE(queue.of_pending.entries.empty());
    ASSERT_EQ(queue.history.list.size(), 2U);
    EXPECT_EQ(queue.history.list.front().ending, Ending::pending);
    const Resized& back = queue.history.list.back();
    EXPECT_EQ(back.ending, Ending::reverted);
    EXPECT_EQ(
        back.entry.resize.why,
        "manual resize; slurmctld can never run it with gres:gpu:4 and 8 CPUs on one "
        "node (BadConstraints); ask for what the nodes and limits of partition \"main\" allow");
    EXPECT_EQ(back.remark, "it asks for 2 GPUs again");
    queue.slurm.free_gpus = 2;
    queue.live(1);
    EXPECT_EQ(queue.slurm.job().gpus, 2U);
}

TEST(PendingChanges, waits_until_slurmctld_has_come_to_look) {
    Queue queue;
    ASSERT_TRUE(queue.ask(4));
    queue.live(10'000);
    EXPECT_EQ(queue.gpus(), 4U);
    queue.start();
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    expect_as_before(queue);
}

TEST(PendingChanges, lets_slurm_compute_a_priority_that_it_computed_before) {
    Queue queue;
    queue.slurm.computes = true;
    queue.slurm.finds_sizes_impossible = true;
    ASSERT_TRUE(queue.ask(4));
    queue.live(10);
    EXPECT_EQ(queue.slurm.job().shape, shape_with(2));
    EXPECT_EQ(queue.slurm.job().priority, FakeSlurm::priority_of_the_freed);
}

TEST(PendingChanges, knows_whose_size_an_administrator_chose_last) {
    const std::set<std::uint32_t> nobody;
    const std::set<std::uint32_t> it{7};
    Queue queue;
    EXPECT_EQ(queue.pending->manual(), nobody);
    ASSERT_TRUE(queue.ask(3, false));
    queue.live(1);
    EXPECT_EQ(queue.pending->manual(), nobody);
    ASSERT_TRUE(queue.ask(4, true));
    queue.live(1);
    EXPECT_EQ(queue.pending->manual(), it);
    queue.start();
    EXPECT_EQ(queue.pending->manual(), it) << "a daemon that starts anew";
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    EXPECT_EQ(queue.pending->manual(), nobody) << "it could not be had";
}

TEST(PendingChanges, knows_who_asks_for_what_a_policy_gave) {
    Queue queue;
    const auto resized = [&] { return queue.pending->resized(queue.seen()).contains(7); };
    EXPECT_FALSE(resized());
    ASSERT_TRUE(queue.ask(4, false));
    queue.live(1);
    EXPECT_TRUE(resized());
    queue.start();
    EXPECT_TRUE(resized()) << "a daemon that starts anew";
    queue.slurm.user_changes();
    EXPECT_FALSE(resized()) << "its owner's word";
    ASSERT_TRUE(queue.ask(4, true));
    queue.live(1);
    EXPECT_FALSE(resized()) << "an administrator's";
}

TEST(PendingChanges, forgets_whose_size_was_chosen_once_the_job_has_started) {
    Queue queue;
    ASSERT_TRUE(queue.ask(4, true));
    queue.live(1);
    queue.slurm.free_gpus = 4;
    queue.live(1);
    EXPECT_EQ(queue.slurm.job().gpus, 4U);
    EXPECT_TRUE(queue.pending->manual().empty());
}

TEST(PendingChanges, leaves_alone_what_is_not_its_own) {
    struct Case {
        const char* name;
        void (*meanwhile)(Queue& queue);
        std::uint32_t gpus;
    };
    const Case cases[] = {
        {"its owner has changed it, to what can never run either",
         [](Queue& queue) {
             queue.slurm.user_changes();
             queue.slurm.finds_sizes_impossible = true;
         },
         3},
        {"an administrator holds it",
         [](Queue& queue) {
             queue.slurm.user_holds();
             queue.slurm.job().hold = slurm::Hold::administrator;
         },
         4},
        {"its owner holds it", [](Queue& queue) { queue.slurm.user_holds(); }, 4},
        {"it has started", [](Queue& queue) { queue.slurm.free_gpus = 4; }, 4},
        {"it is cancelled", [](Queue& queue) { queue.slurm.user_cancels(); }, 4},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        Queue queue;
        ASSERT_TRUE(queue.ask(4));
        queue.live(1);
        each.meanwhile(queue);
        queue.live(200);
        EXPECT_EQ(queue.gpus(), each.gpus) << queue.log;
        EXPECT_EQ(queue.history.list.size(), 1U);
        EXPECT_EQ(queue.of_pending.entries.empty(),
                  queue.slurm.job().state != slurm::JobState::pending);
    }
}

TEST(PendingChanges, goes_back_also_where_its_gpus_need_not_be_close_together_any_more) {
    Queue queue;
    ASSERT_TRUE(queue.ask(4));
    queue.live(0.1);
    ASSERT_EQ(queue.of_pending.entries.size(), 1U);
    queue.of_pending.entries.begin()->second.given->shape.tres_per_socket = "gres:gpu:2";
    queue.start();
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    expect_as_before(queue);
}

TEST(PendingChanges, says_once_that_slurm_does_not_take_the_old_size) {
    Queue queue;
    queue.give_impossible();
    queue.slurm.refuses_sizes = true;
    queue.live(600);
    const std::string said = "does not take the request before: not this size";
    EXPECT_NE(queue.log.find(said), std::string::npos) << queue.log;
    EXPECT_EQ(queue.log.find(said), queue.log.rfind(said)) << queue.log;
    queue.slurm.refuses_sizes = false;
    queue.live(100);
    expect_as_before(queue);
}

TEST(PendingChanges, asks_again_soon_where_slurmctld_was_away) {
    Queue queue;
    queue.give_impossible();
    queue.slurm.is_away = true;
    queue.live(5);
    EXPECT_EQ(queue.gpus(), 4U);
    queue.slurm.is_away = false;
    queue.live(1);
    expect_as_before(queue);
}

TEST(PendingChanges, nothing_is_given_that_could_not_be_taken_back) {
    Queue queue;
    queue.of_pending.is_full = true;
    ASSERT_TRUE(queue.ask(4));
    queue.live(20);
    EXPECT_EQ(queue.gpus(), 2U);
    queue.of_pending.is_full = false;
    queue.live(1);
    EXPECT_EQ(queue.gpus(), 4U);
}

// slurmctld takes a request in two calls, and refuses the second one.
TEST(PendingChanges, takes_back_a_change_that_is_half_done) {
    for (const bool is_found_impossible : {false, true}) {
        Queue queue;
        queue.slurm.refuses_cpus_of = 4;
        queue.slurm.finds_sizes_impossible = is_found_impossible;
        ASSERT_TRUE(queue.ask(4));
        queue.live(10);
        expect_as_before(queue);
        ASSERT_FALSE(queue.history.list.empty());
        EXPECT_EQ(queue.history.list.back().ending,
                  is_found_impossible ? Ending::reverted : Ending::refused);
        EXPECT_NE(queue.log.find("not these CPUs"), std::string::npos) << queue.log;
    }
}

TEST(PendingChanges, makes_whole_a_change_that_was_half_done_for_a_moment) {
    Queue queue;
    queue.slurm.refuses_cpus_of = 4;
    ASSERT_TRUE(queue.ask(4));
    queue.live(0.1);
    EXPECT_NE(queue.slurm.job().shape.cpus, shape_with(4).cpus);
    queue.slurm.refuses_cpus_of = 0;
    queue.live(1);
    EXPECT_EQ(queue.slurm.job().shape, shape_with(4));
    EXPECT_EQ(queue.history.list.front().ending, Ending::pending);
}

TEST(PendingChanges, killed_anywhere_it_gives_back_all_the_same) {
    for (const bool is_half_done : {false, true}) {
        for (int call = 0; call < 60; ++call) {
            SCOPED_TRACE(call);
            Queue queue;
            queue.slurm.finds_sizes_impossible = true;
            queue.slurm.refuses_cpus_of = is_half_done ? 4 : 0;
            ASSERT_TRUE(queue.ask(4));
            queue.slurm.killed_at = queue.slurm.calls + call;
            queue.live(200);
            expect_as_before(queue);
        }
    }
}

// slurmctld takes the first of the two calls alone: the job is free then, and as large in tasks as
// it was before, but not in CPUs.
TEST(PendingChanges, goes_on_with_a_take_back_that_is_half_done) {
    for (const bool is_found_again : {false, true}) {
        Queue queue;
        queue.give_impossible();
        queue.slurm.refuses_cpus_of = 2;
        queue.live(0.1);
        ASSERT_EQ(queue.slurm.job().shape.cpus, shape_with(4).cpus);
        queue.slurm.finds_sizes_impossible = is_found_again;
        queue.live(30);
        EXPECT_EQ(queue.history.list.size(), 1U) << "not yet taken back";
        queue.slurm.refuses_cpus_of = 0;
        queue.live(300);
        expect_as_before(queue);
        EXPECT_TRUE(queue.of_pending.entries.empty());
        EXPECT_EQ(queue.history.list.back().remark, "it asks for 2 GPUs again");
    }
}

TEST(PendingChanges, leaves_a_take_back_half_done_after_a_few_tries) {
    Queue queue;
    queue.give_impossible();
    queue.slurm.refuses_cpus_of = 2;
    queue.live(0.1);
    queue.slurm.finds_sizes_impossible = false;
    queue.live(1000);
    EXPECT_EQ(queue.slurm.job().priority, FakeSlurm::own_priority);
    EXPECT_TRUE(queue.of_pending.entries.empty());
    ASSERT_EQ(queue.history.list.size(), 2U);
    EXPECT_EQ(queue.history.list.back().remark,
              "it asks for 2 GPUs again; slurmctld has not taken all of the request");
    EXPECT_NE(queue.log.find("not these CPUs"), std::string::npos) << queue.log;
}

TEST(PendingChanges, complains_anew_of_a_size_that_is_given_anew) {
    Queue queue;
    std::size_t before = 0;
    for (int i = 0; i < 2; ++i) {
        queue.give_impossible();
        queue.slurm.refuses_sizes = true;
        queue.live(100);
        queue.slurm.refuses_sizes = false;
        queue.live(100);
        expect_as_before(queue);
        EXPECT_NE(queue.log.find("does not take the request before", before), std::string::npos);
        before = queue.log.size();
        queue.slurm.finds_sizes_impossible = false;
    }
}

TEST(PendingChanges, says_once_that_a_job_was_taken_back_also_where_the_disk_is_full) {
    Queue queue;
    queue.give_impossible();
    queue.of_pending.meanwhile = [&](const PendingChange& change) {
        queue.of_pending.is_full = change.is_reverted;
    };
    queue.live(300);
    queue.of_pending.is_full = false;
    queue.live(100);
    expect_as_before(queue);
    EXPECT_TRUE(queue.of_pending.entries.empty());
    EXPECT_EQ(queue.history.list.size(), 2U);
}

TEST(PendingChanges, gives_back_a_hold_that_it_overrode) {
    Queue queue;
    queue.give_impossible();
    queue.slurm.holds_meanwhile = true;
    queue.live(10);
    EXPECT_EQ(queue.slurm.job().shape, shape_with(2));
    EXPECT_EQ(queue.slurm.job().hold, slurm::Hold::user);
}

TEST(PendingChanges, killed_anywhere_it_gives_back_a_hold_that_it_overrode) {
    for (int call = 0; call < 40; ++call) {
        SCOPED_TRACE(call);
        Queue queue;
        queue.give_impossible();
        queue.slurm.holds_meanwhile = true;
        queue.slurm.killed_at = queue.slurm.calls + call;
        queue.live(200);
        EXPECT_EQ(queue.slurm.job().shape, shape_with(2));
        EXPECT_EQ(queue.slurm.job().hold, slurm::Hold::user);
        EXPECT_TRUE(queue.of_pending.entries.empty());
    }
}

TEST(PendingChanges, gives_back_a_hold_that_it_overrode_once_slurmctld_is_there_again) {
    for (int call = 0; call < 40; ++call) {
        SCOPED_TRACE(call);
        Queue queue;
        queue.give_impossible();
        queue.slurm.holds_meanwhile = true;
        queue.slurm.meanwhile_at = queue.slurm.calls + call;
        queue.slurm.meanwhile = [&] { queue.slurm.is_away = true; };
        queue.live(10);
        queue.slurm.is_away = false;
        queue.live(200);
        EXPECT_EQ(queue.slurm.job().shape, shape_with(2));
        EXPECT_EQ(queue.slurm.job().hold, slurm::Hold::user);
        EXPECT_TRUE(queue.of_pending.entries.empty());
    }
}

// The fake finds more than two GPUs impossible.
PendingChange new_plan(Queue& queue, std::uint32_t gpus, const std::string& word) {
    const slurm::Job& job = queue.slurm.job();
    PendingChange change{.number = queue.pending->take_number(),
                         .job = job.id,
                         .uid = job.uid,
                         .submitted = job.submitted,
                         .restarts = job.restarts,
                         .before = request_of(job),
                         .given = request_of(job),
                         .priority = job.priority,
                         .admin_comment = job.admin_comment,
                         .resize = std::nullopt,
                         .asked = 0};
    change.given->shape = shape_with(gpus);
    change.given->features = "of_" + word;
    EXPECT_TRUE(queue.pending->keep(change));
    slurm::JobChange to;
    to.shape = change.given->shape;
    to.features = change.given->features;
    to.admin_comment = "site=x hora=" + word;
    EXPECT_EQ(queue.slurm.change(job.id, to).reply, slurm::Reply::done);
    return change;
}

TEST(PendingChanges, give_an_impossible_job_its_old_plan_back) {
    Queue queue;
    queue.slurm.job().admin_comment = "hora=1111-1111";
    queue.slurm.job().features = "titanx";
    new_plan(queue, 4, "2222-2222");
    queue.start();
    EXPECT_EQ(queue.pending->comments_before(), std::vector<std::string>{"hora=1111-1111"});
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    expect_as_before(queue);
    EXPECT_EQ(queue.slurm.job().features, "titanx");
    EXPECT_EQ(queue.slurm.job().admin_comment, "site=x hora=1111-1111")
        << "what others wrote stays";
    EXPECT_TRUE(queue.of_pending.entries.empty());
    EXPECT_TRUE(queue.history.list.empty()) << "no resize";
    EXPECT_NE(queue.log.find("job 7 has its old plan back: slurmctld can never run it with "
                             "gres:gpu:4"),
              std::string::npos)
        << queue.log;
}

TEST(PendingChanges, leave_a_request_whose_features_its_owner_has_changed) {
    Queue queue;
    new_plan(queue, 4, "2222-2222");
    queue.slurm.job().features = "k80";
    queue.slurm.finds_sizes_impossible = true;
    queue.live(100);
    EXPECT_EQ(queue.gpus(), 4U);
    EXPECT_EQ(queue.slurm.job().features, "k80");
}

// Whichever came first, the owner's request is what is left.
TEST(PendingChanges, go_back_over_plans_and_sizes_in_their_order) {
    for (const bool is_plan_first : {false, true}) {
        Queue queue;
        queue.slurm.job().features = "titanx";
        if (is_plan_first) {
            new_plan(queue, 3, "2222-2222");
            queue.give({4});
        } else {
            queue.give({3});
            new_plan(queue, 4, "2222-2222");
        }
        queue.slurm.finds_sizes_impossible = true;
        queue.live(10);
        EXPECT_EQ(queue.gpus(), 3U) << is_plan_first;
        EXPECT_EQ(queue.slurm.job().features, is_plan_first ? "of_2222-2222" : "titanx");
        queue.live(100);
        expect_as_before(queue);
        EXPECT_EQ(queue.slurm.job().features, "titanx");
    }
}

TEST(PendingChanges, come_back_to_the_owners_plan_however_many_were_made) {
    Queue queue;
    queue.slurm.job().admin_comment = "hora=1111-1111";
    for (std::uint32_t i = 0; i < 12; ++i) {
        if (i % 3 == 2) {
            queue.give({i + 3});
        } else {
            new_plan(queue, i + 3, "2222-000" + std::to_string(i));
        }
        EXPECT_LE(queue.of_pending.entries.size(), 4U);
    }
    queue.slurm.finds_sizes_impossible = true;
    queue.live(1000);
    expect_as_before(queue);
    EXPECT_EQ(queue.slurm.job().features, "");
    EXPECT_EQ(queue.slurm.job().admin_comment, "site=x hora=1111-1111");
}

// Of a plan that an earlier horad replaced it is not known what took its place.
TEST(PendingChanges, give_back_what_an_earlier_horad_replaced) {
    Queue queue;
    PendingChange change = new_plan(queue, 4, "2222-2222");
    change.given.reset();
    change.submitted = 0;
    ASSERT_TRUE(queue.of_pending.keep(change));
    queue.start();
    queue.slurm.finds_sizes_impossible = true;
    queue.live(10);
    expect_as_before(queue);
}

TEST(PendingChanges, forget_a_plan_that_slurm_refused) {
    Queue queue;
    const PendingChange change = new_plan(queue, 4, "2222-2222");
    queue.pending->forget_unless_given(change.number);
    EXPECT_EQ(queue.of_pending.entries.size(), 1U) << "it was given";
    queue.slurm.job().shape = shape_with(2);
    queue.pending->forget_unless_given(change.number);
    EXPECT_TRUE(queue.of_pending.entries.empty());
}

}  // namespace
}  // namespace hora::horad
