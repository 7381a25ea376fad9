// Is a decision found again only where all that it follows from is the same?
#include "plugins/job_submit/recent.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace hora::submit {
namespace {

class RecentTest : public testing::Test {
  protected:
    Question question(std::uint32_t uid) const {
        Question asked{{}, settings_, snapshot_};
        asked.submission.uid = uid;
        return asked;
    }
    void keep(const Question& asked, const std::string& token) {
        recent_.keep(std::make_shared<const Question>(asked),
                     std::make_shared<const Decided>(Decided{.answer = {}, .token = token}));
    }
    // The token of what is found, or "none".
    std::string find(const Question& asked) const {
        const auto found = recent_.find(asked);
        return found ? found->token : "none";
    }

    std::shared_ptr<const read::Settings> settings_ = std::make_shared<const read::Settings>();
    slurm::SharedSnapshot snapshot_ = std::make_shared<const domain::Snapshot>();
    Recent recent_;
};

TEST_F(RecentTest, IsFoundByWhatIsAsked) {
    EXPECT_EQ(find(question(1)), "none");
    keep(question(1), "one");
    keep(question(2), "two");
    EXPECT_EQ(find(question(1)), "one");
    EXPECT_EQ(find(question(2)), "two");
    Question other = question(1);
    other.submission.partitions = {"long"};
    EXPECT_EQ(find(other), "none") << "another partition";
}

TEST_F(RecentTest, IsNewWhereSettingsOrSnapshotAre) {
    keep(question(1), "one");
    Question reloaded = question(1);
    reloaded.settings = std::make_shared<const read::Settings>();
    EXPECT_EQ(find(reloaded), "none");
    Question later = question(1);
    later.snapshot = std::make_shared<const domain::Snapshot>();
    EXPECT_EQ(find(later), "none");
    later.snapshot = nullptr;
    EXPECT_EQ(find(later), "none");
}

TEST_F(RecentTest, IsNotKeptWhereTimeAloneChangesTheAnswer) {
    domain::Snapshot reserved;
    reserved.reservations.emplace_back();
    Question asked = question(1);
    asked.snapshot = std::make_shared<const domain::Snapshot>(reserved);
    keep(asked, "reserved");
    EXPECT_EQ(find(asked), "none");
    asked.snapshot = nullptr;
    keep(asked, "without a snapshot");
    EXPECT_EQ(find(asked), "none");
}

TEST_F(RecentTest, TheOldestOfEightGoes) {
    for (std::uint32_t uid = 1; uid <= 9; ++uid) {
        keep(question(uid), std::to_string(uid));
        EXPECT_EQ(find(question(1)), uid < 9 ? "1" : "none") << "with " << uid;
    }
    for (std::uint32_t uid = 2; uid <= 9; ++uid) {
        EXPECT_EQ(find(question(uid)), std::to_string(uid));
    }
}

}  // namespace
}  // namespace hora::submit
