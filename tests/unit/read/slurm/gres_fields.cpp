// Is a line of gres.conf cut into its keys, and are its numbers bounded?
#include "libplanner/read/slurm/gres_fields.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hora::read {
namespace {

TEST(GresFields, AreFoundByTheirKeys) {
    const auto fields = read_gres_fields(
        "NodeName=n[1-2] Name=gpu Type=a100 File=/dev/nvidia[0-3] CPUs=0-7 LINKS=-1,16 "
        "Flags=one_sharing COUNT=4");
    ASSERT_TRUE(fields) << fields.error().message;
    EXPECT_EQ(fields->nodes, "n[1-2]");
    EXPECT_EQ(fields->name, "gpu");
    EXPECT_EQ(fields->type, "a100");
    EXPECT_EQ(fields->file, "/dev/nvidia[0-3]");
    EXPECT_EQ(fields->cores, "0-7") << "its old name";
    EXPECT_EQ(fields->links, "-1,16");
    EXPECT_EQ(fields->count, "4");
    EXPECT_EQ(fields->files, "");
    EXPECT_EQ(fields->detect, "");
}

struct Case {
    const char* sentence;
    const char* line;
    const char* name;  // or the message
};

const Case cases[] = {
    {"nothing", " \t\r", ""},
    {"blanks around the sign", "Name = gpu", "gpu"},
    {"a value in quotes", "Name=\"g p u\" Type=x", "g p u"},
    {"quotes that are not closed", "Name=\"g p", "g p"},
    {"the last of a key", "Name=mps Name=gpu", "gpu"},
    {"behind it alone", "Name= gpu Type=x", "gpu"},
    {"before a value in quotes", "Name= \"g p\" Type=x", "g p"},
    {"an empty value", "Name=", ""},
    {"a word without a sign", "Name=gpu four", "\"four\" is no KEY=VALUE"},
    {"before a key", "four Name=gpu", "\"four Name\" is no KEY=VALUE"},
};

TEST(GresFields, AreKeysWithValues) {
    for (const Case& test : cases) {
        const auto fields = read_gres_fields(test.line);
        EXPECT_EQ(fields ? fields->name : fields.error().message, test.name) << test.sentence;
    }
}

using Cores = std::optional<std::vector<std::uint32_t>>;

TEST(GresFields, CoresAreRanges) {
    const std::pair<const char*, Cores> rows[] = {
        {"", Cores{std::vector<std::uint32_t>()}},
        {"3", Cores{{3}}},
        {"4-6,0", Cores{{0, 4, 5, 6}}},
        {"0-2,1-3", Cores{{0, 1, 2, 3}}},
        {"5-5", Cores{{5}}},
        {"65535", Cores{{65535}}},
        {"65536", std::nullopt},
        {"0-4294967295", std::nullopt},
        {"4-3", std::nullopt},
        {"a", std::nullopt},
        {"1-", std::nullopt},
        {"-1", std::nullopt},
        {"1 2", std::nullopt},
        {",1", std::nullopt},
    };
    for (const auto& [text, cores] : rows) {
        EXPECT_EQ(read_gres_cores(text), cores) << text;
    }
    EXPECT_EQ(read_gres_cores("0-65535")->size(), 65536U);
    EXPECT_FALSE(read_gres_cores("0-65535,0-65535")) << "so much is not even sorted";
}

TEST(GresFields, LinksAreNumbers) {
    using Links = std::vector<std::int32_t>;
    EXPECT_EQ(read_gres_links("-1,16,0"), (Links{-1, 16, 0}));
    EXPECT_EQ(read_gres_links(""), Links{});
    EXPECT_FALSE(read_gres_links("1,x"));
    EXPECT_FALSE(read_gres_links("1,,2"));
    EXPECT_FALSE(read_gres_links("99999999999"));
    std::string most = "1";
    for (std::size_t i = 1; i < most_gpus_of_a_line; ++i) {
        most += ",1";
    }
    EXPECT_EQ(read_gres_links(most)->size(), most_gpus_of_a_line);
    EXPECT_FALSE(read_gres_links(most + ",1"));
}

TEST(GresFields, WordsAndBlanksAreCutOff) {
    std::string_view text = "a,b;c";
    EXPECT_EQ(cut_at(text, ",;"), "a");
    EXPECT_EQ(cut_at(text, ",;"), "b");
    EXPECT_EQ(cut_at(text, ",;"), "c");
    EXPECT_EQ(cut_at(text, ",;"), "");
    EXPECT_EQ(without_blanks(" \ta b\r"), "a b");
    EXPECT_EQ(without_blanks(" \t"), "");
}

}  // namespace
}  // namespace hora::read
