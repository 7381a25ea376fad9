// Does a record of a plan come through whole or not at all, and only from where it may?
#include "plugins/slurm/store/plan_spool.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include <csignal>
#include <ctime>
#include <filesystem>
#include <set>

#include "libplanner/read/state/decision_token.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::slurm {
namespace {

constexpr std::int64_t now = 1'795'279'238;

domain::Decision decision() {
    domain::Decision decision;
    decision.operating = "act";
    decision.has_plan = true;
    decision.gpus = 2;
    decision.nodes = 1;
    decision.where = "n1";
    decision.rejected.assign(
        50, {domain::Mode::independent, 1, "1 x titanx on n1", Seconds(300), "too long"});
    return decision;
}

class PlanSpoolTest : public ::testing::Test {
  protected:
    PlanSpoolTest() : spool_(plan_folder(folder_.path())) {
        std::filesystem::create_directory(spool_.folder());
    }

    std::size_t files() const {
        const std::filesystem::directory_iterator all(spool_.folder());
        return static_cast<std::size_t>(std::distance(begin(all), end(all)));
    }

    tests::ScratchFolder folder_;
    PlanSpool spool_;
};

TEST_F(PlanSpoolTest, GivesBackWhatItWasGiven) {
    const mode_t before = ::umask(0077);
    const auto word = spool_.keep(decision(), now);
    ::umask(before);
    ASSERT_TRUE(word) << word.error().message;
    const auto found = read::find_plan_word(*word);
    ASSERT_TRUE(found) << *word;
    EXPECT_EQ(spool_.keys(10), std::vector<std::string>{found->key});
    const auto text = spool_.read(found->key, ::geteuid());
    ASSERT_TRUE(text && *text);
    EXPECT_EQ(**text, report::to_record(decision()));
    struct stat status {};
    ASSERT_EQ(::stat((spool_.folder() + "/" + found->key).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0644U) << "whatever the umask";
    spool_.remove(found->key);
    EXPECT_EQ(*spool_.read(found->key, ::geteuid()), std::nullopt);
}

TEST_F(PlanSpoolTest, GivesEachRecordItsOwnKey) {
    std::set<std::string> words;
    for (int i = 0; i < 500; ++i) {
        words.insert(spool_.keep(decision(), now).value());
    }
    EXPECT_EQ(words.size(), 500U);
    EXPECT_EQ(spool_.keys(1000).size(), 500U);
    EXPECT_EQ(spool_.keys(100).size(), 100U);
}

TEST_F(PlanSpoolTest, EmbedsTheDecisionWhereTheFolderIsMissingOrClosed) {
    const PlanSpool none(folder_.file("none"));
    EXPECT_FALSE(none.keep(decision(), now));
    EXPECT_EQ(keep_or_embed(none, decision(), now), report::to_token(decision()));
    EXPECT_TRUE(none.keys(10).empty());
    folder_.write("file", "");
    const PlanSpool file(folder_.file("file"));
    EXPECT_EQ(keep_or_embed(file, decision(), now), report::to_token(decision()));
    EXPECT_EQ(*file.read("1a", 0), std::nullopt);
}

// The file may not grow: what a full disk says.
TEST_F(PlanSpoolTest, LeavesNothingBehindOnAFullDisk) {
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{1024, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
    const auto word = spool_.keep(decision(), now);
    const std::string embedded = keep_or_embed(spool_, decision(), now);
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(word);
    EXPECT_NE(word.error().message.find("cannot leave a plan in"), std::string::npos)
        << word.error().message;
    EXPECT_EQ(embedded, report::to_token(decision()));
    EXPECT_EQ(files(), 0U);
}

TEST_F(PlanSpoolTest, PassesOverWhatIsHalfWrittenOrNotItsOwn) {
    std::filesystem::create_directory(spool_.folder() + "/folder.new");
    folder_.write("plans/1a.new", "{\"version\":1,");
    folder_.write("plans/1b.new", "{\"version\":1,");
    folder_.write("plans/README", "");
    const utimbuf old{std::time(nullptr) - 600, std::time(nullptr) - 600};
    ASSERT_EQ(::utime((spool_.folder() + "/1b.new").c_str(), &old), 0);
    EXPECT_TRUE(spool_.keys(10).empty());
    spool_.remove_torn();
    EXPECT_TRUE(std::filesystem::exists(spool_.folder() + "/1a.new")) << "it may be being written";
    EXPECT_FALSE(std::filesystem::exists(spool_.folder() + "/1b.new"));
    EXPECT_EQ(*spool_.read("../plans/README", ::geteuid()), std::nullopt);
}

TEST_F(PlanSpoolTest, TrustsOnlyRecordsOfSlurmsUserAndRoot) {
    const std::string key =
        spool_.keep(decision(), now)
            .map([](const std::string& word) { return read::find_plan_word(word)->key; })
            .value();
    const std::string path = spool_.folder() + "/" + key;
    ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
    EXPECT_FALSE(spool_.read(key, ::geteuid())) << "others may have written it";
    ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
    if (::geteuid() != 0) {
        GTEST_SKIP() << "the rest needs root's rights";
    }
    constexpr uid_t other = 4711;
    ASSERT_EQ(::chown(path.c_str(), other, other), 0);
    EXPECT_FALSE(spool_.read(key, 4712));
    EXPECT_TRUE(spool_.read(key, other));
    std::filesystem::remove(path);
    std::filesystem::create_symlink("/etc/passwd", path);
    EXPECT_FALSE(spool_.read(key, other));
}

}  // namespace
}  // namespace hora::slurm
