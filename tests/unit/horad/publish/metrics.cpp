// Are the metrics what a collector reads?
#include "scripts/horad/publish/metrics.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>
#include <string>

namespace hora::horad {
namespace {

// The names that the collector takes, and each with its help and its type.
TEST(Metrics, EachLineIsOfTheFormat) {
    domain::Status status;
    status.gpus = 12;
    domain::StatusJob job;
    job.is_elastic = true;
    job.gpus = 4;
    status.jobs.push_back(job);
    const std::string text = metrics_text(
        {.status = status, .resizes = {3}, .snapshot_age = Seconds(1.5), .round = Seconds(0.01)});
    const std::regex form(
        "# (HELP|TYPE) hora_[a-z_]+ .+|hora_[a-z_]+(\\{[a-z]+=\"[a-z ]+\"\\})? [0-9.e+-]+");
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_TRUE(std::regex_match(line, form)) << line;
    }
    EXPECT_NE(text.find("\nhora_gpus 12\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_resizes_total{result=\"done\"} 3\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_elastic_gpus 4\n"), std::string::npos);
    EXPECT_NE(text.find("\nhora_snapshot_age_seconds 1.5\n"), std::string::npos);
    const std::string of_other = metrics_text(
        {.status = status, .snapshot_age = Seconds(0), .round = Seconds(0), .is_acting = false});
    EXPECT_NE(of_other.find("\nhora_acting 0\n"), std::string::npos);
    EXPECT_EQ(of_other.find("hora_gpus"), std::string::npos);
}

}  // namespace
}  // namespace hora::horad
