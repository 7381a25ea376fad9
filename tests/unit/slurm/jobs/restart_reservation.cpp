// Is the reservation of restarts changed where it is, made where it is not, and never another one?
#include "plugins/slurm/jobs/restart_reservation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/system_user.hpp"
#include "tests/unit/slurm/stand_ins.hpp"

namespace {

struct Controller {
    int update_error = 0;
    int create_error = 0;
    int delete_error = 0;
    std::vector<std::string> sent;
};

Controller controller;
char made[] = "hora-restarts";

void note(const char* call, const resv_desc_msg_t& sent) {
    controller.sent.push_back(fmt::format("{} {} nodes={} users={} until={}", call, sent.name,
                                          sent.node_list, sent.users, sent.end_time));
    constexpr std::uint64_t wanted =
        RESERVE_FLAG_IGN_JOBS | RESERVE_FLAG_FLEX | RESERVE_FLAG_NO_HOLD_JOBS;
    EXPECT_EQ(sent.flags, wanted);
}

}  // namespace

extern "C" {

int slurm_update_reservation(resv_desc_msg_t* sent) {
    note("update", *sent);
    return hora::tests::answer_with(controller.update_error);
}

char* slurm_create_reservation(resv_desc_msg_t* sent) {
    note("create", *sent);
    return hora::tests::answer_with(controller.create_error) == SLURM_SUCCESS ? made : nullptr;
}

int slurm_delete_reservation(reservation_name_msg_t* sent) {
    controller.sent.push_back(fmt::format("delete {}", sent->name));
    return hora::tests::answer_with(controller.delete_error);
}

}  // extern "C"

namespace hora::slurm {
namespace {

// No user of any system has this number, which stands for none.
constexpr std::uint32_t unknown_user = 4'294'967'290;

const std::string words = " hora-restarts nodes=n[1-2],n4 users=root,4294967290 until=1700";

TEST(RestartReservation, IsChangedOrElseMade) {
    ASSERT_FALSE(find_user(unknown_user));
    ASSERT_TRUE(find_user(0));
    const struct {
        const char* sentence;
        int update_error;
        int create_error;
        bool is_made;
        Reply reply;
    } cases[] = {
        {"there is one", 0, 0, false, Reply::done},
        {"there is none", ESLURM_RESERVATION_INVALID, 0, true, Reply::done},
        {"others have a node", ESLURM_RESERVATION_OVERLAP, 0, false, Reply::refused},
        {"and there is none", ESLURM_RESERVATION_INVALID, ESLURM_RESERVATION_OVERLAP, true,
         Reply::refused},
        {"its nodes are not free", ESLURM_RESERVATION_INVALID, ESLURM_NODES_BUSY, true,
         Reply::refused},
        {"the caller is no operator", ESLURM_ACCESS_DENIED, 0, false, Reply::refused},
        {"a user's job is in it", ESLURM_RESERVATION_BUSY, 0, false, Reply::unreachable},
        {"slurmctld is away", SLURM_COMMUNICATIONS_CONNECTION_ERROR, 0, false, Reply::unreachable},
        {"it goes away in between", ESLURM_RESERVATION_INVALID, ETIMEDOUT, true,
         Reply::unreachable},
    };
    for (const auto& row : cases) {
        controller = {row.update_error, row.create_error, 0, {}};
        const Answered answered =
            reserve_for_restarts({.nodes = "n[1-2],n4", .users = {0, unknown_user}, .until = 1700});
        EXPECT_EQ(answered.reply, row.reply) << row.sentence;
        EXPECT_EQ(answered.why.empty(), row.reply == Reply::done) << row.sentence;
        std::vector<std::string> sent{"update" + words};
        if (row.is_made) {
            sent.push_back("create" + words);
        }
        EXPECT_EQ(controller.sent, sent) << row.sentence;
    }
}

TEST(RestartReservation, IsEndedOnceNoJobIsInIt) {
    const struct {
        const char* sentence;
        int error;
        Reply reply;
    } cases[] = {
        {"it is ended", 0, Reply::done},
        {"there is none", ESLURM_RESERVATION_INVALID, Reply::done},
        {"a job is in it", ESLURM_RESERVATION_BUSY, Reply::unreachable},
        {"slurmctld is away", ECONNREFUSED, Reply::unreachable},
        {"the caller is no operator", ESLURM_ACCESS_DENIED, Reply::refused},
    };
    for (const auto& row : cases) {
        controller = {0, 0, row.error, {}};
        const Answered answered = end_restart_reservation();
        EXPECT_EQ(answered.reply, row.reply) << row.sentence;
        EXPECT_EQ(answered.why.empty(), row.reply == Reply::done) << row.sentence;
        EXPECT_EQ(controller.sent, std::vector<std::string>{"delete hora-restarts"})
            << row.sentence;
    }
}

}  // namespace
}  // namespace hora::slurm
