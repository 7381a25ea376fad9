// Is what `hora plan --partition` plans on a snapshot?
#include "scripts/hora/plan/plan_submission.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <vector>

#include "libplanner/report/plan/snapshot.hpp"
#include "tests/unit/request/scene.hpp"
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

// A submission is not planned on a snapshot that is too old, or from too far ahead.
TEST(PlanSubmission, SaysWhereSbatchWouldNotUseTheSnapshot) {
    struct Case {
        const char* sentence;
        std::int64_t age;
        bool is_sites;
        const char* remark;  // part of it; empty: none
    };
    const Case cases[] = {
        {"fresh", 0, true, ""},
        {"almost too old", 540, true, ""},
        {"too old", 86400, true,
         "the snapshot is 1 d old, more than 10 min (snapshot.max_age), and sbatch would not use"},
        {"too old, but a copy that was asked for", 86400, false, ""},
        {"written by another clock", -86400, true,
         "the snapshot was written 1 d from now, and sbatch would not use"},
    };
    const tests::ScratchFolder folder;
    read::Settings settings;
    ASSERT_TRUE(settings.set("snapshot.path", folder.file("site"), read::Origin::file, "here"));
    ASSERT_TRUE(settings.set("snapshot.max_age", "600 s", read::Origin::file, "here"));
    const SubmissionOptions site;
    const std::map<std::string, std::string> job{{"hora-model", "vgg16"}, {"hora-batch", "8"}};
    for (const Case& row : cases) {
        domain::Snapshot snapshot = request::small_cluster();
        snapshot.written = std::time(nullptr) - row.age;
        const char* const name = row.is_sites ? "site" : "copy";
        folder.write(name, report::to_json(snapshot));
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        const auto planned = plan_submission({.site = site,
                                              .job = job,
                                              .sequence = {},
                                              .spell = request::spell_with_slash,
                                              .is_json = {}},
                                             folder.file(name), settings);
        const std::string remarks = testing::internal::GetCapturedStderr();
        testing::internal::GetCapturedStdout();
        EXPECT_TRUE(planned) << row.sentence;
        if (*row.remark == '\0') {
            EXPECT_EQ(remarks, "") << row.sentence;
        } else {
            EXPECT_NE(remarks.find(row.remark), std::string::npos)
                << row.sentence << ": " << remarks;
        }
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
