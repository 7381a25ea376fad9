#include "contrib/nccl/join.hpp"

#include <gmock/gmock.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <list>

#include "tests/unit/contrib/nccl/processes.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto long_enough = 30s;
const std::string joined = "joined";

Launch launch_of(int rank, int size, std::uint16_t port) {
    return {.rank = rank,
            .size = size,
            .local_rank = rank,
            .address = "127.0.0.1",
            .port = port,
            .step = "17.0"};
}

Process start(const Launch& launch, std::chrono::milliseconds wait = long_enough) {
    return Process([=] {
        const auto sockets = join(launch, wait);
        return sockets ? joined : sockets.error().message;
    });
}

// Rank 0 listens once this connects.
Socket connect_to_first(std::uint16_t port) {
    const auto until = Clock::now() + long_enough;
    while (Clock::now() < until) {
        if (auto socket = connect_to("127.0.0.1", port, until)) {
            return std::move(*socket);
        }
    }
    ADD_FAILURE() << "nobody listens at port " << port;
    return {};
}

TEST(Join, FindsAllRanksWhicheverComesFirst) {
    struct Case {
        const char* name;
        std::vector<int> order;
    };
    const Case cases[] = {
        {"one rank needs no other", {0}},
        {"rank 0 first", {0, 1}},
        {"rank 0 last", {1, 0}},
        {"in between", {3, 1, 0, 2}},
        {"many", {9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    };
    for (const Case& c : cases) {
        const std::uint16_t port = free_port();
        std::list<Process> ranks;
        for (const int rank : c.order) {
            ranks.push_back(start(launch_of(rank, static_cast<int>(c.order.size()), port)));
        }
        for (Process& rank : ranks) {
            EXPECT_EQ(rank.result(), joined) << c.name;
        }
    }
}

// Until rank 0 listens nobody has the port, or somebody else.
TEST(Join, TriesAgainUntilRankZeroIsThere) {
    const std::uint16_t port = free_port();
    Process one = start(launch_of(1, 2, port));  // before there is a listener that it would inherit
    auto listener = listen_at("127.0.0.1", port);
    ASSERT_TRUE(listener) << listener.error().message;
    ASSERT_TRUE(listener->waits_for_input(Clock::now() + long_enough));
    {
        const Socket answered = accept_from(*listener).value_or(Socket());
        const std::string junk(256, 'x');  // no shorter than an answer
        ASSERT_TRUE(answered.send(std::as_bytes(std::span(junk)), Clock::now() + long_enough));
        ASSERT_TRUE(listener->waits_for_input(Clock::now() + long_enough)) << "it gave up";
        ASSERT_TRUE(accept_from(*listener));
    }
    listener->close();
    Process zero = start(launch_of(0, 2, port));
    EXPECT_EQ(zero.result(), joined);
    EXPECT_EQ(one.result(), joined);
}

TEST(Join, IgnoresStrangers) {
    const std::uint16_t port = free_port();
    Process zero = start(launch_of(0, 2, port));
    const std::string words[] = {"GET / HTTP/1.1\r\n\r\n",
                                 "horarank",
                                 "hora",
                                 std::string(4096, '\0'),
                                 "horarank" + std::string(4096, '\xff'),
                                 ""};
    std::vector<Socket> strangers;
    for (const std::string& word : words) {
        strangers.push_back(connect_to_first(port));
        static_cast<void>(
            strangers.back().send(std::as_bytes(std::span(word)), Clock::now() + long_enough));
    }
    for (int i = 0; i < 200; ++i) {  // and more silent ones than it keeps
        strangers.push_back(connect_to_first(port));
    }
    Process one = start(launch_of(1, 2, port));
    EXPECT_EQ(zero.result(), joined);
    EXPECT_EQ(one.result(), joined);
}

// So many more files than are open may be open at once, and up to `most` where the process asks.
void limit_open_files(int more, rlim_t most) {
    const int next = dup(STDOUT_FILENO);
    close(next);
    const auto now = static_cast<rlim_t>(next + more);
    const rlimit limit{.rlim_cur = now, .rlim_max = std::max(now, most)};
    setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(Join, AllowsItselfAsManyOpenFilesAsThereAreRanks) {
    const std::uint16_t port = free_port();
    constexpr int size = 30;
    Process zero([=] {
        limit_open_files(16, 1000);
        return join(launch_of(0, size, port), long_enough) ? joined : "not joined";
    });
    std::list<Process> others;
    for (int rank = 1; rank < size; ++rank) {
        others.push_back(start(launch_of(rank, size, port)));
    }
    EXPECT_EQ(zero.result(), joined);
    for (Process& other : others) {
        EXPECT_EQ(other.result(), joined);
    }
}

TEST(Join, SaysThatItMayNotOpenAsManyFiles) {
    const std::uint16_t port = free_port();
    constexpr int size = 30;
    Process zero([=] {
        limit_open_files(16, 0);
        const auto sockets = join(launch_of(0, size, port), long_enough);
        return sockets ? joined : sockets.error().message;
    });
    std::list<Process> others;
    for (int rank = 1; rank < size; ++rank) {
        others.push_back(start(launch_of(rank, size, port)));
    }
    EXPECT_THAT(zero.result(), testing::MatchesRegex(
                                   "rank 0 cannot take one more connection than those of [0-9]+ of "
                                   "30 ranks: Too many open files; raise the limit of open files "
                                   "\\(ulimit -n\\)"));
    // The first that says anything is one that rank 0 had taken.
    const auto says_something = [](const Process& other) { return other.has_output(1); };
    auto first = others.end();
    while (first == others.end()) {
        first = std::find_if(others.begin(), others.end(), says_something);
    }
    EXPECT_THAT(first->result(), HasSubstr("it has given up waiting for others"));
}

TEST(Join, NamesRanksThatDoNotCome) {
    const std::uint16_t port = free_port();
    Process zero = start(launch_of(0, 4, port), 1500ms);
    Process two = start(launch_of(2, 4, port));
    EXPECT_EQ(zero.result(), "2 of 4 ranks did not connect to 127.0.0.1:" + std::to_string(port) +
                                 " within 1.5 s (missing: 1 3); do their tasks run, and can they "
                                 "reach this node?");
    EXPECT_THAT(two.result(), HasSubstr("it has given up waiting for others, see its message"));
}

TEST(Join, NamesAFewOfManyMissingRanks) {
    const auto alone = join(launch_of(0, 1000, free_port()), 1ms);
    ASSERT_FALSE(alone);
    EXPECT_THAT(alone.error().message,
                HasSubstr("(missing: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 …)"));
}

TEST(Join, SaysThatRankZeroDoesNotCome) {
    const std::uint16_t port = free_port();
    const auto alone = join(launch_of(1, 2, port), 50ms);
    ASSERT_FALSE(alone);
    EXPECT_EQ(alone.error().message,
              "rank 1 cannot reach rank 0 at 127.0.0.1:" + std::to_string(port) +
                  " within 0.05 s: Connection refused; does rank 0 run, and "
                  "is MASTER_ADDR its node?");
    Launch nowhere = launch_of(1, 2, port);
    nowhere.address = "256.0.0.1";
    EXPECT_FALSE(join(nowhere, 1ms));
}

TEST(Join, SaysThatThePortIsTaken) {
    const std::uint16_t port = free_port();
    const auto other = listen_at("127.0.0.1", port);
    ASSERT_TRUE(other);
    const auto zero = join(launch_of(0, 2, port), long_enough);
    ASSERT_FALSE(zero);
    EXPECT_EQ(zero.error().message, "rank 0 cannot listen at port " + std::to_string(port) +
                                        ": Address already in use; choose another MASTER_PORT");
}

TEST(Join, RefusesRanksOfAnotherTraining) {
    struct Case {
        const char* name;
        void (*change)(Launch&);
        const char* expected;
    };
    const Case cases[] = {
        {"another step", [](Launch& launch) { launch.step = "17.1"; },
         "it is of another job step; steps that share a node need different MASTER_PORTs"},
        {"more ranks", [](Launch& launch) { launch.size = 3; }, "it has WORLD_SIZE 2, this rank 3"},
        {"a rank that there is not", [](Launch& launch) { launch.rank = 2; },
         "it has WORLD_SIZE 2, this rank 2"},
    };
    const std::uint16_t port = free_port();
    Process zero = start(launch_of(0, 2, port));
    for (const Case& c : cases) {
        Launch launch = launch_of(1, 2, port);
        c.change(launch);
        EXPECT_THAT(start(launch).result(), HasSubstr(c.expected)) << c.name;
    }
    EXPECT_EQ(start(launch_of(1, 2, port)).result(), joined);
    EXPECT_EQ(zero.result(), joined);
}

TEST(Join, AnswersNobodyWhoDoesNotKnowTheSecret) {
    const tests::ScratchFolder folder;
    const std::string file = folder.file("job/secret");
    const std::string other = folder.file("other");
    const std::uint16_t port = free_port();
    const auto knowing = [port](int rank, const std::string& path) {
        Launch launch = launch_of(rank, 2, port);
        launch.secret_file = path;
        return launch;
    };
    folder.write("stale", std::string(64, 'x'));
    chmod(folder.file("stale").c_str(), 0600);
    folder.write("of all", std::string(64, 'x'));
    chmod(folder.file("of all").c_str(), 0644);
    ASSERT_EQ(symlink(folder.file("stale").c_str(), other.c_str()), 0);
    Process zero = start(knowing(0, file));
    static_cast<void>(connect_to_first(port));
    const std::pair<std::string, const char*> strangers[] = {
        {"", "has ended the connection"},
        {folder.file("stale"), "has ended the connection"},
        {folder.file("of all"), "is no file of this user's alone"},
        {other, "Too many levels of symbolic links"},
        {folder.file("none"), "No such file or directory"},
    };
    for (const auto& [path, expected] : strangers) {
        EXPECT_THAT(start(knowing(1, path), 300ms).result(), HasSubstr(expected)) << path;
    }
    EXPECT_EQ(start(knowing(1, file)).result(), joined);
    EXPECT_EQ(zero.result(), joined);
    EXPECT_NE(access(file.c_str(), F_OK), 0) << "it stays";
}

// As on a file system that gives files to another user: the other ranks could not read it.
TEST(Join, EndsAtOnceWhereAFileIsNotThisUsersAlone) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root makes files of another user";
    }
    const tests::ScratchFolder folder;
    const std::string job = folder.file("job");
    ASSERT_EQ(mkdir(job.c_str(), 0700), 0);
    constexpr uid_t other = 65534;
    ASSERT_EQ(chown(job.c_str(), other, other), 0);
    ASSERT_EQ(chmod(folder.file("").c_str(), 0711), 0);
    Launch launch = launch_of(0, 2, free_port());
    launch.secret_file = job + "/secret";
    Process zero([&] {
        setfsuid(other);
        const auto sockets = join(launch, long_enough);
        return sockets ? joined : sockets.error().message;
    });
    EXPECT_THAT(
        zero.result(),
        testing::AllOf(HasSubstr("\"" + job + "\" does not keep a file for this user alone"),
                       HasSubstr("HORA_CHECKPOINT_DIR")));
    EXPECT_NE(access(launch.secret_file.c_str(), F_OK), 0) << "it stays";
}

// A process that listens there before rank 0 does is no rank 0, whatever it answers.
TEST(Join, BelievesNoRankZeroWithoutTheSecret) {
    const tests::ScratchFolder folder;
    const std::uint16_t port = free_port();
    folder.write("secret", std::string(64, 'x'));
    chmod(folder.file("secret").c_str(), 0600);
    Process zero = start(launch_of(0, 2, port));
    static_cast<void>(connect_to_first(port));
    Launch one = launch_of(1, 2, port);
    one.secret_file = folder.file("secret");
    EXPECT_NE(start(one, 300ms).result(), joined);
    EXPECT_EQ(start(launch_of(1, 2, port)).result(), joined);
}

TEST(Join, TakesARankOnce) {
    const std::uint16_t port = free_port();
    Process zero = start(launch_of(0, 3, port));
    Process one = start(launch_of(1, 3, port));
    Process again = start(launch_of(1, 3, port));
    while (!one.has_output(10) && !again.has_output(10)) {
    }
    Process& refused = one.has_output(0) ? one : again;
    Process& taken = one.has_output(0) ? again : one;
    EXPECT_THAT(refused.result(), HasSubstr("another process has said that it is rank 1"));
    EXPECT_EQ(start(launch_of(2, 3, port)).result(), joined);
    EXPECT_EQ(taken.result(), joined);
    EXPECT_EQ(zero.result(), joined);
}

// Slurm may start a task anew.
TEST(Join, TakesARankAgainThatWasLost) {
    const std::uint16_t port = free_port();
    Process zero = start(launch_of(0, 3, port));
    {
        Process one = start(launch_of(1, 3, port));
        Process twin = start(launch_of(1, 3, port));
        while (!one.has_output(10) && !twin.has_output(10)) {
        }
    }  // one of them was taken; both are killed
    Process two = start(launch_of(2, 3, port));
    EXPECT_EQ(start(launch_of(1, 3, port)).result(), joined);
    EXPECT_EQ(two.result(), joined);
    EXPECT_EQ(zero.result(), joined);
}

using Environment = std::vector<std::pair<std::string, std::string>>;

Expected<Launch> launch_in(const Environment& environment) {
    const Environment none = {
        {"RANK", ""},          {"WORLD_SIZE", ""},           {"LOCAL_RANK", ""},
        {"MASTER_ADDR", ""},   {"MASTER_PORT", ""},          {"SLURM_JOB_ID", ""},
        {"SLURM_STEP_ID", ""}, {"SLURM_STEP_NUM_TASKS", ""}, {"HORA_CHECKPOINT_DIR", ""}};
    for (const auto& [name, value] : none) {
        unsetenv(name.c_str());
    }
    for (const auto& [name, value] : environment) {
        setenv(name.c_str(), value.c_str(), 1);
    }
    return read_launch();
}

TEST(Join, ReadsWhatHoraSets) {
    const auto launch = launch_in({{"RANK", "5"},
                                   {"WORLD_SIZE", "8"},
                                   {"LOCAL_RANK", "1"},
                                   {"MASTER_ADDR", "n1"},
                                   {"MASTER_PORT", "20001"},
                                   {"SLURM_JOB_ID", "17"},
                                   {"SLURM_STEP_ID", "0"},
                                   {"HORA_CHECKPOINT_DIR", "/scratch/17"}});
    ASSERT_TRUE(launch) << launch.error().message;
    EXPECT_EQ(launch->rank, 5);
    EXPECT_EQ(launch->size, 8);
    EXPECT_EQ(launch->local_rank, 1);
    EXPECT_EQ(launch->address, "n1");
    EXPECT_EQ(launch->port, 20001);
    EXPECT_EQ(launch->step, "17.0");
    EXPECT_EQ(launch->secret_file, "/scratch/17/.ranks-17.0-20001");
    const auto alone = launch_in({});
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->size, 1);
}

