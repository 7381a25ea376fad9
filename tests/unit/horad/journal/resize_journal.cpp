#include "scripts/horad/journal/journal.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

class JournalFile : public testing::Test {
  protected:
    JournalFile() {
        char name[] = "/tmp/hora-journal.XXXXXX";
        folder_ = mkdtemp(name);
        path_ = folder_ + "/resizes.json";
    }
    ~JournalFile() override { std::filesystem::remove_all(folder_); }

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
                        .lowers_limit = true,
                        .is_by_hand = true,
                        .signal = domain::CheckpointSignal::usr2};
        entry.state = ResizeState::releasing;
        entry.uid = 1000;
        entry.submitted = 1795279238;
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

    void write(const std::string& text) { std::ofstream(path_) << text; }

    std::string folder_;
    std::string path_;
};

TEST_F(JournalFile, gives_back_what_it_was_given) {
    FileJournal journal(path_, words_of_resizes());
    ASSERT_TRUE(journal.load());
    ASSERT_TRUE(journal.keep(entry(1)));
    ASSERT_TRUE(journal.keep(entry(2)));
    ASSERT_TRUE(journal.keep(entry(1)));
    ASSERT_TRUE(journal.forget(2));
    FileJournal later(path_, words_of_resizes());
    const auto entries = later.load();
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 1U);
    const ResizeEntry& found = entries->front();
    const ResizeEntry wanted = entry(1);
    EXPECT_EQ(found.number, wanted.number);
    EXPECT_EQ(found.resize.job, wanted.resize.job);
    EXPECT_EQ(found.resize.restarts, wanted.resize.restarts);
    EXPECT_EQ(found.resize.from, wanted.resize.from);
    EXPECT_EQ(found.resize.to, wanted.resize.to);
    EXPECT_EQ(found.resize.min, wanted.resize.min);
    EXPECT_EQ(found.resize.sizes, wanted.resize.sizes);
    EXPECT_EQ(found.resize.why, wanted.resize.why);
    EXPECT_EQ(found.state, wanted.state);
    EXPECT_EQ(found.uid, wanted.uid);
    EXPECT_EQ(found.submitted, wanted.submitted);
    EXPECT_EQ(found.was, wanted.was);
    EXPECT_EQ(found.wanted, wanted.wanted);
    EXPECT_EQ(found.wanted_before, wanted.wanted_before);
    EXPECT_EQ(found.restarts, wanted.restarts);
    EXPECT_EQ(found.max_nodes, wanted.max_nodes);
    EXPECT_EQ(found.rest_of_request, wanted.rest_of_request);
    EXPECT_EQ(found.priority, wanted.priority);
    EXPECT_EQ(found.raised, wanted.raised);
    EXPECT_EQ(found.tries, wanted.tries);
    EXPECT_EQ(found.waits_until, wanted.waits_until);
    EXPECT_EQ(found.begins, wanted.begins);
    EXPECT_EQ(found.latest, wanted.latest);
    EXPECT_EQ(found.controller, wanted.controller);
    EXPECT_EQ(found.returned_for, wanted.returned_for);
    EXPECT_EQ(found.has_fallen_back, wanted.has_fallen_back);
    EXPECT_EQ(found.resize.lowers_limit, wanted.resize.lowers_limit);
    EXPECT_EQ(found.resize.is_by_hand, wanted.resize.is_by_hand);
    EXPECT_EQ(found.resize.signal, wanted.resize.signal);
    EXPECT_EQ(found.began, wanted.began);
    EXPECT_EQ(found.limit, wanted.limit);
    EXPECT_EQ(found.next_limit, wanted.next_limit);
    EXPECT_EQ(found.asked, wanted.asked);
    EXPECT_EQ(found.ready, wanted.ready);
}

TEST_F(JournalFile, goes_on_with_the_entries_of_an_earlier_daemon) {
    {
        FileJournal journal(path_, words_of_resizes());
        ASSERT_TRUE(journal.load());
        ASSERT_TRUE(journal.keep(entry(1)));
    }
    FileJournal journal(path_, words_of_resizes());
    ASSERT_TRUE(journal.load());
    ASSERT_TRUE(journal.keep(entry(2)));
    EXPECT_EQ(FileJournal(path_, words_of_resizes()).load()->size(), 2U);
}

