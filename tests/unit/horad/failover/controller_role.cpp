// Does the daemon act on the host whose slurmctld acts, and nowhere else?
#include "scripts/horad/failover/controller_role.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace hora::horad {
namespace {

TEST(Role, IsThatOfTheControllerOfThisHost) {
    const std::vector<slurm::Controller> two{{"first", "192.0.2.1"}, {"second", "192.0.2.2"}};
    struct Case {
        const char* name;
        std::optional<std::size_t> own;
        std::size_t acting;
        Role wanted;
    };
    const Case cases[] = {
        {"this one acts", 0, 0, Role::acting},
        {"the other one acts", 1, 0, Role::standby},
        {"it has taken over", 1, 1, Role::acting},
        {"this host is none of them", std::nullopt, 0, Role::unlisted},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const Standing standing = standing_of(two, each.own, each.acting);
        EXPECT_EQ(standing.role, each.wanted);
        EXPECT_FALSE(standing.why.empty());
    }
    EXPECT_NE(standing_of(two, 1, 0).why.find("\"first\""), std::string::npos);
}

TEST(Role, AHostIsKnownByItsNameAndItsAddresses) {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    const slurm::Controller other{"elsewhere.invalid", "192.0.2.1"};
    const std::vector<slurm::Controller> by_name{other, {name.data(), "192.0.2.2"}};
    EXPECT_EQ(own_place(by_name), std::optional<std::size_t>(1));
    const std::vector<slurm::Controller> by_address{other, {"alias.invalid", "127.0.0.1"}};
    EXPECT_EQ(own_place(by_address), std::optional<std::size_t>(1));
    const std::vector<slurm::Controller> both{{"alias.invalid", "127.0.0.1"},
                                              {name.data(), "192.0.2.2"}};
    EXPECT_EQ(own_place(both), std::optional<std::size_t>(1)) << "a name says more";
    const std::vector<slurm::Controller> none{other};
    EXPECT_EQ(own_place(none), std::nullopt);
}

}  // namespace
}  // namespace hora::horad
