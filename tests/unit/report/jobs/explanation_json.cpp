// Is what programs read of a job JSON, and null where nothing is known, whatever its owner called
// it?
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "libplanner/report/jobs/explanation.hpp"
#include "libplanner/report/jobs/placement_json.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

Json read(const ExplainedJob& job) {
    const std::string text = to_json(job);
    EXPECT_TRUE(text.ends_with("\n"));
    Json object = Json::parse(text, nullptr, false);
    EXPECT_TRUE(object.is_object()) << text;
    return object;
}

ExplainedJob job_named(const std::string& name) {
    return {.id = "12",
            .name = name,
            .state = "PENDING",
            .decision = {},
            .measured = {},
            .is_freed = false,
            .rescales = {}};
}

TEST(ExplanationJson, HasNullWhereThereIsNothing) {
    const Json object = read(job_named("train"));
    EXPECT_EQ(object["version"], 1);
    EXPECT_EQ(object["job"], "12");
    for (const char* const key :
         {"plan", "placement", "replanned", "measured", "held_by_limit", "stays"}) {
        ASSERT_TRUE(object.contains(key)) << key;
        EXPECT_TRUE(object[key].is_null()) << key;
    }
    for (const char* const key : {"rejected", "changes", "sizes", "rescales"}) {
        EXPECT_EQ(object[key], Json::array()) << key;
    }
    EXPECT_EQ(object["options"], Json::object());
}

TEST(ExplanationJson, IsJsonWhateverTheNames) {
    const std::pair<std::string, std::string> cases[] = {
        {"a\"b\\c\n", "a\"b\\c\n"},
        {std::string("a\0b", 3), std::string("a\0b", 3)},
        {"\xff\xfe", "\xef\xbf\xbd\xef\xbf\xbd"},
        {std::string(10'000, 'n'), std::string(10'000, 'n')},
    };
    for (const auto& [name, shown] : cases) {
        ExplainedJob job = job_named(name);
        job.state = job.stays = job.decision.partition = job.decision.remark = name;
        job.decision.options = {{"hora-model", name}};
        job.decision.changes = {{"features", name, ""}};
        job.decision.rejected = {{domain::Mode::sync, 8, name, std::nullopt, name}};
        const Json object = read(job);
        for (const char* const key : {"name", "state", "stays", "partition", "remark"}) {
            EXPECT_EQ(object[key], shown) << key;
        }
        EXPECT_EQ(object["options"]["hora-model"], shown);
        EXPECT_EQ(object["changes"][0]["before"], shown);
        EXPECT_EQ(object["rejected"][0]["where"], shown);
        EXPECT_TRUE(object["rejected"][0]["seconds"].is_null());
    }
}

TEST(ExplanationJson, ATimeWithoutEndIsNull) {
    const Seconds endless(std::numeric_limits<double>::infinity());
    ExplainedJob job = job_named("train");
    job.decision.has_plan = true;
    job.decision.seconds = endless;
    job.decision.step_seconds = Seconds(std::numeric_limits<double>::quiet_NaN());
    job.measured =
        cost::Measured{.steps = 0, .samples = 0, .spent = Seconds(0), .step_seconds = endless};
    const Json object = read(job);
    EXPECT_TRUE(object["plan"]["seconds"].is_null());
    EXPECT_TRUE(object["plan"]["step_seconds"].is_null());
    EXPECT_TRUE(object["measured"]["step_seconds"].is_null());
    EXPECT_EQ(object["measured"]["steps"], 0);
}

TEST(ExplanationJson, OnlyAPlacementThatSlurmIsHeldToCanBeRelaxed) {
    const struct {
        const char* sentence;
        domain::Promise promise;
        bool is_enforced;
        std::int64_t relaxed;
        bool is_freed;
        Json shown;
    } cases[] = {
        {"nothing is promised", domain::Promise::nothing, true, 5, true, nullptr},
        {"only preferred",
         domain::Promise::preferred,
         false,
         0,
         true,
         {{"promise", "preferred"}, {"what", "one switch"}, {"enforced", false}}},
        {"kept",
         domain::Promise::guaranteed,
         true,
         0,
         false,
         {{"promise", "guaranteed"},
          {"what", "one switch"},
          {"enforced", true},
          {"free", true},
          {"wait", 60.0},
          {"relaxed", false},
          {"relaxed_at", nullptr}}},
        {"by horad",
         domain::Promise::guaranteed,
         true,
         1700,
         false,
         {{"promise", "guaranteed"},
          {"what", "one switch"},
          {"enforced", true},
          {"free", true},
          {"wait", 60.0},
          {"relaxed", true},
          {"relaxed_at", 1700}}},
        {"by its owner",
         domain::Promise::guaranteed,
         true,
         0,
         true,
         {{"promise", "guaranteed"},
          {"what", "one switch"},
          {"enforced", true},
          {"free", true},
          {"wait", 60.0},
          {"relaxed", true},
          {"relaxed_at", nullptr}}},
    };
    for (const auto& row : cases) {
        ExplainedJob job = job_named("train");
        job.is_freed = row.is_freed;
        job.decision.placement = {.promise = row.promise,
                                  .what = "one switch",
                                  .is_enforced = row.is_enforced,
                                  .is_free = true,
                                  .wait = Seconds(60),
                                  .relaxed = row.relaxed};
        EXPECT_EQ(read(job)["placement"], row.shown) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::report
