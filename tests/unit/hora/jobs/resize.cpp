// Does `hora resize` take the numbers that it is given, and refuse all others?
#include "scripts/hora/jobs/resize.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/hora/call.hpp"
#include "tests/unit/hora/site_folder.hpp"

namespace hora::scripts {
namespace {

class ResizeCommandTest : public tests::SiteFolder {
  protected:
    static tests::Answer resize(const std::string& job, const std::string& gpus) {
        return tests::call(&add_resize_command, {"resize", job, gpus});
    }
    static std::string refusal_of(const std::string& gpus) {
        try {
            resize("12", gpus);
            return {};
        } catch (const CLI::ParseError& error) {
            // Both streams are still held.
            testing::internal::GetCapturedStderr();
            testing::internal::GetCapturedStdout();
            return error.what();
        }
    }
};

TEST_F(ResizeCommandTest, TakesWholeNumbersOfGpusAlone) {
    for (const char* const wrong : {"0", "-1", "1.5", "1e3", "0x10", "1000001", "4294967300",
                                    "18446744073709551617", "nan", "", " 4", "4 ", "+4", "4\n"}) {
        EXPECT_NE(refusal_of(wrong), "") << '"' << wrong << '"';
    }
    for (const char* const right : {"1", "4", "1000000", "010", "08"}) {
        EXPECT_EQ(refusal_of(right), "") << right;
    }
}

TEST_F(ResizeCommandTest, RefusesPartsOfJobsAndWhatIsNone) {
    struct Case {
        const char* job;
        const char* said;
    };
    const Case cases[] = {
        {"12_3", "hora: job 12_3 cannot be resized: it is of an array or heterogeneous\n"},
        {"12+1", "hora: job 12+1 cannot be resized: it is of an array or heterogeneous\n"},
        {"0", "0"},
        {"-1", "-1"},
        {"4294967296", "4294967296"},
        {"12\x1b[2J", "12"},
        {"\xff", "hora: "},
    };
    for (const Case& row : cases) {
        const tests::Answer answer = resize(row.job, "4");
        EXPECT_NE(answer.remarks.find(row.said), std::string::npos) << answer.remarks;
        EXPECT_EQ(answer.remarks.find('\x1b'), std::string::npos) << row.job;
        EXPECT_EQ(answer.data, "");
        EXPECT_NE(answer.exit, Exit::done) << row.job;
    }
}

TEST_F(ResizeCommandTest, SaysThatSlurmctldOrTheSettingsAreNotThere) {
    const tests::Answer answer = resize("12", "4");
    EXPECT_NE(answer.remarks.find("cannot load the configuration from slurmctld"),
              std::string::npos)
        << answer.remarks;
    EXPECT_EQ(answer.exit, Exit::failed);
    ::setenv("HORA_CONF", "/nowhere/hora.toml", 1);
    EXPECT_EQ(resize("12", "4").remarks,
              "hora: cannot open \"/nowhere/hora.toml\": No such file or directory\n");
}

}  // namespace
}  // namespace hora::scripts
