#include "libplanner/read/format/toml_table.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace hora::read {
namespace {

struct Fields {
    std::string name;
    std::uint32_t count = 0;
    Bandwidth bandwidth;
    std::vector<std::uint64_t> busy;
    bool good = false;
    std::optional<double> factor;
};

Expected<Fields> read_fields(std::string_view text) {
    auto root = read_toml(text, "x.toml");
    if (!root) {
        return unexpected(root.error());
    }
    Fields fields;
    root->require("name", fields.name);
    root->take("count", fields.count);
    root->take("bandwidth", fields.bandwidth);
    root->take("busy", fields.busy);
    root->take("good", fields.good);
    root->take("factor", fields.factor);
    if (auto done = root->finish(); !done) {
        return unexpected(done.error());
    }
    return fields;
}

TEST(TomlTable, TakesWhatIsThere) {
    const auto fields = read_fields(
        "version = 1\nname = 'a'\ncount = 4\nbandwidth = '8 Gbit/s'\nbusy = [0, 2]\ngood = true\n"
        "factor = 2\n");
    ASSERT_TRUE(fields) << fields.error().message;
    EXPECT_EQ(fields->name, "a");
    EXPECT_EQ(fields->count, 4u);
    EXPECT_EQ(fields->bandwidth, Bandwidth(1e9));
    EXPECT_EQ(fields->busy, (std::vector<std::uint64_t>{0, 2}));
    EXPECT_TRUE(fields->good);
    EXPECT_EQ(fields->factor, 2.0);
}

struct Refusal {
    const char* sentence;
    const char* text;
    const char* message;
};

const Refusal refusals[] = {
    {"a key that is nearly known", "name = 'a'\ncuont = 4\n",
     "x.toml:2:1: unknown key \"cuont\"; did you mean \"count\"?"},
    {"a key that is not nearly known", "name = 'a'\n\"some thing\" = 4\n",
     "x.toml:2:1: unknown key \"some thing\"; known here: version, name, count, bandwidth, busy, "
     "good, factor"},
    {"a missing key", "count = 4\n", "x.toml:1:1: \"name\" is missing here"},
    {"the wrong type", "name = 4\n", "x.toml:1:8: \"name\" must be a string, not a number"},
    {"a number below zero", "name = 'a'\ncount = -1\n",
     "x.toml:2:9: \"count\" must lie in 0 to 4294967295, not be -1"},
    {"a bare number for a quantity", "name = 'a'\nbandwidth = 100\n",
     "x.toml:2:13: \"bandwidth\" needs a unit; write it like \"100 Mbit/s\""},
    {"a wrong unit", "name = 'a'\nbandwidth = '1 Gbits'\n",
     "x.toml:2:13: \"bandwidth\": unknown unit \"Gbits\" in \"1 Gbits\"; did you mean "
     "\"Gbit/s\"?"},
    {"a wrong element", "name = 'a'\nbusy = [0, 'x']\n",
     "x.toml:2:12: \"busy\" must be a whole number, not a string"},
    {"a number that is none", "name = 'a'\nfactor = nan\n",
     "x.toml:2:10: \"factor\" must be a finite number"},
    {"a version to come", "version = 2\nname = 'a'\n",
     "x.toml:1:11: version 2 is not known; this release reads version 1"},
};

TEST(TomlTable, SaysWhereAndWhat) {
    for (const Refusal& test : refusals) {
        const auto fields = read_fields(test.text);
        ASSERT_FALSE(fields) << test.sentence;
        EXPECT_EQ(fields.error().message, test.message) << test.sentence;
        EXPECT_EQ(fields.error().kind, ErrorKind::wrong_use) << test.sentence;
    }
}

TEST(TomlTable, PlacesTheErrorsOfTheParser) {
    const auto fields = read_fields("name = 'a'\ncount = = 4\n");
    ASSERT_FALSE(fields);
    EXPECT_EQ(fields.error().message.substr(0, 11), "x.toml:2:9:");
}

TEST(TomlTable, SurvivesWhatTheParserAssertsOn) {
    const auto fields = read_fields("name = 'a'\n [, ]\n");
    ASSERT_FALSE(fields);
    EXPECT_EQ(fields.error().message, "x.toml:2:3: expected the name of a table here");
}

// Random bytes rarely get far into a parser; random pieces of its language do.
RC_GTEST_PROP(TomlTable, SurvivesAnyPieces, ()) {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
        "[", "]", "{", "}", "=", ",", ".", "\n", " ", "name", "\"", "'", "\"\"\"", "1", "-", "_",
        "e", "0x", "inf", "1979-05-27", "T", "07:32:00", "#", "\\u00e9", "\\", "\xc3\xa9", "\xff",
        "\r", "\t", "true"));
    std::string text;
    for (const std::string& piece : pieces) {
        text += piece;
    }
    read_fields(text);
}

TEST(TomlTable, KeepsTheOrderOfTheFile) {
    auto root = read_toml("[gpu.b]\nx = 1\n[gpu.a]\nx = 2\n[[node]]\n[[node]]\nname = 'z'\n", "f");
    ASSERT_TRUE(root);
    const std::vector<TomlTable> gpus = root->take_tables_in("gpu");
    ASSERT_EQ(gpus.size(), 2u);
    EXPECT_EQ(gpus[0].name(), "b");
    EXPECT_EQ(gpus[1].name(), "a");
    EXPECT_EQ(gpus[1].where(), "f:3:1");
    const std::vector<TomlTable> nodes = root->take_tables("node");
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(nodes[1].where("name"), "f:7:8");
    EXPECT_TRUE(root->finish());
    EXPECT_FALSE(nodes[1].finish());
}

}  // namespace
}  // namespace hora::read
