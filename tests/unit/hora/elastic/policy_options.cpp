// Is an option that changes nothing named, beside what is simulated?
#include "scripts/hora/elastic/policy_options.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scripts/hora/elastic/simulate.hpp"
#include "tests/unit/hora/call.hpp"

namespace hora::scripts {
namespace {

TEST(PolicyOptions, NamesThoseThatAreIgnored) {
    struct Case {
        const char* sentence;
        std::vector<std::string> options;
        std::string remarks;
    };
    const Case cases[] = {
        {"none is given", {"--play", "policy", "--knowledge", "oracle"}, ""},
        {"horad waits between two resizes", {"--cooldown-seconds", "60"}, ""},
        {"a policy of a paper does not",
         {"--play", "policy", "--cooldown-seconds", "60"},
         "hora: --cooldown-seconds is ignored: only --play daemon waits between two resizes\n"},
        {"what was measured is shared", {"--shared-fits", "off"}, ""},
        {"what is known need not be measured",
         {"--knowledge", "oracle", "--shared-fits", "off"},
         "hora: --shared-fits is ignored: --knowledge oracle measures nothing\n"},
    };
    for (const Case& row : cases) {
        std::vector<std::string> words{
            "simulate", "--generator", "p5", "--jobs", "2", "--nodes", "1", "--gpus-per-node", "2"};
        words.insert(words.end(), row.options.begin(), row.options.end());
        const tests::Answer answer = tests::call(&add_simulate_command, words);
        EXPECT_EQ(answer.remarks, row.remarks) << row.sentence;
        EXPECT_EQ(answer.exit, Exit::done) << row.sentence;
    }
}

}  // namespace
}  // namespace hora::scripts
