#include "plugins/slurm/tres.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "plugins/slurm/version.hpp"

namespace hora::slurm {
namespace {

struct Case {
    const char* sentence;
    std::string_view text;
    std::vector<Tres> list;
};

const Case cases[] = {
    {"nothing is an empty list", "", {}},
    {"Slurm's word for nothing too", "(null)", {}},
    {"a missing count is one", "gpu", {{"gpu", "", 1, {}, false}}},
    {"a count", "gpu:4", {{"gpu", "", 4, {}, false}}},
    {"a count after an equals sign", "gres/gpu=2", {{"gpu", "", 2, {}, true}}},
    {"a type", "gpu:a100", {{"gpu", "a100", 1, {}, false}}},
    {"type and count, old prefix", "gres:gpu:titanx:4", {{"gpu", "titanx", 4, {}, true}}},
    {"type and count, new prefix", "gres/gpu:titanx:4", {{"gpu", "titanx", 4, {}, true}}},
    {"a type with a dash", "gpu:a100-80gb:8", {{"gpu", "a100-80gb", 8, {}, false}}},
    {"a type that is a number", "gpu:1080:2", {{"gpu", "1080", 2, {}, false}}},
    {"binary suffixes", "mem=4G", {{"mem", "", 4ULL << 30, {}, false}}},
    {"a type that ends like a suffix", "gpu:p100m", {{"gpu", "p100m", 1, {}, false}}},
    {"busy indices", "gpu:titanx:2(IDX:0,2-3)", {{"gpu", "titanx", 2, {0, 2, 3}, false}}},
    {"no busy index", "gpu:titanx:0(IDX:N/A)", {{"gpu", "titanx", 0, {}, false}}},
    {"sockets are kept", "gpu:titanx:4(S:0-1)", {{"gpu", "titanx", 4, {}, false, {0, 1}}}},
    {"sockets that are none are passed over", "gpu:4(S:x)", {{"gpu", "", 4, {}, false}}},
    {"no_consume is passed over", "gpu:t4:no_consume:4", {{"gpu", "t4", 4, {}, false}}},
    {"a list with commas inside parentheses",
     "gpu:a:1(IDX:0,1),gpu:b:2(IDX:2-3)",
     {{"gpu", "a", 1, {0, 1}, false}, {"gpu", "b", 2, {2, 3}, false}}},
    {"what a job was given",
     "cpu=8,node=1,gres/gpu=2,license/matlab=1",
     {{"cpu", "", 8, {}, false},
      {"node", "", 1, {}, false},
      {"gpu", "", 2, {}, true},
      {"license/matlab", "", 1, {}, false}}},
};

TEST(Tres, ReadsWhatSlurmAndUsersWrite) {
    for (const Case& test : cases) {
        const auto list = parse_tres(test.text);
        ASSERT_TRUE(list.has_value()) << test.sentence << ": " << list.error().message;
        EXPECT_EQ(*list, test.list) << test.sentence;
    }
}

TEST(Tres, RefusesWhatIsNone) {
    const std::string_view hostile[] = {",",
                                        "gpu,",
                                        ",gpu",
                                        "gpu,,gpu",
                                        ":",
                                        "gpu:",
                                        "gpu:=",
                                        "=4",
                                        "gpu:4:",
                                        "gpu:a:b:4",
                                        "gpu:-1",
                                        "gpu: 4",
                                        "gpu:99999999999999999999",
                                        "gpu:9007199254740993",
                                        "gpu:9007199254740991P",
                                        "gpu:1(IDX:3-1)",
                                        "gpu:1(IDX:0-4294967295)",
                                        "gpu:1(IDX:x)",
                                        "gpu:1(IDX:0",
                                        "gpu)1(",
                                        "gpu:1((IDX:0))",
                                        "gpu:1(IDX:0)x",
                                        "gpu;rm",
                                        "gpu:a\"b",
                                        "gres:",
                                        "gpu:1(IDX:0,)x"};
    for (const std::string_view text : hostile) {
        EXPECT_FALSE(parse_tres(text).has_value()) << text;
    }
    EXPECT_FALSE(parse_tres(std::string(70000, 'a')).has_value());
    std::string many;
    for (int i = 0; i < 1025; ++i) {
        many += i == 0 ? "gpu" : ",gpu";
    }
    EXPECT_FALSE(parse_tres(many).has_value());
}

TEST(Tres, AnyBytesEndInAListOrAnError) {
    EXPECT_TRUE(rc::check([](const std::string& text) { static_cast<void>(parse_tres(text)); }));
    EXPECT_TRUE(rc::check([] {
        const auto text = *rc::gen::container<std::string>(
            rc::gen::elementOf(std::string("gpures:/=,()IDX0129-kMN")));
        static_cast<void>(parse_tres(text));
    }));
}

TEST(Tres, CountsGpusOnce) {
    const GpuCount both = count_gpus(*parse_tres("gres/gpu=4,gres/gpu:a100=4,cpu=8"));
    EXPECT_EQ(both.all, 4u);
    EXPECT_EQ(both.typed.size(), 1u);
    EXPECT_TRUE(both.is_said);
    EXPECT_EQ(count_gpus(*parse_tres("gpu:a:1,gpu:b:2")).all, 3u);
    EXPECT_FALSE(count_gpus(*parse_tres("cpu=8")).is_said);
    EXPECT_TRUE(count_gpus(*parse_tres("gpu:0")).is_said);
}

TEST(Tres, SeesWhereOnlyCpusAreAskedFor) {
    for (const char* const text : {"", "cpu=4", "cpu:4"}) {
        EXPECT_TRUE(asks_only_for_cpus(text)) << text;
    }
    for (const char* const text : {"gpu:1", "cpu=4,gres/gpu=1", "license/matlab:1", "cpu=four"}) {
        EXPECT_FALSE(asks_only_for_cpus(text)) << text;
    }
}

TEST(Tres, WritesWhatTheReleaseTakes) {
    EXPECT_EQ(format_gpus(version_number(22, 5, 8), "", 2), "gres:gpu:2");
    EXPECT_EQ(format_gpus(version_number(23, 2, 0), "titanx", 4), "gres:gpu:titanx:4");
    EXPECT_EQ(format_gpus(version_number(23, 11, 0), "titanx", 4), "gres/gpu:titanx:4");
    EXPECT_EQ(format_gpus(version_number(26, 5, 0), "", 1), "gres/gpu:1");
    EXPECT_EQ(gpu_spelling(version_number(26, 5, 0))("", 1), "gres/gpu:1");
}

TEST(Tres, ReadsBackWhatItWrites) {
    EXPECT_TRUE(rc::check([](std::uint32_t count, bool is_new) {
        const auto type =
            "a" + *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abx-9")));
        const std::uint32_t version = is_new ? version_number(23, 11) : version_number(22, 5);
        const auto list = parse_tres(format_gpus(version, type, count));
        RC_ASSERT(list.has_value());
        RC_ASSERT(*list == (std::vector<Tres>{{"gpu", type, count, {}, true}}));
    }));
}

}  // namespace
}  // namespace hora::slurm