TEST_F(JournalFile, reads_what_a_daemon_wrote_that_knew_less) {
    {
        FileJournal journal(path_, words_of_resizes());
        ASSERT_TRUE(journal.load());
        ASSERT_TRUE(journal.keep(entry(1)));
    }
    std::ifstream file(path_);
    auto document = nlohmann::ordered_json::parse(file);
    for (const char* const key :
         {"lowers_limit", "began", "limit", "next_limit", "by_hand", "controller", "signal"}) {
        ASSERT_EQ(document["resizes"][0].erase(key), 1U) << key;
    }
    ASSERT_EQ(document["resizes"][0]["wanted"].erase("cpus_per_task"), 1U);
    write(document.dump());
    const auto entries = FileJournal(path_, words_of_resizes()).load();
    ASSERT_TRUE(entries) << entries.error().message;
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_FALSE(entries->front().resize.lowers_limit);
    EXPECT_EQ(entries->front().next_limit, Seconds(0));
    EXPECT_FALSE(entries->front().resize.is_by_hand);
    EXPECT_EQ(entries->front().resize.signal, domain::CheckpointSignal::usr1);
    EXPECT_EQ(entries->front().wanted.cpus_per_task, 0U);
}

TEST_F(JournalFile, takes_no_other_file_for_a_journal) {
    const char* const texts[] = {
        "",
        "[]",
        "{\"version\": 1",
        "{\"version\": 2, \"resizes\": []}",
        "{\"version\": 1, \"resizes\": [{\"number\": 1}]}",
        "{\"version\": 1, \"resizes\": [], \"more\": 1}",
    };
    for (const char* const text : texts) {
        write(text);
        const auto entries = FileJournal(path_, words_of_resizes()).load();
        ASSERT_FALSE(entries) << text;
        EXPECT_NE(entries.error().message.find(path_), std::string::npos)
            << entries.error().message;
    }
}

TEST_F(JournalFile, sets_a_damaged_one_aside_and_begins_anew) {
    write("{\"version\": 1, \"resizes\": [");
    FileJournal journal(path_, words_of_resizes());
    const auto damaged = journal.load();
    ASSERT_FALSE(damaged);
    const std::string& said = damaged.error().message;
    EXPECT_NE(said.find("set aside as \"" + path_ + ".damaged-"), std::string::npos) << said;
    const auto anew = journal.load();
    ASSERT_TRUE(anew) << anew.error().message;
    EXPECT_TRUE(anew->empty());
    ASSERT_TRUE(journal.keep(entry(3)));
    EXPECT_EQ(FileJournal(path_, words_of_resizes()).load()->size(), 1U);
}

TEST_F(JournalFile, one_that_is_no_file_is_damaged_and_one_that_cannot_be_read_is_not) {
    std::filesystem::create_directory(path_);
    FileJournal journal(path_, words_of_resizes());
    EXPECT_FALSE(journal.load());
    EXPECT_TRUE(journal.load());
    FileJournal lost("/dev/null/resizes.json", words_of_resizes());
    EXPECT_FALSE(lost.load());
    EXPECT_FALSE(lost.load());
}

TEST_F(JournalFile, is_for_its_owner_alone) {
    ASSERT_TRUE(FileJournal(path_, words_of_resizes()).keep(entry(1)));
    EXPECT_EQ(std::filesystem::status(path_).permissions(), std::filesystem::perms(0600));
}

TEST_F(JournalFile, keeps_the_old_state_where_it_cannot_write) {
    FileJournal journal(folder_ + "/missing/resizes.json", words_of_resizes());
    EXPECT_FALSE(journal.keep(entry(1)));
    EXPECT_TRUE(journal.load()->empty());
}

// Each says which of the two files it is, and what becomes of the jobs.
TEST_F(JournalFile, speaks_of_what_it_holds) {
    struct Case {
        const char* name;
        StateWords words;
        const char* says;
        const char* advises;
    };
    const Case cases[] = {
        {"resizes under way", words_of_resizes(), "cannot go on with the resizes",
         "it begins anew; jobs get their own priorities back"},
        {"sizes of waiting jobs", words_of_given_sizes(),
         "cannot tell what waiting jobs asked for before they were resized",
         "it begins anew; they keep their sizes"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        write("{\"version\": 1, \"resizes\": [{\"number\": 1}]}");
        const auto entries = FileJournal(path_, each.words).load();
        ASSERT_FALSE(entries);
        for (const Case& other : cases) {
            const bool is_own = other.name == each.name;
            const std::string& said = entries.error().message;
            EXPECT_EQ(said.find(other.says) != std::string::npos, is_own) << said;
            EXPECT_EQ(said.find(other.advises) != std::string::npos, is_own) << said;
        }
        FileJournal unwritable(folder_ + "/missing/file.json", each.words);
        const auto kept = unwritable.keep(entry(1));
        ASSERT_FALSE(kept);
        EXPECT_NE(kept.error().message.find(each.words.name), std::string::npos)
            << kept.error().message;
    }
}

}  // namespace
}  // namespace hora::horad
