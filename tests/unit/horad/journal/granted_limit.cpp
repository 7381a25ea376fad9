// Is what a job's time limit is worth read from what horad wrote, and from nothing else?
#include "scripts/horad/journal/granted_limit.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

TEST(GrantedLimit, is_one_word_of_a_comment_and_leaves_the_others) {
    struct Case {
        const char* name;
        const char* before;
        const char* granted;
        const char* after;
    };
    const Case cases[] = {
        {"an empty comment", "", "hora-limit=300:600", ""},
        {"words of others and of Hora", "a hora-priority=7:9",
         "a hora-priority=7:9 hora-limit=300:600", "a hora-priority=7:9"},
        {"an older one", "a hora-limit=1:2 b", "a b hora-limit=300:600", "a b"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const GrantedLimit granted{.limit = Seconds(600), .own = Seconds(300)};
        const std::string comment = with_granted(each.before, granted);
        EXPECT_EQ(comment, each.granted);
        EXPECT_EQ(find_granted(comment), granted);
        EXPECT_EQ(without_granted(comment), each.after);
    }
    EXPECT_EQ(with_granted("", {.limit = Seconds(120), .own = Seconds(-3)}), "hora-limit=0:120");
    EXPECT_EQ(with_granted("", {.limit = Seconds(120), .own = Seconds(99.9)}), "hora-limit=99:120");
}

TEST(GrantedLimit, is_not_read_from_what_horad_never_wrote) {
    for (const char* comment :
         {"", "hora-limit", "hora-limit=", "hora-limit=1", "hora-limit=1:", "hora-limit=:2",
          "hora-limit=1:2x", "hora-limit=-1:2", "xhora-limit=1:2", "hora-limit=1:99999999999",
          "hora-limit=1:2:3"}) {
        EXPECT_EQ(find_granted(comment), std::nullopt) << comment;
    }
}

TEST(GrantedLimit, counts_only_for_the_limit_that_it_was_written_for) {
    struct Case {
        const char* name;
        const char* comment;
        double limit;
        std::uint32_t gpus;
        std::uint32_t requested;
        double own;
    };
    const Case cases[] = {
        {"its own request", "", 600, 4, 4, 600},
        {"more than that", "", 600, 8, 4, 600},
        {"a quarter of it", "", 600, 1, 4, 150},
        {"by the clock", "", 600, 1, 0, 600},
        {"by the clock whatever was written", "hora-limit=300:600", 600, 1, 0, 600},
        {"what was written", "hora-limit=300:600", 600, 1, 4, 300},
        {"somebody has set another", "hora-limit=300:600", 660, 1, 4, 165},
    };
    for (const Case& each : cases) {
        slurm::Job job;
        job.admin_comment = each.comment;
        job.time_limit = Seconds(each.limit);
        EXPECT_EQ(own_limit(job, each.gpus, each.requested), Seconds(each.own)) << each.name;
    }
}

}  // namespace
}  // namespace hora::horad
