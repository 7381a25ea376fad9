// Is a resize read as it was written, also from the files of an earlier horad?
#include "scripts/horad/journal/resize_journal.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "scripts/horad/journal/resize_json.hpp"
#include "tests/unit/horad/fake_slurm.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::horad {
namespace {

class Resizes : public testing::Test {
  protected:
    static ResizeEntry entry(std::uint64_t number) {
        ResizeEntry entry;
        entry.number = number;
        entry.resize = {.job = 7,
                        .restarts = 2,
                        .from = 2,
                        .to = 4,
                        .min = 1,
                        .sizes = {1, 2, 4},
                        .why = "idle \"GPUs\"",
                        .limit = {.is_lowered = true, .stated_for = 4, .longest = Seconds(7200)},
                        .is_manual = true,
                        .signal = domain::CheckpointSignal::usr2};
        entry.state = ResizeState::waiting_to_start;
        entry.uid = 1000;
        entry.submitted = 1795279238;
        entry.where = "n[1-2]";
        entry.was = shape_with(2);
        entry.wanted = shape_with(4);
        entry.wanted.tres_per_socket = "gres:gpu:2";
        entry.wanted.sockets_per_node = 2;
        entry.wanted.cpus_per_task = 8;
        entry.wanted_before = shape_with(3);
        entry.restarts = 3;
        entry.max_nodes = 2;
        entry.rest_of_request = "afterany:8\n\nmain";
        entry.priority = 4294901757U;
        entry.raised = 4294901760U;
        entry.tries = 1;
        entry.waits_until = 1795279359;
        entry.begins = 1795279239;
        entry.latest = 1795279238;
        entry.controller = 1795270000;
        entry.returned_for = "QOSMaxCpuPerUserLimit";
        entry.has_fallen_back = true;
        entry.began = 1795279000;
        entry.limit = Seconds(600);
        entry.next_limit = Seconds(420);
        entry.asked = 1795279230.25;
        entry.ready = 1795279237.5;
        return entry;
    }

    // As a horad without a journal left it.
    void leave(const std::string& text) const {
        std::ofstream(folder_.file("resizes.json")) << text;
    }

    static std::string earlier_text(const std::vector<nlohmann::ordered_json>& resizes) {
        return nlohmann::ordered_json{{"version", 1}, {"resizes", resizes}}.dump(1);
    }

    Expected<std::vector<ResizeEntry>> loaded() const {
        JournalFile file(folder_.path());
        return ResizeJournal(file, list_of_resizes).load();
    }

    const tests::ScratchFolder folder_;
};

TEST_F(Resizes, gives_back_what_it_was_given) {
    JournalFile file(folder_.path());
    ResizeJournal journal(file, list_of_resizes);
    ASSERT_TRUE(journal.load());
    ASSERT_TRUE(journal.keep(entry(1)));
    ASSERT_TRUE(journal.keep(entry(2)));
    ASSERT_TRUE(journal.keep(entry(1)));
    ASSERT_TRUE(journal.forget(2));
    const auto entries = loaded();
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front(), entry(1));
}

struct LongField {
    const char* sentence;
    void (*fill)(ResizeEntry& entry, const std::string& text);
};

const LongField long_fields[] = {
    {"the rest of a request, which names files and dependencies",
     [](ResizeEntry& entry, const std::string& text) { entry.rest_of_request = text; }},
    {"the nodes of a start, where no two are neighbours",
     [](ResizeEntry& entry, const std::string& text) { entry.where = text; }},
    {"what a job waited for, with the nodes that are not available",
     [](ResizeEntry& entry, const std::string& text) { entry.returned_for = text; }},
    {"why it is resized",
     [](ResizeEntry& entry, const std::string& text) { entry.resize.why = text; }},
    {"the resources of a node",
     [](ResizeEntry& entry, const std::string& text) { entry.was.tres_per_node = text; }},
    {"the resources of a socket",
     [](ResizeEntry& entry, const std::string& text) { entry.wanted.tres_per_socket = text; }},
    {"a size for each number of GPUs of a large cluster",
     [](ResizeEntry& entry, const std::string& text) {
         entry.resize.sizes.resize(text.size());
         std::iota(entry.resize.sizes.begin(), entry.resize.sizes.end(), 1U);
     }},
};

