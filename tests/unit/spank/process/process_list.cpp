// Is a process read from /proc whatever its program calls itself?
#include "plugins/spank/process/process_list.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "tests/unit/scratch_folder.hpp"

namespace hora::spank {
namespace {

// As the kernel has it, of a child of process 11.
std::string stat_of(std::string_view name, char state = 'S') {
    std::string text = "42 (";
    text += name;
    text += ") ";
    text += state;
    text += " 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 1000 200 18446744073709551615";
    return text;
}

TEST(ProcessList, knows_a_process_by_the_text_of_the_kernel) {
    const auto process = read_process(stat_of("python3"));
    ASSERT_TRUE(process);
    EXPECT_EQ(*process, (Process{.pid = 42,
                                 .parent = 11,
                                 .start = 98765,
                                 .name = "python3",
                                 .session = 13,
                                 .has_ended = false}));
    EXPECT_TRUE(read_process(stat_of("x", 'Z'))->has_ended);
}

TEST(ProcessList, lets_a_program_call_itself_anything) {
    for (const std::string_view name :
         {"", " ", ")", "(", ") S 1 2 3 (", "a) Z 1 (b", "\n", "((()))"}) {
        const auto process = read_process(stat_of(name));
        ASSERT_TRUE(process) << name;
        EXPECT_EQ(process->name, name);
        EXPECT_EQ(process->parent, 11);
        EXPECT_FALSE(process->has_ended);
    }
}

TEST(ProcessList, is_not_read_from_anything_else) {
    const std::string whole = stat_of("x");
    const std::size_t start = whole.find("98765");
    for (std::size_t length = 0; length < start; ++length) {
        EXPECT_FALSE(read_process(whole.substr(0, length))) << whole.substr(0, length);
    }
    for (const char* const text :
         {"x (x) S 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765",
          "42 (x) S a 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765",
          "42 (x) S 11 12 a 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765",
          "42 (x) S 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 a",
          "42 (x) S 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 -1",
          "99999999999999999999 (x) S 11 12 13 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 1", " (",
          ") (", ") ", "42 () ", "42 (x)", "42 ()"}) {
        EXPECT_FALSE(read_process(text)) << text;
    }
}

TEST(ProcessList, has_this_process_and_its_child_until_that_is_taken_note_of) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // where an assertion fails
        ::prctl(PR_SET_NAME, "a) S 1 (b");
        ::setsid();
        static_cast<void>(!::write(ready[1], "x", 1));
        ::pause();
        ::_exit(0);
    }
    char letter = 0;
    ASSERT_EQ(::read(ready[0], &letter, 1), 1);
    const auto found = find_process(child);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->pid, child);
    EXPECT_EQ(found->parent, ::getpid());
    EXPECT_EQ(found->session, child);
    EXPECT_EQ(found->name, "a) S 1 (b");
    EXPECT_FALSE(found->has_ended);
    EXPECT_GE(found->start, find_process(::getpid())->start);
    const auto all = all_processes();
    EXPECT_EQ(std::count(all.begin(), all.end(), *found), 1);
    EXPECT_TRUE(std::any_of(all.begin(), all.end(),
                            [](const Process& process) { return process.pid == ::getpid(); }));
    ::kill(child, SIGKILL);
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(find_process(child)->has_ended);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(find_process(child));
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST(ProcessList, knows_the_name_that_the_kernel_gives_a_program) {
    const tests::ScratchFolder folder;
    for (const char* const name :
         {"hora-watch-job", "fifteen-letters", "sixteen-letters-", "hora-watch-job-of-the-site"}) {
        const std::string program = folder.file(name);
        folder.write(name, "#!/bin/sh\necho runs\nread -r line\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        int input[2];
        int output[2];
        ASSERT_EQ(::pipe(input), 0);
        ASSERT_EQ(::pipe(output), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::dup2(input[0], STDIN_FILENO);
            ::dup2(output[1], STDOUT_FILENO);
            ::close(input[1]);
            ::execl(program.c_str(), program.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(output[1]);
        char letter = 0;
        EXPECT_EQ(::read(output[0], &letter, 1), 1);
        const auto found = find_process(child);
        EXPECT_EQ(found ? found->name : "none", process_name(program));
        for (const int descriptor : {input[0], input[1], output[0]}) {
            ::close(descriptor);
        }
        ::waitpid(child, nullptr, 0);
    }
}

TEST(ProcessList, reads_a_file_up_to_a_length) {
    const std::string whole = read_process_text(::getpid(), "stat", 4096);
    EXPECT_EQ(whole.substr(0, whole.find(' ')), std::to_string(::getpid()));
    EXPECT_EQ(read_process_text(::getpid(), "stat", 3), whole.substr(0, 3));
    EXPECT_EQ(read_process_text(::getpid(), "stat", 0), "");
    EXPECT_EQ(read_process_text(::getpid(), "no-such-file", 100), "");
    EXPECT_EQ(read_process_text(0, "stat", 100), "");
    EXPECT_FALSE(find_process(0));
    EXPECT_FALSE(find_process(-1));
}

}  // namespace
}  // namespace hora::spank
