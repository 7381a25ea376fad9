// Is what a submission would get shown in lines of its own, and harmless?
#include "libplanner/report/jobs/submission_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

namespace hora::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

domain::Decision decision_of(const std::string& text) {
    domain::Decision decision;
    decision.operating = "advise";
    decision.partition = text;
    decision.where = text;
    decision.remark = text;
    decision.placement.promise = domain::Promise::preferred;
    decision.placement.what = "one switch";
    decision.changes = {{"features", text, ""}};
    return decision;
}

TEST(SubmissionPlan, WithoutAPlanSaysWhy) {
    domain::Decision decision;
    decision.operating = "observe";
    decision.remark = "no model was given";
    const std::string table = to_table({}, decision, {});
    EXPECT_THAT(table, HasSubstr("submission  observe\n"));
    EXPECT_THAT(table, HasSubstr("remark      no model was given\n"));
    EXPECT_THAT(table, Not(HasSubstr("placement")));
    const Json object = Json::parse(to_json({}, decision, {}), nullptr, false);
    ASSERT_TRUE(object.is_object());
    EXPECT_EQ(object["submission"]["remark"], "no model was given");
    EXPECT_TRUE(object["submission"]["placement"].is_null());
    EXPECT_EQ(object["submission"]["changes"], Json::array());
}

TEST(SubmissionPlan, APartitionsNameMovesNoCursor) {
    for (const std::string& name :
         {std::string("main"), std::string("\x1b[2J"), std::string("a\nsubmission  act"),
          std::string("\xff\xfe"), std::string(10'000, 'p')}) {
        const domain::Decision decision = decision_of(name);
        const std::string table = to_table({}, decision, {});
        EXPECT_EQ(table.find('\x1b'), table.npos);
        EXPECT_THAT(table, Not(HasSubstr("\nsubmission  act")));
        const Json object = Json::parse(to_json({}, decision, {}), nullptr, false);
        EXPECT_TRUE(object.is_object());
    }
}

}  // namespace
}  // namespace hora::report
