#include "plugins/spank/process/detached.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/unit/comes_true.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::spank {
namespace {

using testing::HasSubstr;

std::string read_when_there(const std::string& path) {
    EXPECT_TRUE(tests::comes_true([&] { return std::filesystem::exists(path); }));
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Which signals these tests themselves ignore, a bit each.
std::uint64_t ignored_here() {
    std::ifstream status("/proc/self/status");
    for (std::string name, value; status >> name && std::getline(status, value);) {
        if (name == "SigIgn:") {
            return std::stoull(value, nullptr, 16);
        }
    }
    return 0;
}

TEST(Detached, IsNobodysChildAndHasNothingOfOurs) {
    const std::string path = testing::TempDir() + "detached." + std::to_string(getpid());
    const int kept = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    const int leaked = open("/dev/full", O_WRONLY);
    std::signal(SIGUSR1, SIG_IGN);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigprocmask(SIG_BLOCK, &blocked, nullptr);
    // The shell reads its own masks: while it forks it blocks signals.
    std::string script =
        "{ readlink /proc/$$/fd/0 /proc/$$/fd/2 /proc/$$/fd/3; ls -l /proc/$$/fd; "
        "while read -r name value; do case $name in SigBlk:|SigIgn:) echo $name $value;; esac; "
        "done </proc/$$/status; cut -d' ' -f6 /proc/$$/stat; "
        "echo $$ $ONLY $PATH; } >OUT.new; mv OUT.new OUT";
    for (std::size_t at = 0; (at = script.find("OUT", at)) != std::string::npos;) {
        script.replace(at, 3, path);
        at += path.size();
    }
    const auto started = start_detached({"/bin/sh", "-c", script},
                                        {{"ONLY", "this"}, {"PATH", "/usr/bin:/bin"}}, kept);
    std::signal(SIGUSR1, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &blocked, nullptr);
    ASSERT_TRUE(started) << started.error().message;
    const std::string found = read_when_there(path);
    EXPECT_THAT(found, HasSubstr("/dev/null\n/dev/null\n/dev/zero\n"));
    EXPECT_THAT(found, testing::Not(HasSubstr("/dev/full")));
    EXPECT_THAT(found, HasSubstr("SigBlk: 0000000000000000\n"));
    // glibc keeps signals 32 and 33 to itself: they stay as whoever started the tests left them.
    constexpr std::uint64_t of_glibc = 0x180000000;
    EXPECT_THAT(found, HasSubstr(fmt::format("SigIgn: {:016x}\n", ignored_here() & of_glibc)));
    EXPECT_THAT(found, HasSubstr(" this /usr/bin:/bin\n"));
    EXPECT_THAT(found, testing::Not(HasSubstr("\n" + std::to_string(getsid(0)) + "\n")));
    close(kept);
    close(leaked);
    unlink(path.c_str());
}

TEST(Detached, SaysThatThereIsNoSuchProgram) {
    const auto started = start_detached({"/nowhere/at/all"}, {}, -1);
    ASSERT_FALSE(started);
    EXPECT_THAT(started.error().message, HasSubstr("cannot run \"/nowhere/at/all\": No such file"));
}

TEST(Detached, RunsWithTheGroupsOfAnotherAndSaysWhoseUidIsToBeTaken) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root may give others' rights";
    }
    const tests::ScratchFolder scratch;
    const std::string& folder = scratch.path();
    ASSERT_EQ(chown(folder.c_str(), 4711, 4712), 0);
    const Account account{4711, 4712, {4712, 4713}};
    const auto ended =
        run_as(account,
               {"/bin/sh", "-c", "{ echo $0; grep -E '^(Gid|Groups)' /proc/$$/status; } >" + folder + "/ids"},
               {{"PATH", "/usr/bin:/bin"}}, std::chrono::seconds(20));
    EXPECT_TRUE(ended);
    EXPECT_EQ(read_when_there(folder + "/ids"),
              "--uid=4711\nGid:\t4712\t4712\t4712\t4712\nGroups:\t4712 4713 \n");
    EXPECT_FALSE(run_as(account, {"/bin/sh", "-c", "exit 1"}, {}, std::chrono::seconds(20)));
    EXPECT_FALSE(run_as(account, {"/bin/sh", "-c", "sleep 1000"}, {}, std::chrono::milliseconds(50)));
}

// Where SIGCHLD is ignored the kernel takes the status of a child itself.
TEST(Detached, TakesNoUnknownEndForAGoodOne) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root may give others' rights";
    }
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    const auto ended =
        run_as({getuid(), getgid(), {}}, {"/bin/sh", "-c", "exit 1"}, {}, std::chrono::seconds(20));
    std::signal(SIGCHLD, before);
    ASSERT_FALSE(ended);
    EXPECT_THAT(ended.error().message, HasSubstr("its exit status is unknown: No child process"));
}

// In a process of a user who may have so many.
int start_among(rlim_t processes) {
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{processes, processes};
        const auto user = static_cast<uid_t>(3'000'000 + getpid());
        if (setrlimit(RLIMIT_NPROC, &limit) != 0 || setresuid(user, user, user) != 0) {
            _exit(3);
        }
        std::signal(SIGCHLD, SIG_IGN);
        const auto started = start_detached({"/bin/true"}, {}, -1);
        _exit(started ? 0 : started.error().message.starts_with("cannot fork: R") ? 1 : 2);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Detached, KnowsWhetherItsProgramStartedWithoutAStatus) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "only root may give others' rights";
    }
    EXPECT_EQ(start_among(3), 0) << "this one, its child and the program";
    EXPECT_EQ(start_among(2), 1) << "no room for the program";
}

}  // namespace
}  // namespace hora::spank
