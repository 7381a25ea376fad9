// What does the daemon take of the site's settings?
#include "scripts/horad/observe/site.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace hora::horad {
namespace {

class SiteOfPolicy : public ::testing::Test {
  protected:
    static Expected<Site> load(const std::string& policy) {
        ::setenv("HORA_CONF", "/dev/null", 1);
        ::setenv("HORA_CONF_ELASTIC_POLICY", policy.c_str(), 1);
        return load_site();
    }

    void TearDown() override {
        ::unsetenv("HORA_CONF");
        ::unsetenv("HORA_CONF_ELASTIC_POLICY");
    }
};

TEST_F(SiteOfPolicy, TakesOneThatThereIs) {
    const auto site = load("afs");
    ASSERT_TRUE(site) << site.error().message;
    EXPECT_EQ(site->settings.get<std::string>("elastic.policy"), "afs");
    EXPECT_EQ(site->warning, "");
}

TEST_F(SiteOfPolicy, TakesTheSuccessorOfOneThatHasEndedAndWarns) {
    const auto site = load("hora-strict");
    ASSERT_TRUE(site) << site.error().message;
    EXPECT_EQ(site->settings.get<std::string>("elastic.policy"), "hora");
    EXPECT_EQ(site->warning,
              "HORA_CONF_ELASTIC_POLICY: \"elastic.policy\": policy \"hora-strict\" has ended; "
              "specify \"hora\"; horad takes that until then");
}

TEST_F(SiteOfPolicy, RefusesOneThatThereIsNot) {
    const auto site = load("knapsak");
    ASSERT_FALSE(site);
    EXPECT_NE(site.error().message.find("did you mean \"knapsack\""), std::string::npos);
}

}  // namespace
}  // namespace hora::horad
