#include "plugins/spank/variables/tf_config.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spank/some_variables.hpp"

namespace hora::spank {
namespace {

struct Case {
    const char* sentence;
    StepLayout layout;
    std::optional<std::uint32_t> server;
    const char* config;
};

const Case cases[] = {
    {"alone there is nobody to find", layout_of({1}, 0, 0), std::nullopt, ""},
    {"every task is a worker", layout_of({2, 1}, 1, 0), std::nullopt,
     R"({"cluster":{"worker":["n0:7000","n0:7001","n1:7000"]},"task":{"index":2,"type":"worker"}})"},
    {"the server is no worker", layout_of({2, 1}, 0, 1), 1,
     R"({"cluster":{"chief":["n0:7000"],"ps":["n0:7001"],"worker":["n1:7000"]},"task":{"index":0,"type":"ps"}})"},
    {"workers are counted without the server", layout_of({1, 3}, 1, 2), 0,
     R"({"cluster":{"chief":["n1:7000"],"ps":["n0:7000"],"worker":["n1:7001","n1:7002"]},"task":{"index":1,"type":"worker"}})"},
    {"of two, one serves and one works", layout_of({1, 1}, 1, 0), 0,
     R"({"cluster":{"ps":["n0:7000"],"worker":["n1:7000"]},"task":{"index":0,"type":"worker"}})"},
    {"a node may have no task", layout_of({1, 0, 1}, 2, 0), std::nullopt,
     R"({"cluster":{"worker":["n0:7000","n2:7000"]},"task":{"index":1,"type":"worker"}})"},
    {"a list too long is left out", layout_of(std::vector<std::uint32_t>(5000, 1), 0, 0),
     std::nullopt, ""},
};

TEST(TfConfig, GivesEachTaskItsSeat) {
    for (const Case& test : cases) {
        const auto port = [](std::uint32_t task) {
            return static_cast<std::uint16_t>(7000 + task);
        };
        EXPECT_EQ(tf_config(test.layout, test.server, port), test.config) << test.sentence;
    }
}

}  // namespace
}  // namespace hora::spank
