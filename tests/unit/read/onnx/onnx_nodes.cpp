// Does any node of any operator, however wrong, end the reader of ONNX files? The library checks
// little of what its shape inference takes for granted.
#include <gtest/gtest.h>
#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "libplanner/read/onnx/onnx_model.hpp"

namespace hora::read {
namespace {

using onnx::AttributeProto;
using onnx::TensorProto;

// One model of one node, drawn by its seed: what the operator's definition names, with numbers of
// dimensions, inputs and outputs that fit it or not. Extents are small: of large ones the library
// makes lists for as long as it may.
class DrawnModel {
  public:
    DrawnModel(const onnx::OpSchema& schema, std::uint64_t seed) : random_(seed) {
        model_.set_ir_version(8);
        model_.add_opset_import()->set_version(schema.SinceVersion());
        graph().set_name("drawn");
        node_ = graph().add_node();
        node_->set_op_type(schema.Name());
        node_->set_name("node");
        const std::size_t rank = below(6);
        const std::size_t inputs = std::clamp(schema.min_input(), 0, 6) + below(3);
        for (std::size_t place = 0; place < inputs; ++place) {
            add_input("i" + std::to_string(place), rank, place);
        }
        const std::size_t outputs = std::max(schema.min_output(), 1) + (below(4) == 0 ? 1 : 0);
        for (std::size_t place = 0; place < outputs; ++place) {
            node_->add_output("o" + std::to_string(place));
            graph().add_output()->set_name(node_->output(static_cast<int>(place)));
        }
        for (const auto& [name, attribute] : schema.attributes()) {
            if (attribute.required || below(2) == 0) {
                add_attribute(name, attribute.type, rank);
            }
        }
    }

    std::string bytes() const { return model_.SerializeAsString(); }
    std::string text() const { return model_.ShortDebugString(); }

  private:
    onnx::GraphProto& graph() { return *model_.mutable_graph(); }
    std::size_t below(std::size_t count) { return random_() % count; }
    std::int64_t number() { return static_cast<std::int64_t>(below(12)) - 4; }

    void add_input(const std::string& name, std::size_t rank, std::size_t place) {
        node_->add_input(name);
        if (place > 0 && below(2) == 0) {
            fill(*graph().add_initializer());
            graph().mutable_initializer(graph().initializer_size() - 1)->set_name(name);
            return;
        }
        auto& value = *graph().add_input();
        value.set_name(name);
        auto& type = *value.mutable_type()->mutable_tensor_type();
        type.set_elem_type(below(3) == 0 ? TensorProto::INT64 : TensorProto::FLOAT);
        type.mutable_shape();
        const std::size_t its_rank = below(3) == 0 ? below(6) : rank;
        for (std::size_t dimension = 0; dimension < its_rank; ++dimension) {
            type.mutable_shape()->add_dim()->set_dim_value(static_cast<std::int64_t>(below(5)));
        }
    }

    // Whole numbers, up to two dimensions.
    void fill(TensorProto& tensor) {
        tensor.set_data_type(TensorProto::INT64);
        std::size_t elements = 1;
        for (std::size_t dimension = below(3); dimension > 0; --dimension) {
            const std::size_t extent = below(5);
            tensor.add_dims(static_cast<std::int64_t>(extent));
            elements *= extent;
        }
        for (; elements > 0; --elements) {
            tensor.add_int64_data(number());
        }
    }

    void add_attribute(const std::string& name, AttributeProto::AttributeType type,
                       std::size_t rank) {
        AttributeProto attribute;
        attribute.set_name(name);
        attribute.set_type(type);
        const std::size_t fitting = rank < 2 ? 0 : (rank - 2) * (1 + below(2));
        const std::size_t count = below(3) == 0 ? below(8) : fitting;
        static const std::vector<std::string> words{"SAME_UPPER", "VALID", "bidirectional",
                                                    "ij,jk->ik", "nearest"};
        if (type == AttributeProto::INT) {
            attribute.set_i(number());
        } else if (type == AttributeProto::FLOAT) {
            attribute.set_f(static_cast<float>(number()));
        } else if (type == AttributeProto::STRING) {
            attribute.set_s(words[below(words.size())]);
        } else if (type == AttributeProto::TENSOR) {
            fill(*attribute.mutable_t());
        } else if (type == AttributeProto::INTS || type == AttributeProto::FLOATS) {
            for (std::size_t place = 0; place < count; ++place) {
                attribute.add_ints(number());
                attribute.add_floats(static_cast<float>(number()));
            }
        } else {
            return;
        }
        *node_->add_attribute() = attribute;
    }

    std::mt19937_64 random_;
    onnx::ModelProto model_;
    onnx::NodeProto* node_ = nullptr;
};

TEST(OnnxNodes, NoneEndsTheReader) {
    int refused = 0;
    for (const onnx::OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) {
        for (std::uint64_t seed = 0; schema.domain().empty() && seed < 8; ++seed) {
            const DrawnModel model(schema, seed);
            SCOPED_TRACE(model.text());
            const auto network = read_onnx_model(model.bytes(), "drawn.onnx");
            const bool has_crashed =
                !network && network.error().message.find("crashes on it") != std::string::npos;
            EXPECT_TRUE(!has_crashed ||
                        network.error().message.find("node \"node\"") != std::string::npos);
            refused += has_crashed ? 1 : 0;
        }
    }
    // Or it draws none of those that the test is about.
    EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace hora::read
