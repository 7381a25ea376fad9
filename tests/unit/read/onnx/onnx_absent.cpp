// Does a build without the ONNX library say so of any file, in one line?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "libplanner/read/onnx/onnx_model.hpp"

namespace hora::read {
namespace {

TEST(OnnxAbsent, EveryFileIsAnsweredWithWhatToDo) {
    for (const std::string& name : {std::string(), std::string("net.onnx"),
                                    std::string("a\n\x1b[2J"), std::string(10'000, 'n')}) {
        const auto file = read_onnx_file(name, {});
        const auto model = read_onnx_model("", name, {});
        ASSERT_FALSE(file);
        ASSERT_FALSE(model);
        const std::string& message = file.error().message;
        EXPECT_EQ(message, model.error().message);
        EXPECT_THAT(message, testing::HasSubstr("describe the network in a layer table (.toml)"));
        EXPECT_LT(message.size(), 1'000u);
        EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char letter) {
            return static_cast<unsigned char>(letter) < ' ';
        })) << message;
    }
}

}  // namespace
}  // namespace hora::read
