// Do lines stay in the file whatever becomes of the process, and is what is written a record?
#include "plugins/mpi/record/record_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "libplanner/read/file.hpp"
#include "libplanner/read/trace/rank_record.hpp"
#include "plugins/mpi/record/lines.hpp"
#include "plugins/mpi/record/progress_tail.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::mpi {
namespace {

constexpr std::size_t plenty = std::size_t{64} << 20;

void write_record(RecordFile& file, const std::string& path, std::uint64_t calls) {
    ASSERT_EQ(file.open(path, plenty), 0);
    file.append(head_line("n\"1", 17, 2));
    file.append(communicator_line({.name = "world", .rank = 2, .ranks = 4, .nodes = 2}));
    for (std::uint64_t k = 0; k < calls; ++k) {
        char memory[longest_call_line];
        file.append(write_call_line({.communicator = "world",
                                     .operation = "Send",
                                     .sequence = k,
                                     .bytes = 8,
                                     .begin = 1'000'000'005 + k,
                                     .end = 2'500'000'000 + k,
                                     .peer = 3,
                                     .ahead = k},
                                    memory));
    }
}

domain::RankRecord read_back(const std::string& path) {
    const auto text = read::read_file(path);
    EXPECT_TRUE(text.has_value());
    const auto record = read::read_rank_record(text.value_or(""));
    EXPECT_TRUE(record.has_value()) << (record ? "" : record.error().message);
    return record.value_or(domain::RankRecord());
}

std::string place(const tests::ScratchFolder& folder, const char* name) {
    return folder.file(name);
}

TEST(RecordFile, IsARecordThatIsAsLongAsItsLines) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "a.jsonl");
    RecordFile file;
    write_record(file, path, 20'000);
    file.append(step_line(3, 2'600'000'000));
    file.close();
    const auto record = read_back(path);
    EXPECT_EQ(record.host, "n1");
    EXPECT_EQ(record.rank, 2u);
    ASSERT_EQ(record.calls.size(), 20'000u);
    EXPECT_EQ(record.calls[0].begin, Seconds(1.000000005));
    EXPECT_EQ(record.calls[0].end, Seconds(2.5));
    EXPECT_EQ(record.calls[0].peer, 3u);
    EXPECT_EQ(record.calls[0].ahead, 0u);
    EXPECT_EQ(record.calls[2].ahead, 2u);
    EXPECT_EQ(record.calls.back().sequence, 19'999u);
    ASSERT_EQ(record.steps.size(), 1u);
    const auto text = read::read_file(path);
    EXPECT_EQ(text->find('\0'), std::string::npos);
}

TEST(RecordFile, HasEachLineOfAProcessThatIsKilled) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "a.jsonl");
    const pid_t child = fork();
    if (child == 0) {
        RecordFile file;
        write_record(file, path, 12'345);
        kill(getpid(), SIGKILL);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(read_back(path).calls.size(), 12'345u);
}

TEST(RecordFile, KeepsLinesOfThreadsApart) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "a.jsonl");
    RecordFile file;
    write_record(file, path, 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&file] {
            for (std::uint64_t k = 0; k < 5'000; ++k) {
                file.append(step_line(k, k));
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    file.close();
    EXPECT_EQ(read_back(path).steps.size(), 20'000u);
}

TEST(RecordFile, EndsWhereItMayNotGrow) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "a.jsonl");
    RecordFile file;
    write_record(file, path, 10);
    file.close();
    EXPECT_EQ(file.open(path, plenty), EEXIST);
    EXPECT_EQ(file.append("x\n"), 0);
    EXPECT_EQ(file.open(place(folder, "none/b.jsonl"), plenty), ENOENT);
    ASSERT_EQ(file.open(place(folder, "b.jsonl"), 4), 0);
    EXPECT_EQ(file.append("12345\n"), EFBIG);
    EXPECT_EQ(file.append("1\n"), 0);  // it is closed
}

// Its owner may shorten it, and so may what cleans up a folder: no line follows, nor a hole.
TEST(RecordFile, EndsWhereTheFileWasMadeShorter) {
    struct Case {
        const char* name;
        std::size_t left;
    };
    const Case cases[] = {
        {"to nothing", 0},
        {"to the middle of a line", 100},
    };
    for (const Case& c : cases) {
        const tests::ScratchFolder folder;
        const std::string path = place(folder, "a.jsonl");
        const pid_t child = fork();
        if (child == 0) {
            RecordFile file;
            write_record(file, path, 10);
            const bool is_shorter = truncate(path.c_str(), static_cast<off_t>(c.left)) == 0;
            _exit(is_shorter && file.append("1\n") == ESTALE && file.append("2\n") == 0 ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_TRUE(WIFEXITED(status)) << c.name << ", signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0) << c.name;
        const std::string text = read::read_file(path).value_or("");
        EXPECT_EQ(text.size(), c.left) << c.name;
        EXPECT_EQ(text.find('\0'), std::string::npos) << c.name;
    }
}

// The limit's signal would end the program.
TEST(RecordFile, IsNotWrittenBeyondTheLimitOfTheProcess) {
    const tests::ScratchFolder folder;
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit low{5, before.rlim_max};
    const std::string path = place(folder, "a.jsonl");
    RecordFile file;
    ASSERT_EQ(file.open(path, plenty), 0);
    setrlimit(RLIMIT_FSIZE, &low);
    const int reasons[] = {file.append("1\n"), file.append("2\n"), file.append("3\n")};
    setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_THAT(reasons, testing::ElementsAre(0, 0, EFBIG));
    EXPECT_EQ(read::read_file(path).value_or(""), "1\n2\n");
}

TEST(ProgressTail, TellsStepsThatWereReportedSinceTheStart) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "progress.jsonl");
    std::ofstream(path) << R"({"step":1,"seconds":0.5})" << '\n';
    ProgressTail tail;
    tail.start(path);
    EXPECT_TRUE(tail.take_steps().empty());
    std::ofstream(path, std::ios::app) << R"({"seconds":0.5, "step" : 2})"
                                       << "\nloss 3\n"
                                       << R"({"step":3,)";
    EXPECT_EQ(tail.take_steps(), std::vector<std::uint64_t>{2});
    std::ofstream(path, std::ios::app) << R"("seconds":1})" << '\n';
    EXPECT_EQ(tail.take_steps(), std::vector<std::uint64_t>{3});
    EXPECT_TRUE(tail.take_steps().empty());
}

TEST(ProgressTail, WaitsForAFileThatIsNotThere) {
    const tests::ScratchFolder folder;
    const std::string path = place(folder, "progress.jsonl");
    ProgressTail tail;
    tail.start(path);
    EXPECT_TRUE(tail.take_steps().empty());
    std::ofstream(path) << R"({"step":1,"seconds":0.5})" << '\n';
    EXPECT_EQ(tail.take_steps(), std::vector<std::uint64_t>{1});
}

}  // namespace
}  // namespace hora::mpi
