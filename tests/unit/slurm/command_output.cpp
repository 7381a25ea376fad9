#include "plugins/slurm/command_output.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

struct Case {
    const char* sentence;
    const char* command;
    const char* text;
    bool is_good;
};

const Case cases[] = {
    {"what it prints is kept", "echo SwitchName=leaf1", "SwitchName=leaf1\n", true},
    {"its complaints too, which say why it failed", "(echo down >&2; exit 1)", "down\n", false},
    {"a command that is not there fails in words", "/nonexistent/scontrol", "not found", false},
    {"one that is killed did not end well", "exec sh -c 'kill -KILL $$'", "", false},
};

TEST(CommandOutput, SaysWhatWasPrintedAndWhetherItIsGood) {
    for (const Case& one : cases) {
        const auto output = output_of(one.command);
        ASSERT_TRUE(output) << one.sentence;
        EXPECT_NE(output->text.find(one.text), std::string::npos)
            << one.sentence << ": " << output->text;
        EXPECT_EQ(output->is_good, one.is_good) << one.sentence;
    }
}

TEST(CommandOutput, ReadsMoreThanOneBlock) {
    EXPECT_EQ(output_of("yes | head -c 100000")->text.size(), 100'000u);
}

}  // namespace
}  // namespace hora::slurm
