#include "libplanner/read/slurm/hostlist.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::read {
namespace {

using Hosts = std::vector<std::string>;

struct Case {
    const char* sentence;
    const char* text;
    Hosts hosts;
};

TEST(Hostlist, Expands) {
    const Case cases[] = {
        {"a plain name is itself", "login", {"login"}},
        {"a range counts up", "n[1-3]", {"n1", "n2", "n3"}},
        {"zeros are kept", "n[08-10]", {"n08", "n09", "n10"}},
        {"ranges and single numbers mix", "n[1,3-4]x", {"n1x", "n3x", "n4x"}},
        {"several groups multiply", "r[1-2]n[1-2]", {"r1n1", "r1n2", "r2n1", "r2n2"}},
        {"names are separated by commas", "a,b[1-2],c", {"a", "b1", "b2", "c"}},
    };
    for (const Case& test : cases) {
        const auto hosts = expand_hostlist(test.text);
        ASSERT_TRUE(hosts) << test.sentence << ": " << hosts.error().message;
        EXPECT_EQ(*hosts, test.hosts) << test.sentence;
    }
}

TEST(Hostlist, Folds) {
    const Case cases[] = {
        {"nothing stays nothing", "", {}},
        {"a run becomes a range", "n[1-3]", {"n1", "n2", "n3"}},
        {"nine and ten meet without padding", "n[9-10]", {"n9", "n10"}},
        {"padding ends where the number outgrows it", "n[09-11]", {"n09", "n10", "n11"}},
        {"other names stand apart", "a,b[1-2],c", {"a", "b1", "b2", "c"}},
        {"the last number is folded", "r1n[1-2],r2n1", {"r1n1", "r1n2", "r2n1"}},
        {"different padding is not joined", "n[1,01]", {"n1", "n01"}},
    };
    for (const Case& test : cases) {
        EXPECT_EQ(fold_hostlist(test.hosts), test.text) << test.sentence;
    }
}

TEST(Hostlist, RefusesWhatIsNone) {
    const struct {
        const char* sentence;
        const char* text;
        const char* message;
    } cases[] = {
        {"nothing", "", "host list \"\" has an empty name"},
        {"a bracket left open", "n[1-3", "host list \"n[1-3\" has a '[' that is never closed"},
        {"a range that runs backwards", "n[3-1]", "host list \"n[3-1]\" has the bad range \"3-1\""},
        {"an empty range", "n[]", "host list \"n[]\" has the bad range \"\""},
        {"a word", "n[a-b]", "host list \"n[a-b]\" has the bad range \"a-b\""},
        {"a billion hosts", "n[1-999999999]",
         "host list \"n[1-999999999]\" names more than 1000 hosts"},
        {"a product that is too large", "n[1-100][1-100]",
         "host list \"n[1-100][1-100]\" names more than 1000 hosts"},
        {"a doubled comma", "a,,b", "host list \"a,,b\" has an empty name or a blank"},
        {"a blank", "a b", "host list \"a b\" has an empty name or a blank"},
    };
    for (const auto& test : cases) {
        const auto hosts = expand_hostlist(test.text, 1000);
        ASSERT_FALSE(hosts) << test.sentence;
        EXPECT_EQ(hosts.error().message, test.message) << test.sentence;
    }
}

TEST(Hostlist, RefusesANameThatNoHostCanHave) {
    const std::string eight = "[1][1][1][1][1][1][1][1]";
    const struct {
        const char* sentence;
        std::string text;
        bool is_good;
    } cases[] = {
        {"the longest name", std::string(255, 'n'), true},
        {"a longer one", std::string(256, 'n'), false},
        {"one of a list", "a," + std::string(256, 'n'), false},
        {"a range of them", std::string(256, 'n') + "[1-4]", false},
        {"one that grows too long", "n[1]" + std::string(254, 'x'), false},
        {"one whose numbers make it too long", std::string(254, 'n') + "[10-11]", false},
        {"one whose later numbers are longer", std::string(254, 'n') + "[9-10]", false},
        {"the same with more behind them", "n[9-10]" + std::string(253, 'x'), false},
        {"numbers up to the bound", std::string(253, 'n') + "[9-10]", true},
        {"as many groups as there may be", eight + "x", true},
        {"one more", eight + "[1]", false},
    };
    for (const auto& test : cases) {
        const auto hosts = expand_hostlist(test.text);
        ASSERT_EQ(hosts.has_value(), test.is_good) << test.sentence;
        if (!hosts) {
            EXPECT_TRUE(
                hosts.error().message.ends_with(" has a name of more than 255 letters or 8 groups"))
                << hosts.error().message;
        }
    }
}

RC_GTEST_PROP(Hostlist, ExpandsToWhatWasFolded, ()) {
    const auto hosts = *rc::gen::container<Hosts>(
        rc::gen::apply([](const std::string& head, int number,
                          const std::string& tail) { return head + std::to_string(number) + tail; },
                       rc::gen::element<std::string>("n", "n0", "n00", "r1-", "9"),
                       rc::gen::inRange(0, 120), rc::gen::element<std::string>("", "x", "-ib")));
    if (hosts.empty()) {
        return;
    }
    const auto back = expand_hostlist(fold_hostlist(hosts));
    RC_ASSERT(back.has_value());
    RC_ASSERT(*back == hosts);
}

}  // namespace
}  // namespace hora::read
