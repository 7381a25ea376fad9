#include "plugins/spank/job/job_record.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>

namespace hora::spank {
namespace {

const JobRecord record{.job = 17,
                       .speeds = "fast:2",
                       .gpus = {{"n1", {"fast", ""}}, {"n2", {}}},
                       .is_placed = true,
                       .is_traced = true,
                       .signal = "USR1",
                       .launch = "node",
                       .allreduce = "ring",
                       .told = {"topology"},
                       .set = {{"HORA_BATCH", "8"}, {"HORA_PROGRESS", "/a \"b\"\n"}},
                       .step_set = {{"RANK", "0"}}};

TEST(JobRecord, ComesBackAsItWas) {
    EXPECT_EQ(read_job_record(to_text(record)), record);
}

TEST(JobRecord, GpusComeBackAsTheyWere) {
    EXPECT_EQ(read_node_gpus(to_text(record.gpus)), record.gpus);
    for (const char* text : {"", "[]", "7", "{\"n\":5}", "{\"n\":[1]}", "{\"n\":{\"a\":\"b\"}}"}) {
        EXPECT_EQ(read_node_gpus(text), std::nullopt) << text;
    }
}

TEST(JobRecord, IsNotReadFromAnythingElse) {
    for (const char* text :
         {"", "{}", "[]", "17", "{\"version\":1}", "{\"version\":2,\"job\":1}",
          R"({"version":1,"job":-1,"speeds":"","gpus":{},"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{"n":[1]},"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{"n":5},"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"set":{"A":1},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"set":[],"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"placed":1,"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"traced":1,"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"signal":1,"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"launch":1,"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"allreduce":1,"set":{},"step":{}})",
          R"({"version":1,"job":1,"speeds":"","gpus":{},"told":[1],"set":{},"step":{}})"}) {
        EXPECT_EQ(read_job_record(text), std::nullopt) << text;
    }
    EXPECT_EQ(read_job_record(std::string(200'000, ' ') + to_text(record)), std::nullopt);
}

// The user can put there what he likes.
RC_GTEST_PROP(JobRecord, SurvivesAnyText, (const std::string& noise, std::size_t at)) {
    std::string text = to_text(record);
    text.replace(at % text.size(), noise.size() % 5, noise);
    read_job_record(text);
}

}  // namespace
}  // namespace hora::spank
