// Which texts are values of a setting, and which values does its row allow?
#include "libplanner/read/settings/setting_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

struct Case {
    const char* sentence;
    SettingValue like;
    const char* text;
    const char* is;  // as it is written, or the message
};

const Case cases[] = {
    {"true", false, "true", "true"},
    {"neither", false, "yes", "must be true or false, not \"yes\""},
    {"in other letters", false, "True", "must be true or false, not \"True\""},
    {"a whole number", std::uint64_t{1}, "18446744073709551615", "18446744073709551615"},
    {"one too large", std::uint64_t{1}, "18446744073709551616",
     "must be a whole number, not \"18446744073709551616\""},
    {"one below 0", std::uint64_t{1}, "-1", "must be a whole number, not \"-1\""},
    {"nothing", std::uint64_t{1}, "", "must be a whole number, not \"\""},
    {"a number", 1.0, "0.25", "0.25"},
    {"with an exponent", 1.0, "1e3", "1000"},
    {"none", 1.0, "1x", "must be a number, not \"1x\""},
    {"one without an end", 1.0, "inf", "must be a number, not \"inf\""},
    {"not a number", 1.0, "nan", "must be a number, not \"nan\""},
    {"a time", Seconds(1), "5 ms", "5 ms"},
    {"a text", std::string(), "any text", "any text"},
    {"an empty one", std::string(), "", ""},
    {"a word", OperatingMode::observe, "act", "act"},
    {"the last word", domain::Exchange::automatic, "server", "server"},
    {"what programs accept one by one", domain::Exchange::automatic, "hierarchy",
     "must be one of auto, ring, tree, server, not \"hierarchy\""},
    {"another", domain::Objective::time, "tim",
     "must be one of time, efficiency, not \"tim\"; did you mean \"time\"?"},
    {"a word of another setting", WithoutPlan::smallest, "ring",
     "must be one of default, refuse, pass, not \"ring\""},
};

TEST(SettingText, IsOfTheTypeOfItsSetting) {
    for (const Case& test : cases) {
        const auto value = parse_setting(test.like, test.text);
        EXPECT_EQ(value ? to_text(*value) : value.error().message, test.is) << test.sentence;
    }
    EXPECT_TRUE(parse_setting(Seconds(1), "5").error().message.starts_with("is wrong: "))
        << "a unit is missing";
}

// What is written is read again as the same.
TEST(SettingText, ComesBackFromEveryDefault) {
    const Settings settings;
    for (std::size_t i = 0; i < setting_count; ++i) {
        const SettingValue& value = settings.entries()[i].value;
        const auto read = parse_setting(value, to_text(value));
        ASSERT_TRUE(read) << setting_table[i].name;
        EXPECT_TRUE(*read == value) << setting_table[i].name;
        EXPECT_FALSE(type_of(value).empty());
    }
    EXPECT_EQ(unit_of(Seconds(1)), "s");
    EXPECT_EQ(unit_of(Bytes(1)), "B");
    EXPECT_EQ(unit_of(Bandwidth(1)), "B/s");
    EXPECT_EQ(unit_of(1.0), "");
}

const Setting& row(std::string_view name) {
    for (const Setting& one : setting_table) {
        if (one.name == name) {
            return one;
        }
    }
    ADD_FAILURE() << name;
    return setting_table[0];
}

struct Bound {
    const char* name;
    SettingValue value;
    bool is_good;
};

const Bound bounds[] = {
    {"plan.max_gpus", std::uint64_t{1}, true},
    {"plan.max_gpus", std::uint64_t{0}, false},
    {"cost.backward_factor", 0.0, true},
    {"cost.backward_factor", 100.0, true},
    {"cost.backward_factor", 100.1, false},
    {"cost.backward_factor", -0.1, false},
    {"history.path", std::string("/var/x"), true},
    {"history.path", std::string("var/x"), false},
    {"horad.metrics", std::string(), true},
    {"snapshot.path", std::string(), false},
    {"horad.listen", std::string(), true},
    {"horad.listen", std::string("127.0.0.1"), true},
    {"horad.listen", std::string("::1"), true},
    {"horad.listen", std::string("localhost"), false},
    {"horad.listen", std::string("127.0.0.1:80"), false},
    {"snapshot.max_age", Seconds(1), true},
    {"snapshot.max_age", Seconds(0), false},
    {"topology.path", std::string("/etc/{node}/{node}.json"), true},
    {"topology.path", std::string("/etc/topology.json"), true},
    {"topology.path", std::string("/etc/{host}.json"), false},
    {"topology.path", std::string("/etc/{node}/{NODE}.json"), false},
    {"topology.path", std::string("/etc/{node.json"), false},
    {"nccl.topo_file", std::string(), true},
    {"nccl.topo_file", std::string("/etc/{node}.xml"), true},
    {"nccl.topo_file", std::string("/etc/{job}.xml"), false},
};

TEST(SettingText, LiesInTheRangeOfItsRow) {
    for (const Bound& test : bounds) {
        const auto checked = check_setting(row(test.name), test.value);
        EXPECT_EQ(checked.has_value(), test.is_good) << test.name << " " << to_text(test.value);
        if (!checked) {
            EXPECT_NE(checked.error().message.find(test.name), std::string::npos)
                << checked.error().message;
        }
    }
}

}  // namespace
}  // namespace hora::read