TEST(Join, RefusesWhatCannotBe) {
    struct Case {
        const char* name;
        Environment environment;
        const char* expected;
    };
    const Case cases[] = {
        {"ranks that know nothing of each other",
         {{"SLURM_STEP_NUM_TASKS", "4"}},
         "srun started 4 tasks but WORLD_SIZE is not set"},
        {"no rank", {{"WORLD_SIZE", "2"}}, "RANK=\"\" is not a whole number from 0 to 1"},
        {"a rank beyond the last",
         {{"WORLD_SIZE", "2"}, {"RANK", "2"}},
         "RANK=\"2\" is not a whole number from 0 to 1"},
        {"no world", {{"WORLD_SIZE", "0"}}, "WORLD_SIZE=\"0\" is not a whole number from 1"},
        {"words", {{"WORLD_SIZE", "2x"}}, "WORLD_SIZE=\"2x\" is not"},
        {"no port",
         {{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"LOCAL_RANK", "0"}, {"MASTER_ADDR", "n1"}},
         "MASTER_PORT=\"\" is not"},
        {"too large a port",
         {{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"LOCAL_RANK", "0"}, {"MASTER_PORT", "65536"}},
         "MASTER_PORT=\"65536\" is not a whole number from 1 to 65535"},
        {"no address",
         {{"WORLD_SIZE", "2"}, {"RANK", "0"}, {"LOCAL_RANK", "0"}, {"MASTER_PORT", "1"}},
         "MASTER_ADDR is not set"},
    };
    for (const Case& c : cases) {
        const auto launch = launch_in(c.environment);
        ASSERT_FALSE(launch) << c.name;
        EXPECT_THAT(launch.error().message, HasSubstr(c.expected)) << c.name;
    }
}

}  // namespace
}  // namespace hora::trainer
