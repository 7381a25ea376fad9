#include "plugins/spank/job/job_record.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

namespace hora::spank {
namespace {

using nlohmann::json;

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
          R"({"version":1,"job":4294967297,"speeds":"","gpus":{},"set":{},"step":{}})",
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

void* read_text(void* text) {
    const bool is_read = read_job_record(*static_cast<const std::string*>(text)).has_value();
    return is_read ? text : nullptr;
}

// Whose stack a user's limit may leave no larger than this.
bool is_read_on_a_small_stack(std::string text) {
    constexpr std::size_t stack = std::size_t{1} << 20;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    pthread_t reader{};
    void* result = nullptr;
    EXPECT_EQ(pthread_create(&reader, &attributes, &read_text, &text), 0);
    EXPECT_EQ(pthread_join(reader, &result), 0);
    pthread_attr_destroy(&attributes);
    return result != nullptr;
}

TEST(JobRecord, NeedsNoStackForWhatIsNestedInIt) {
    const std::string nested = std::string(45'000, '[') + std::string(45'000, ']');
    for (const char* key : {"job", "speeds", "signal", "placed", "gpus", "set", "step", "told"}) {
        json object{{"version", 1},          {"job", 1},
                    {"speeds", ""},          {"gpus", json::object()},
                    {"set", json::object()}, {"step", json::object()}};
        object[key] = "nested";
        std::string text = object.dump();
        text.replace(text.find("\"nested\""), 8, nested);
        EXPECT_FALSE(is_read_on_a_small_stack(text)) << key;
    }
}

// The user can put there what he likes.
RC_GTEST_PROP(JobRecord, SurvivesAnyText, (const std::string& noise, std::size_t at)) {
    std::string text = to_text(record);
    text.replace(at % text.size(), noise.size() % 5, noise);
    read_job_record(text);
}

}  // namespace
}  // namespace hora::spank
