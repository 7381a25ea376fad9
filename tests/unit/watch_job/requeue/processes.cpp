#include "scripts/watch-job/requeue/processes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

namespace hora::watch {
namespace {

using spank::read_process;
using testing::ElementsAre;
using testing::IsEmpty;

// As proc(5) has it: start is field 22.
std::string stat_line(const std::string& name) {
    return "17 (" + name + ") S 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 4711 24\n";
}

TEST(Processes, ReadsAnyName) {
    for (const char* const name : {"bash", "a b", "a) S 1 (b", "(", ""}) {
        const auto process = read_process(stat_line(name));
        ASSERT_TRUE(process) << name;
        EXPECT_EQ(*process, (Process{17, 5, 4711, name, 7})) << name;
    }
}

TEST(Processes, KnowsOneThatHasEnded) {
    std::string line = stat_line("bash");
    EXPECT_FALSE(read_process(line)->has_ended);
    line.replace(line.find(" S "), 3, " Z ");
    EXPECT_TRUE(read_process(line)->has_ended);
}

TEST(Processes, ReadsNothingElse) {
    for (const char* const text : {"", "17", "17 (bash", "x (bash) S 5", "17 (bash) S five",
                                   "17 (bash) S 5 6 7", "(bash) S 5 6 7 8"}) {
        EXPECT_FALSE(read_process(text)) << text;
    }
}

TEST(Processes, FindsItself) {
    const auto self = find_process(getpid());
    ASSERT_TRUE(self);
    EXPECT_EQ(self->parent, getppid());
    EXPECT_FALSE(find_process(0));
}

std::vector<pid_t> numbers(const std::vector<Process>& processes) {
    std::vector<pid_t> pids;
    for (const Process& process : processes) {
        pids.push_back(process.pid);
    }
    return pids;
}

TEST(Processes, AScriptIsItsShellAndAllBelowButEachSrun) {
    const Process all[] = {{1, 0, 1, "init"},   {10, 1, 2, "bash"},    {11, 10, 3, "bash"},
                           {12, 11, 4, "srun"}, {13, 12, 5, "srun"},   {14, 11, 6, "tee"},
                           {15, 1, 7, "bash"},  {16, 10, 8, "srun.sh"}};
    EXPECT_THAT(numbers(script_of(all, 10)), ElementsAre(10, 11, 16, 14));
    EXPECT_THAT(numbers(sruns_of(all, script_of(all, 10))), ElementsAre(12));
    EXPECT_THAT(numbers(script_of(all, 99)), IsEmpty());
}

const Process step[] = {{20, 1, 1, "slurmstepd"}, {21, 20, 2, "bash"},   {22, 21, 3, "agent"},
                        {23, 22, 4, "python"},    {24, 22, 5, "python"}, {25, 24, 6, "loader"},
                        {26, 20, 7, "python"},    {30, 1, 8, "other"}};

TEST(Processes, BelowOneIsAllThatItStartedEachAfterItsParent) {
    EXPECT_THAT(numbers(below(step, 20)), ElementsAre(21, 26, 22, 23, 24, 25));
    EXPECT_THAT(numbers(below(step, 25)), IsEmpty());
}

TEST(Processes, TheFirstOnEachWayDownIsAsked) {
    struct Case {
        const char* sentence;
        std::vector<pid_t> handlers;
        std::vector<pid_t> asked;
    };
    const Case cases[] = {
        {"none has a handler", {}, {}},
        {"workers below an agent, not what they forked", {23, 24, 25}, {23, 24}},
        {"an agent that has one answers for its workers", {22, 23, 24}, {22}},
        {"a task that is the program itself", {26}, {26}},
        {"each task by itself", {21, 25, 26}, {26, 21}},
    };
    for (const Case& row : cases) {
        const auto has_handler = [&](const Process& process) {
            return std::count(row.handlers.begin(), row.handlers.end(), process.pid) > 0;
        };
        EXPECT_THAT(numbers(first_of(below(step, 20), has_handler)),
                    testing::UnorderedElementsAreArray(row.asked))
            << row.sentence;
    }
}

TEST(Processes, ReadsWhichSignalsHaveAHandler) {
    const std::string status = "Name:\tx\nSigIgn:\t0000000000000002\nSigCgt:\t0000000000000200\n";
    EXPECT_TRUE(is_in_mask(status, "SigCgt", SIGUSR1));
    EXPECT_FALSE(is_in_mask(status, "SigCgt", SIGUSR2));
    EXPECT_FALSE(is_in_mask(status, "SigCgt", SIGINT)) << "is ignored";
    EXPECT_FALSE(is_in_mask("Name:\tx\n", "SigCgt", SIGUSR1));
}

}  // namespace
}  // namespace hora::watch
