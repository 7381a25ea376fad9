#include "scripts/watch-job/processes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace hora::watch {
namespace {

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
        EXPECT_EQ(*process, (Process{17, 5, 4711, name})) << name;
    }
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

}  // namespace
}  // namespace hora::watch
