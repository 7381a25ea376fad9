#include "scripts/watch-job/report/late_ranks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "tests/unit/scratch_folder.hpp"

namespace hora::watch {
namespace {

constexpr int steps = 20;

// Two ranks, the second of which comes `by` seconds after the first in each step of a second.
std::string record(int rank, double by) {
    std::string text = fmt::format(
        "{{\"version\":1,\"host\":\"n1\",\"pid\":{0},\"rank\":{0},\"device\":null}}\n"
        "{{\"comm\":\"world\",\"rank\":{0},\"ranks\":2,\"nodes\":1}}\n",
        rank);
    for (int step = 1; step <= steps; ++step) {
        text += fmt::format(
            "{{\"comm\":\"world\",\"op\":\"AllReduce\",\"seq\":{},\"bytes\":64,\"begin\":{},"
            "\"end\":{}}}\n",
            step - 1, step - 0.01 - (rank == 0 ? by : 0), step);
        text += rank == 0 ? fmt::format("{{\"step\":{},\"at\":{}}}\n", step, step) : "";
    }
    return text;
}

struct Folder : tests::ScratchFolder {
    // One run's records, as its ranks have written them so far.
    void put(const std::string& run, double by) const {
        std::filesystem::create_directories(file("trace/" + run));
        write("trace/" + run + "/0.jsonl", record(0, by));
        write("trace/" + run + "/1.jsonl", record(1, by) + std::string(5000, '\0'));
    }
    std::optional<Seconds> late(std::uint32_t restarts, std::uint64_t done = 16) const {
        LateRanks ranks(path(), restarts);
        ranks.look(done);
        return ranks.of_step();
    }
};

TEST(LateRanks, AreThoseOfTheNewestRunOfThisStart) {
    const Folder folder;
    EXPECT_FALSE(folder.late(2)) << "nothing is recorded";
    folder.put("1.7", 0.1);
    folder.put("2.9", 0.2);
    folder.put("2.10", 0.3);
    folder.put("20.0", 0.4);
    ASSERT_TRUE(folder.late(2));
    EXPECT_NEAR(folder.late(2)->count(), 0.3, 1e-6);
    EXPECT_NEAR(folder.late(1)->count(), 0.1, 1e-6);
    EXPECT_FALSE(folder.late(3));
    EXPECT_FALSE(folder.late(2, 15)) << "too early";
}

TEST(LateRanks, AreLookedForAgainAfterFourTimesTheSteps) {
    const Folder folder;
    LateRanks ranks(folder.path(), 0);
    ranks.look(16);
    folder.put("0.0", 0.1);
    ranks.look(63);
    EXPECT_FALSE(ranks.of_step());
    ranks.look(64);
    ASSERT_TRUE(ranks.of_step());
    folder.put("0.0", 0.2);
    ranks.look(255);
    EXPECT_NEAR(ranks.of_step()->count(), 0.1, 1e-6);
    ranks.look(1000);
    EXPECT_NEAR(ranks.of_step()->count(), 0.2, 1e-6);
}

// What was found before stays, where anything was.
TEST(LateRanks, AreNotKnownByWhatCannotBeRead) {
    const std::pair<const char*, std::function<void(const Folder&, const std::string&)>> tests[] = {
        {"damaged", [](const Folder& folder, const std::string& file) { folder.write(file, "{"); }},
        {"empty so far",
         [](const Folder& folder, const std::string& file) {
             folder.write(file, std::string(100, '\0'));
         }},
        {"too large",
         [](const Folder& folder, const std::string& file) {
             folder.write(file, record(1, 0.1) + std::string(LateRanks::most_bytes, ' '));
         }},
        {"a fifo",
         [](const Folder& folder, const std::string& file) {
             unlink(folder.file(file).c_str());
             ASSERT_EQ(mkfifo(folder.file(file).c_str(), 0600), 0);
         }},
        {"another user's",
         [](const Folder& folder, const std::string& file) {
             if (chown(folder.file(file).c_str(), 1, -1) != 0) {
                 unlink(folder.file(file).c_str());  // only root can give it away
                 ASSERT_EQ(mkfifo(folder.file(file).c_str(), 0600), 0);
             }
         }},
        {"one line without an end",
         [](const Folder& folder, const std::string& file) {
             folder.write(file, std::string(LateRanks::most_bytes / 2, 'x'));
         }},
        {"a folder",
         [](const Folder& folder, const std::string& file) {
             unlink(folder.file(file).c_str());
             std::filesystem::create_directory(folder.file(file));
         }},
        {"a link",
         [](const Folder& folder, const std::string& file) {
             std::filesystem::rename(folder.file(file), folder.file("elsewhere"));
             ASSERT_EQ(symlink(folder.file("elsewhere").c_str(), folder.file(file).c_str()), 0);
         }},
        {"too many",
         [](const Folder& folder, const std::string& file) {
             for (std::size_t i = 0; i < LateRanks::most_ranks; ++i) {
                 folder.write(fmt::format("{}.{}.jsonl", file, i), "");
             }
         }},
    };
    for (const auto& [sentence, spoil] : tests) {
        const Folder folder;
        folder.put("0.0", 0.1);
        LateRanks before(folder.path(), 0);
        before.look(16);
        spoil(folder, "trace/0.0/1.jsonl");
        EXPECT_FALSE(folder.late(0)) << sentence;
        before.look(64);
        ASSERT_TRUE(before.of_step()) << sentence;
        EXPECT_NEAR(before.of_step()->count(), 0.1, 1e-6) << sentence;
    }
    LateRanks nowhere("", 0);
    nowhere.look(1000);
    EXPECT_FALSE(nowhere.of_step());
}

TEST(LateRanks, AreLookedForNoMoreOnceTheRecordsAreTooLarge) {
    const Folder folder;
    folder.put("0.0", 0.1);
    folder.write("trace/0.0/1.jsonl", record(1, 0.1) + std::string(LateRanks::most_bytes, ' '));
    LateRanks ranks(folder.path(), 0);
    ranks.look(16);
    folder.put("0.0", 0.1);
    ranks.look(1000);
    EXPECT_FALSE(ranks.of_step());
}

}  // namespace
}  // namespace hora::watch
