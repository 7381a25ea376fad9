// Does a host that cannot know a job's plan say why?
#include "scripts/hora/jobs/site_plans.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "libplanner/report/jobs/decision_token.hpp"
#include "tests/unit/hora/site_folder.hpp"

namespace hora::scripts {
namespace {

// As the plugin leaves it where the plan itself is elsewhere.
constexpr const char* keyed = "hora=1a,act,none";

class SitePlansTest : public tests::SiteFolder {
  protected:
    static std::string why() {
        const auto plan = SitePlans().find(keyed);
        return plan ? "" : plan.error().message;
    }
};

TEST_F(SitePlansTest, SayThatTheSettingsCannotBeRead) {
    ::setenv("HORA_CONF", "/nowhere/hora.toml", 1);
    EXPECT_EQ(why(), "cannot open \"/nowhere/hora.toml\": No such file or directory");
    folder_.write("hora.toml", "[horad]\nstat = \"/tmp\"\n");
    ::setenv("HORA_CONF", folder_.file("hora.toml").c_str(), 1);
    EXPECT_EQ(why().find(folder_.file("hora.toml") + ":2:1: "), 0U) << why();
}

TEST_F(SitePlansTest, SayThatThereIsNoHistory) {
    EXPECT_NE(why().find(folder_.file("history.db")), std::string::npos) << why();
    std::filesystem::create_directory(folder_.file("history.db"));
    EXPECT_NE(why().find(folder_.file("history.db")), std::string::npos) << why();
}

TEST_F(SitePlansTest, AreNotNeededForAJobWithoutHorasWord) {
    ::setenv("HORA_CONF", "/nowhere/hora.toml", 1);
    for (const char* const comment : {"", "JS1:x", "hora=../../../etc/passwd,act,none"}) {
        const auto plan = SitePlans().find(comment);
        ASSERT_TRUE(plan) << comment << ": " << plan.error().message;
        EXPECT_FALSE(*plan) << comment;
    }
}

// Where horad looks for records is not known.
TEST_F(SitePlansTest, KeepThePlanInTheCommentWithoutSettings) {
    ::setenv("HORA_CONF", "/nowhere/hora.toml", 1);
    domain::Decision decision;
    decision.operating = "act";
    const std::string word = SitePlans().keep(decision);
    EXPECT_EQ(word, report::to_token(decision));
    const auto plan = SitePlans().find(word);
    ASSERT_TRUE(plan && *plan);
    EXPECT_EQ((*plan)->operating, "act");
}

}  // namespace
}  // namespace hora::scripts
