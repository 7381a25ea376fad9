#include "plugins/spank/process/bounded_run.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <thread>

#include "tests/unit/scratch_folder.hpp"

namespace hora::spank {
namespace {

RunResult run_shell(const char* script, RunBounds bounds = {}) {
    return run_bounded({"/bin/sh", "-c", script}, bounds);
}

TEST(BoundedRun, ReturnsBothStreamsAndTheCode) {
    const RunResult result = run_shell("echo out; echo err >&2; exit 3");
    EXPECT_EQ(result.end, RunEnd::exited);
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "err\n");
}

TEST(BoundedRun, GivesNoInput) {
    EXPECT_EQ(run_shell("cat; echo done").output, "done\n");
}

TEST(BoundedRun, SaysWhyAProgramDidNotStart) {
    const RunResult result = run_bounded({"/nonexistent/program"}, {});
    EXPECT_EQ(result.end, RunEnd::not_started);
    EXPECT_EQ(result.code, ENOENT);
}

TEST(BoundedRun, EndsAProgramThatTakesTooLong) {
    const RunBounds brief{.time = std::chrono::milliseconds(50), .output = 100};
    EXPECT_EQ(run_shell("exec sleep 1000", brief).end, RunEnd::took_too_long);
    EXPECT_EQ(run_shell("exec >&- 2>&-; exec sleep 1000", brief).end, RunEnd::took_too_long);
}

TEST(BoundedRun, EndsAProgramThatPrintsTooMuch) {
    const RunResult result = run_shell("while :; do echo 0123456789; done");
    EXPECT_EQ(result.end, RunEnd::printed_too_much);
    EXPECT_LE(result.output.size(), 8192U + 4096U);
}

TEST(BoundedRun, NoticesASignal) {
    const RunResult result = run_shell("kill -TERM $$");
    EXPECT_EQ(result.end, RunEnd::ended_by_signal);
    EXPECT_EQ(result.code, SIGTERM);
}

// As a parent that ignores it hands it down by exec.
TEST(BoundedRun, KnowsTheCodeAlsoWhereTheCallerIgnoresItsChildren) {
    struct sigaction own {};
    struct sigaction after {};
    struct sigaction ignored {};
    ignored.sa_handler = SIG_IGN;
    sigemptyset(&ignored.sa_mask);
    ASSERT_EQ(sigaction(SIGCHLD, &ignored, &own), 0);
    const RunResult result = run_shell("sh -c 'exit 2'; exit $((1 + $?))");
    sigaction(SIGCHLD, &own, &after);
    EXPECT_EQ(result.end, RunEnd::exited);
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(after.sa_handler, SIG_IGN) << "which is the caller's to say";
}

// One of the caller's threads that waits for any child may have taken the code. What the program
// has started holds its output until then.
TEST(BoundedRun, IsNoSuccessWhereTheCodeIsLost) {
    const tests::ScratchFolder folder;
    const std::string gate = folder.file("gate");
    ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
    std::thread other([&] {
        while (waitpid(-1, nullptr, 0) < 0) {
            std::this_thread::yield();
        }
        close(open(gate.c_str(), O_WRONLY));
    });
    const RunResult result = run_shell(("read -r line <" + gate + " & exit 2").c_str());
    other.join();
    EXPECT_EQ(result.end, RunEnd::status_unknown);
    EXPECT_EQ(trouble_of("/a/program", result), "the exit code of \"/a/program\" is not known");
}

}  // namespace
}  // namespace hora::spank
