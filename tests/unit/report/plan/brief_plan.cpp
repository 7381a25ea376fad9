// Is what a job itself carries of its plan shown whole, whatever the job's owner has named it?
#include "libplanner/report/plan/brief_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/unit/report/golden.hpp"

namespace hora::report {
namespace {

BriefJob brief(bool has_plan) {
    BriefJob job{.id = "12", .name = "an \"odd\" one", .state = "RUNNING", .word = {}};
    job.word.key = "69221a2b-0123456789";
    job.word.operating = "act";
    if (has_plan) {
        job.word.has_plan = true;
        job.word.mode = domain::Mode::sync;
        job.word.gpus = 8;
        job.word.nodes = 2;
        job.word.type = "h100";
        job.word.step_seconds = Seconds(0.4125);
        job.word.seconds = Seconds(5400);
    }
    return job;
}

// UPDATE_GOLDEN=1 rewrites tests/golden/explain.
TEST(BriefPlan, PrintsWhatItPrinted) {
    for (const bool has_plan : {true, false}) {
        const std::string name = has_plan ? "explain/brief" : "explain/brief_without_plan";
        hora::testing::expect_golden(name + ".txt", to_text(brief(has_plan)));
        hora::testing::expect_golden(name + ".json", to_json(brief(has_plan)));
    }
}

BriefJob job_named(std::string name) {
    BriefJob job = brief(true);
    job.name = std::move(name);
    return job;
}

TEST(BriefPlan, NoNameBeginsALineOrMovesTheCursor) {
    const struct {
        const char* sentence;
        std::string name;
        const char* shown;
    } cases[] = {
        {"a line that is no plan", "a\nplan        none", "\"a plan        none\""},
        {"what clears the screen", "\x1b[2J\xc2\x9b", "\" [2J \""},
        {"what turns the direction of writing", "\xe2\x80\xae\x65", "\"\xef\xbf\xbd\x65\""},
        {"a letter that was cut", "j\xc3", "\"j\xef\xbf\xbd\""},
        {"other scripts", "日本", "\"日本\""},
    };
    for (const auto& one : cases) {
        const std::string text = to_text(job_named(one.name));
        EXPECT_EQ(text.substr(0, text.find('\n')),
                  "job 12      " + std::string(one.shown) + ", RUNNING")
            << one.sentence;
    }
}

TEST(BriefPlan, IsJsonWhateverTheName) {
    const BriefJob job = job_named("</script>\"\\\n\xff");
    const auto object = nlohmann::json::parse(to_json(job));
    EXPECT_EQ(object["name"], "</script>\"\\\n\xef\xbf\xbd");
    EXPECT_EQ(object["is_brief"], true);
}

}  // namespace
}  // namespace hora::report
