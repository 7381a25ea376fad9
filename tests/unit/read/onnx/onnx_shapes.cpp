// By which operators are shapes inferred, and what is said where that cannot be?
#include "libplanner/read/onnx/onnx_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/read/onnx/model_writer.hpp"

namespace hora::read {
namespace {

using testing::HasSubstr;

struct Operators {
    std::string domain;
    std::int64_t version = 0;
};

// Up to version 12 the axes are an attribute, and later an input, which this node lacks.
ModelWriter unsqueezed(const std::vector<Operators>& used, std::int64_t format = 8) {
    ModelWriter writer;
    writer.model().set_ir_version(format);
    writer.model().clear_opset_import();
    for (const Operators& one : used) {
        onnx::OperatorSetIdProto& set = *writer.model().add_opset_import();
        set.set_domain(one.domain);
        set.set_version(one.version);
    }
    writer.input("x", {2, 3});
    set_integers(writer.node("Unsqueeze", {"x"}, "y"), "axes", {0});
    return writer;
}

TEST(OnnxShapes, FollowTheOperatorsOfTheModelsOwnVersion) {
    constexpr std::int64_t format_that_states_none = 2;
    struct {
        const char* sentence;
        ModelWriter writer;
        bool has_shape;
    } cases[] = {
        {"the last with an attribute", unsqueezed({{"", 12}}), true},
        {"the first with an input", unsqueezed({{"", 13}}), false},
        {"ONNX's by name", unsqueezed({{"ai.onnx", 11}}), true},
        {"behind another's", unsqueezed({{"com.microsoft", 17}, {"", 11}}), true},
        {"a file from before they were stated", unsqueezed({}, format_that_states_none), true},
        {"none at all", unsqueezed({{"", 0}}), true},
        {"less than none", unsqueezed({{"", -13}}), true},
        {"the next century's", unsqueezed({{"", std::int64_t{1} << 40}}), false},
    };
    for (auto& row : cases) {
        const auto gaps = infer_shapes(row.writer.model());
        ASSERT_TRUE(gaps) << row.sentence << ": " << gaps.error().message;
        EXPECT_EQ(!gaps->find("y"), row.has_shape) << row.sentence;
        EXPECT_EQ(gaps->reason("y").empty(), row.has_shape) << row.sentence;
    }
    for (const auto& stated : {std::vector<Operators>(), {{"com.microsoft", 1}}}) {
        ModelWriter writer = unsqueezed(stated);
        const auto gaps = infer_shapes(writer.model());
        ASSERT_FALSE(gaps);
        EXPECT_THAT(gaps.error().message, HasSubstr("which version of ONNX's operators it uses"));
    }
}

TEST(OnnxShapes, OfNoNodesAreNone) {
    ModelWriter writer;
    EXPECT_TRUE(infer_shapes(writer.model()));
}

ModelWriter misfit(const std::string& name) {
    ModelWriter writer;
    writer.input("x", {2, 3});
    writer.node("Conv", {"x"}, "y").set_name(name);
    return writer;
}

TEST(OnnxShapes, AMisfitIsNamedInOneShortLine) {
    const std::string names[] = {"dense",    "a\nb", "\x1b[2J", std::string(10'000, 'n'),
                                 "\xff\xfe", "層"};
    for (const std::string& name : names) {
        ModelWriter writer = misfit(name);
        const auto gaps = infer_shapes(writer.model());
        ASSERT_FALSE(gaps);
        const std::string& message = gaps.error().message;
        EXPECT_TRUE(message.starts_with("node \"")) << message;
        EXPECT_THAT(message, HasSubstr("operator \"Conv\": "));
        EXPECT_LT(message.size(), 1'000u);
        EXPECT_TRUE(std::none_of(message.begin(), message.end(), [](char letter) {
            return static_cast<unsigned char>(letter) < ' ';
        })) << message;
    }
}

}  // namespace
}  // namespace hora::read