TEST_F(Resizes, reads_fields_of_any_length_that_it_wrote) {
    for (const LongField& test : long_fields) {
        SCOPED_TRACE(test.sentence);
        ResizeEntry wanted = entry(1);
        test.fill(wanted, std::string(100'000, 'n'));
        JournalFile file(folder_.path());
        ResizeJournal journal(file, list_of_resizes);
        ASSERT_TRUE(journal.load());
        ASSERT_TRUE(journal.keep(wanted));
        const auto entries = loaded();
        ASSERT_TRUE(entries) << entries.error().message;
        EXPECT_EQ(*entries, std::vector{wanted});
    }
}

TEST_F(Resizes, takes_over_the_file_of_an_earlier_horad) {
    leave(earlier_text({to_json(entry(1)), to_json(entry(2))}));
    const auto entries = loaded();
    ASSERT_TRUE(entries) << entries.error().message;
    EXPECT_EQ(*entries, (std::vector{entry(1), entry(2)}));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("resizes.json")));
    EXPECT_EQ(*loaded(), *entries) << "they are in the journal";
}

// Killed after the journal had them and before the file was removed.
TEST_F(Resizes, takes_a_file_over_once) {
    leave(earlier_text({to_json(entry(1))}));
    ASSERT_TRUE(loaded());
    leave(earlier_text({to_json(entry(1))}));
    EXPECT_EQ(*loaded(), std::vector{entry(1)});
    ResizeEntry later = entry(1);
    later.state = ResizeState::verifying;
    JournalFile file(folder_.path());
    ASSERT_TRUE(ResizeJournal(file, list_of_resizes).keep(later));
    leave(earlier_text({to_json(entry(1))}));
    EXPECT_EQ(*loaded(), std::vector{later}) << "the journal has the newer one";
}

TEST_F(Resizes, reads_what_a_daemon_wrote_that_knew_less) {
    auto object = to_json(entry(1));
    for (const char* const key :
         {"lowers_limit", "began", "limit", "next_limit", "limit_requested", "longest_limit",
          "own_limit", "rest_of_limit", "manual", "controller", "signal", "where"}) {
        ASSERT_EQ(object.erase(key), 1U) << key;
    }
    object["state"] = "releasing";
    ASSERT_EQ(object["wanted"].erase("cpus_per_task"), 1U);
    leave(earlier_text({object}));
    const auto entries = loaded();
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().state, ResizeState::waiting_to_start);
    EXPECT_TRUE(entries->front().where.empty());
    EXPECT_EQ(entries->front().resize.limit, LimitRule{});
    EXPECT_EQ(entries->front().next_limit, Seconds(0));
    EXPECT_FALSE(entries->front().resize.is_manual);
    EXPECT_EQ(entries->front().resize.signal, domain::CheckpointSignal::usr1);
    EXPECT_EQ(entries->front().wanted.cpus_per_task, 0U);
}

TEST_F(Resizes, sets_a_damaged_file_of_an_earlier_horad_aside) {
    const char* const texts[] = {
        "",
        "[]",
        "{\"version\": 1",
        "{\"version\": 2, \"resizes\": []}",
        "{\"version\": 1, \"resizes\": [{\"number\": 1}]}",
        "{\"version\": 1, \"resizes\": [], \"more\": 1}",
    };
    for (const char* const text : texts) {
        leave(text);
        JournalFile file(folder_.path());
        ResizeJournal journal(file, list_of_resizes);
        const auto damaged = journal.load();
        ASSERT_FALSE(damaged) << text;
        const std::string& said = damaged.error().message;
        EXPECT_NE(said.find("set aside as \"" + folder_.file("resizes.json.damaged-")),
                  std::string::npos)
            << said;
        EXPECT_TRUE(journal.load()) << "said once";
        EXPECT_TRUE(journal.load()->empty());
    }
}

TEST_F(Resizes, says_what_becomes_of_the_jobs_of_a_damaged_list) {
    leave(earlier_text({nlohmann::ordered_json{{"number", 1}}}));
    const auto entries = loaded();
    ASSERT_FALSE(entries);
    const std::string& said = entries.error().message;
    EXPECT_NE(said.find("cannot go on with the resizes"), std::string::npos) << said;
    EXPECT_NE(said.find("jobs get their own priorities back"), std::string::npos) << said;
}

Resize with_batch(std::uint32_t from, std::uint32_t to, const char* why, std::uint64_t batch) {
    Resize resize;
    resize.from = from;
    resize.to = to;
    resize.why = why;
    resize.batch = batch;
    return resize;
}

TEST(Resize, SaysItsReason) {
    EXPECT_EQ(reason_of(with_batch(1, 4, "idle GPUs", 0)), "idle GPUs");
    EXPECT_EQ(reason_of(with_batch(1, 4, "idle GPUs", 512)), "idle GPUs, with a batch of 512");
    EXPECT_EQ(reason_of(with_batch(4, 4, "with a batch of 512 in place of 64", 512)),
              "with a batch of 512 in place of 64");
}

}  // namespace
}  // namespace hora::horad
