#include "libplanner/read/settings/settings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/settings/setting_text.hpp"

namespace hora::read {
namespace {

Expected<Settings> read(std::string_view toml) {
    return read_settings(toml, "hora.toml");
}

TEST(Settings, HaveDefaultsWithinTheirRange) {
    const Settings settings;
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < setting_count; ++i) {
        const Setting& row = setting_table[i];
        EXPECT_TRUE(names.insert(row.name).second) << row.name << " is there twice";
        EXPECT_TRUE(check_setting(row, settings.entries()[i].value)) << row.name;
        EXPECT_FALSE(row.help.empty()) << row.name;
        EXPECT_EQ(settings.entries()[i].origin, Origin::initial) << row.name;
    }
    EXPECT_EQ(settings.get<OperatingMode>("mode"), OperatingMode::observe);
    EXPECT_EQ(settings.get<Seconds>("submit.budget"), Seconds(0.05));
    EXPECT_EQ(settings.get<std::uint64_t>("plan.max_gpus"), 8u);
    EXPECT_EQ(settings.devices().size(), known_devices().size());
}

TEST(Settings, ReadsAFile) {
    const auto settings = read(
        "version = 1\nmode = 'advise'\n[submit]\nbudget = '5 ms'\n[plan]\nmax_gpus = 16\n"
        "objective = 'efficiency'\n[cost]\noverlap = false\n[partition.gpu]\nmode = 'act'\n"
        "[gpu.h100]\nmemory = '90 GiB'\n[network]\nbandwidth = '100 Gbit/s'\n");
    ASSERT_TRUE(settings) << settings.error().message;
    EXPECT_EQ(settings->get<Seconds>("submit.budget"), Seconds(0.005));
    EXPECT_EQ(settings->get<std::uint64_t>("plan.max_gpus"), 16u);
    EXPECT_EQ(settings->get<domain::Objective>("plan.objective"), domain::Objective::efficiency);
    EXPECT_FALSE(cost_model(*settings).overlap);
    EXPECT_EQ(network_link(*settings).bandwidth, Bandwidth(12.5e9));
    EXPECT_EQ(settings->mode_of("gpu"), OperatingMode::act);
    EXPECT_EQ(settings->mode_of("debug"), OperatingMode::advise);
    EXPECT_EQ(find_device(settings->devices(), "h100")->memory, Bytes(90.0 * (1 << 30)));
    EXPECT_EQ(settings->entries()[0].where, "hora.toml:2:8");
}

struct Refusal {
    const char* sentence;
    const char* toml;
    const char* message;
};

const Refusal refusals[] = {
    {"a slip in a key", "[submit]\nbuget = '5 ms'\n",
     "hora.toml:2:1: unknown key \"buget\"; did you mean \"budget\"?"},
    {"a slip in a table", "[sumbit]\nbudget = '5 ms'\n",
     "hora.toml:1:2: unknown key \"sumbit\"; did you mean \"submit\"?"},
    {"a bare number", "[submit]\nbudget = 5\n",
     "hora.toml:2:10: \"budget\" needs a unit; write it like \"30 s\""},
    {"a word that is none", "mode = 'acting'\n",
     "hora.toml:1:8: \"mode\" must be one of observe, advise, act, not \"acting\""},
    {"a word of a partition", "[partition.gpu]\nmode = 'advice'\n",
     "hora.toml:2:8: \"mode\" must be one of observe, advise, act, not \"advice\"; did you mean "
     "\"advise\"?"},
    {"a share above one", "[plan]\nmin_efficiency = 50\n",
     "hora.toml:2:18: \"plan.min_efficiency\" must lie in 0 to 1, not be 50"},
    {"a time beyond its range, with units", "[history]\nkeep = \"20 min\"",
     "hora.toml:2:8: \"history.keep\" must lie in 1 h to 3660 d, not be 20 min"},
    {"a time below zero", "[replan]\npause = \"-1 s\"",
     "hora.toml:2:9: \"pause\": \"-1 s\" is below zero; write a time like \"30 s\""},
    {"a checkpoint path that jobs would share", "[checkpoint]\npath = '/scratch/{user}'\n",
     "hora.toml:2:8: checkpoint.path \"/scratch/{user}\" lacks {job}: jobs would share a folder"},
    {"no folder for the daemon", "[horad]\nstate = ''\n",
     "hora.toml:2:9: \"horad.state\" must be an absolute path, not \"\""},
    {"a folder below wherever the daemon was started", "[horad]\nstate = 'state'\n",
     "hora.toml:2:9: \"horad.state\" must be an absolute path, not \"state\""},
    {"a snapshot likewise", "[snapshot]\npath = './snapshot.json'\n",
     "hora.toml:2:8: \"snapshot.path\" must be an absolute path, not \"./snapshot.json\""},
    {"no history", "[history]\npath = ''\n",
     "hora.toml:2:8: \"history.path\" must be an absolute path, not \"\""},
    {"metrics below wherever the daemon was started", "[horad]\nmetrics = 'hora.prom'\n",
     "hora.toml:2:11: \"horad.metrics\" must be an absolute path or empty, not \"hora.prom\""},
    {"a place to listen that is no address", "[horad]\nlisten = 'head1'\n",
     "hora.toml:2:10: \"horad.listen\" must be an IPv4 or IPv6 address or empty, not \"head1\""},
    {"a setting that is a table", "[mode]\n",
     "hora.toml:1:1: \"mode\" must be a string, not a table"},
};

TEST(Settings, SayWhatIsWrongWhere) {
    for (const Refusal& test : refusals) {
        const auto settings = read(test.toml);
        ASSERT_FALSE(settings) << test.sentence;
        EXPECT_EQ(settings.error().message, test.message) << test.sentence;
        EXPECT_EQ(settings.error().kind, ErrorKind::wrong_use) << test.sentence;
    }
    EXPECT_TRUE(read("[horad]\nmetrics = ''\nstate = '/var/lib/hora'\n"));
    for (const char* const address : {"", "10.0.0.1", "::1"}) {
        EXPECT_TRUE(read(fmt::format("[horad]\nlisten = '{}'\n", address))) << address;
    }
}

TEST(Settings, LetTheStrongerOriginWin) {
    auto settings = *read("[submit]\nbudget = '5 ms'\n");
    EXPECT_TRUE(settings.set("submit.budget", "7 ms", Origin::command_line, "--set"));
    EXPECT_TRUE(settings.set("submit.budget", "6 ms", Origin::environment, "HORA_CONF_X"));
    EXPECT_EQ(settings.get<Seconds>("submit.budget"), Seconds(0.007));
    EXPECT_FALSE(settings.set("submit.budget", "7", Origin::command_line, "--set"));
    EXPECT_EQ(settings.get<Seconds>("submit.budget"), Seconds(0.007));
    const auto wrong = settings.set("submit.buget", "1 s", Origin::command_line, "--set");
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().message,
              "--set: unknown setting \"submit.buget\"; did you mean \"submit.budget\"?");
    EXPECT_EQ(environment_name("submit.budget"), "HORA_CONF_SUBMIT_BUDGET");
}

TEST(Settings, ReadBackEachDefaultAsItIsShown) {
    const Settings settings;
    for (std::size_t i = 0; i < setting_count; ++i) {
        const SettingValue& value = settings.entries()[i].value;
        const auto back = parse_setting(value, to_text(value));
        ASSERT_TRUE(back) << setting_table[i].name << ": " << back.error().message;
        EXPECT_EQ(to_text(*back), to_text(value)) << setting_table[i].name;
    }
}

RC_GTEST_PROP(Settings, SurviveAnyText, (const std::string& text)) {
    Settings settings;
    for (const Setting& row : setting_table) {
        settings.set(row.name, text, Origin::environment, "");
    }
    read(text);
}

}  // namespace
}  // namespace hora::read
