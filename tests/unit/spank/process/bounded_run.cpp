#include "plugins/spank/process/bounded_run.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

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

}  // namespace
}  // namespace hora::spank
