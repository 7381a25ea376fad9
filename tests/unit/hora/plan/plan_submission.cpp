// Is what `hora plan --partition` plans on a snapshot?
#include "scripts/hora/plan/plan_submission.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

TEST(PlanSubmission, NeedsASnapshot) {
    const tests::ScratchFolder folder;
    struct Case {
        const char* sentence;
        const char* text;
        bool is_snapshot;
    };
    const Case cases[] = {
        {"a snapshot that is torn", "{\"version\": 1,", true},
        {"behind blanks, as --cluster alone takes it", "\n {\"version\": 1,", true},
        {"a cluster file", "[[node]]\nname = 'n1'\ngpu = 'v100'\ncount = 4\n", false},
        {"nothing", "", false},
    };
    const SubmissionOptions site;
    const std::map<std::string, std::string> job;
    for (const Case& row : cases) {
        folder.write("file", row.text);
        const auto planned =
            plan_submission({.site = site, .job = job, .sequence = {}, .spell = {}, .is_json = {}},
                            folder.file("file"), read::Settings());
        ASSERT_FALSE(planned) << row.sentence;
        EXPECT_EQ(planned.error().message.find("is no snapshot") == std::string::npos,
                  row.is_snapshot)
            << row.sentence << ": " << planned.error().message;
    }
}

// An empty value would leave its question out.
TEST(PlanSubmission, TakesNoEmptyValue) {
    for (const char* const name :
         {"--partition", "--qos", "--account", "--user", "--constraint", "--time"}) {
        const auto parse = [&](const std::string& value) {
            CLI::App app("", "hora");
            SubmissionOptions options;
            add_submission_options(app, options);
            app.parse(std::vector<std::string>{value, name});
        };
        EXPECT_NO_THROW(parse("1")) << name;
        try {
            parse("");
            ADD_FAILURE() << name;
        } catch (const CLI::ValidationError& error) {
            EXPECT_EQ(error.what(), name + std::string(": is empty"));
        }
    }
}

}  // namespace
}  // namespace hora::scripts
