// Is what a pending job asked for before Hora changed it still known after a restart, and after an
// update?
#include "scripts/horad/journal/pending_journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "scripts/horad/journal/resize_json.hpp"
#include "tests/unit/horad/fake_slurm.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

class Pending : public testing::Test {
  protected:
    static PendingRequest asking_for(std::uint32_t gpus) {
        PendingRequest request{.shape = shape_with(gpus), .features = "a&\"b\"", .prefer = "c"};
        request.shape.tres_per_socket = "gres:gpu:1";
        request.shape.sockets_per_node = 2;
        request.shape.cores_per_socket = 2;
        request.shape.cpus_per_task = 8;
        return request;
    }

    static PendingChange plan(std::uint64_t number) {
        return {.number = number,
                .job = 7,
                .uid = 1000,
                .submitted = 1795279238,
                .restarts = 0,
                .before = asking_for(2),
                .given = asking_for(4),
                .priority = 4294901757U,
                .admin_comment = "site=x " + std::string(8000, 'y'),
                .resize = std::nullopt,
                .asked = 1795279230.25,
                .is_reverted = true,
                .tries = 2};
    }

    static PendingChange resize(std::uint64_t number) {
        PendingChange change = plan(number);
        change.admin_comment.clear();
        change.resize = SizeChange{.from = 2,
                                   .to = 4,
                                   .why = "idle \"GPUs\" " + std::string(100'000, 'w'),
                                   .is_manual = true};
        return change;
    }

    static ResizeEntry earlier_resize(std::uint64_t number, ResizeState state) {
        ResizeEntry entry;
        entry.number = number;
        entry.state = state;
        entry.resize.job = 7;
        entry.resize.from = 2;
        entry.resize.to = 4;
        entry.resize.why = "idle GPUs";
        entry.resize.is_manual = true;
        entry.uid = 1000;
        entry.submitted = 1795279238;
        entry.was_pending = true;
        entry.was = shape_with(2);
        entry.wanted = shape_with(4);
        entry.priority = 12;
        entry.tries = 1;
        entry.asked = 5;
        return entry;
    }

    static nlohmann::ordered_json earlier_plan(std::uint32_t times) {
        return {{"job", 7},
                {"uid", 1000},
                {"submitted", 1795279230},
                {"times", times},
                {"shape", to_json(shape_with(times))},
                {"features", "a"},
                {"prefer", "c"},
                {"admin_comment", "site=x"},
                {"priority", 12}};
    }

    void leave(const char* file, const char* key,
               const std::vector<nlohmann::ordered_json>& entries) const {
        std::ofstream(folder_.file(file)) << nlohmann::ordered_json{{"version", 1}, {key, entries}};
    }

    std::unique_ptr<PendingJournal> open() {
        file_ = std::make_unique<JournalFile>(folder_.path());
        return std::make_unique<PendingJournal>(*file_);
    }

    std::vector<PendingChange> loaded() {
        const auto changes = open()->load();
        EXPECT_TRUE(changes) << changes.error().message;
        return changes.value_or(std::vector<PendingChange>());
    }

    const tests::ScratchFolder folder_;
    std::unique_ptr<JournalFile> file_;
};

TEST_F(Pending, gives_back_what_it_was_given) {
    const auto journal = open();
    ASSERT_TRUE(journal->load());
    for (const PendingChange& change : {plan(1), resize(2), plan(3)}) {
        ASSERT_TRUE(journal->keep(change));
    }
    ASSERT_TRUE(journal->forget(3));
    EXPECT_EQ(loaded(), (std::vector{plan(1), resize(2)}));
}

TEST_F(Pending, takes_over_the_sizes_that_an_earlier_horad_gave) {
    leave("resized.json", "resizes",
          {to_json(earlier_resize(3, ResizeState::updating_request)),
           to_json(earlier_resize(5, ResizeState::waiting_to_start))});
    const std::vector<PendingChange> changes = loaded();
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0], change_of(earlier_resize(3, ResizeState::updating_request)));
    EXPECT_FALSE(changes[0].is_reverted);
    EXPECT_EQ(changes[1].number, 5U);
    EXPECT_TRUE(changes[1].is_reverted);
    EXPECT_EQ(changes[1].tries, 1U);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("resized.json")));
    EXPECT_EQ(loaded(), changes) << "they are in the journal";
}

TEST_F(Pending, takes_over_the_plans_that_an_earlier_horad_replaced) {
    leave("replans.json", "plans", {earlier_plan(2), earlier_plan(1)});
    leave("resized.json", "resizes", {to_json(earlier_resize(3, ResizeState::queued))});
    const std::vector<PendingChange> changes = loaded();
    ASSERT_EQ(changes.size(), 3U);
    EXPECT_EQ(changes[1].before.shape, shape_with(1)) << "in the order in which they were made";
    const PendingChange& newest = changes[2];
    EXPECT_EQ(newest.number, 5U) << "after what else there is";
    EXPECT_EQ(newest.before,
              (PendingRequest{.shape = shape_with(2), .features = "a", .prefer = "c"}));
    EXPECT_EQ(newest.given, std::nullopt);
    EXPECT_EQ(newest.admin_comment, "site=x");
    EXPECT_EQ(newest.priority, 12U);
    EXPECT_FALSE(std::filesystem::exists(folder_.file("replans.json")));
    EXPECT_EQ(loaded(), changes);
}

TEST_F(Pending, takes_over_both_lists_of_an_earlier_journal) {
    file_ = std::make_unique<JournalFile>(folder_.path());
    ASSERT_TRUE(ListJournal<ResizeEntry>(*file_, list_of_given_sizes)
                    .keep(earlier_resize(3, ResizeState::queued)));
    EXPECT_EQ(loaded().size(), 1U);
    JournalList<ResizeEntry> sizes(*file_, list_of_given_sizes);
    ASSERT_TRUE(sizes.load());
    EXPECT_TRUE(sizes.all().empty());
}

TEST_F(Pending, says_what_of_an_earlier_list_is_damaged_and_takes_the_rest) {
    leave("replans.json", "plans", {earlier_plan(1)});
    leave("resized.json", "resizes", {nlohmann::ordered_json{{"number", 1}}});
    const auto journal = open();
    const auto changes = journal->load();
    ASSERT_FALSE(changes);
    const std::string& said = changes.error().message;
    EXPECT_NE(said.find("before they were resized"), std::string::npos) << said;
    EXPECT_NE(said.find("resized.json.damaged-"), std::string::npos) << said;
    ASSERT_TRUE(journal->load()) << "said once";
    EXPECT_EQ(journal->load()->size(), 1U);
}

TEST_F(Pending, says_of_each_earlier_list_that_it_is_damaged) {
    for (const char* const file : {"resized.json", "replans.json"}) {
        std::ofstream(folder_.file(file)) << "{\"version\": 1, \"torn";
    }
    const auto changes = open()->load();
    ASSERT_FALSE(changes);
    for (const char* const file : {"resized.json.damaged-", "replans.json.damaged-"}) {
        EXPECT_NE(changes.error().message.find(file), std::string::npos) << file;
    }
}

TEST_F(Pending, keeps_nothing_that_is_not_on_disk) {
    JournalFile lost(folder_.file("missing"));
    PendingJournal journal(lost);
    EXPECT_FALSE(journal.load());
    EXPECT_FALSE(journal.keep(plan(1)));
}

}  // namespace
}  // namespace hora::horad
