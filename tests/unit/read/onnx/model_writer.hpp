// ONNX models to test with.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hora::read {

constexpr std::int64_t dynamic = -1;

// Writes models as an exporter would, node by node.
class ModelWriter {
  public:
    ModelWriter() {
        model_.set_ir_version(8);
        model_.add_opset_import()->set_version(15);
        graph().set_name("test");
    }

    onnx::GraphProto& graph() { return *model_.mutable_graph(); }
    onnx::ModelProto& model() { return model_; }

    ModelWriter& input(const std::string& name, const std::vector<std::int64_t>& extents,
                       onnx::TensorProto::DataType type = onnx::TensorProto::FLOAT) {
        describe(*graph().add_input(), name, extents, type);
        return *this;
    }
    ModelWriter& output(const std::string& name) {
        graph().add_output()->set_name(name);
        graph()
            .mutable_output(graph().output_size() - 1)
            ->mutable_type()
            ->mutable_tensor_type()
            ->set_elem_type(onnx::TensorProto::FLOAT);
        return *this;
    }
    ModelWriter& weights(const std::string& name, const std::vector<std::int64_t>& extents) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::FLOAT);
        std::size_t bytes = sizeof(float);
        for (const std::int64_t extent : extents) {
            tensor.add_dims(extent);
            bytes *= static_cast<std::size_t>(extent);
        }
        tensor.set_raw_data(std::string(bytes, '\0'));
        return *this;
    }
    ModelWriter& numbers(const std::string& name, const std::vector<std::int64_t>& values) {
        onnx::TensorProto& tensor = *graph().add_initializer();
        tensor.set_name(name);
        tensor.set_data_type(onnx::TensorProto::INT64);
        tensor.add_dims(static_cast<std::int64_t>(values.size()));
        for (const std::int64_t value : values) {
            tensor.add_int64_data(value);
        }
        return *this;
    }
    onnx::NodeProto& node(const std::string& type, const std::vector<std::string>& inputs,
                          const std::string& output) {
        onnx::NodeProto& node = *graph().add_node();
        node.set_op_type(type);
        node.set_name(output);
        for (const std::string& input : inputs) {
            node.add_input(input);
        }
        node.add_output(output);
        return node;
    }
    std::string bytes() const { return model_.SerializeAsString(); }

  private:
    static void describe(onnx::ValueInfoProto& value, const std::string& name,
                         const std::vector<std::int64_t>& extents,
                         onnx::TensorProto::DataType type) {
        value.set_name(name);
        onnx::TypeProto_Tensor& tensor = *value.mutable_type()->mutable_tensor_type();
        tensor.set_elem_type(type);
        tensor.mutable_shape();
        for (const std::int64_t extent : extents) {
            auto& dimension = *tensor.mutable_shape()->add_dim();
            if (extent == dynamic) {
                dimension.set_dim_param("n");
            } else {
                dimension.set_dim_value(extent);
            }
        }
    }

    onnx::ModelProto model_;
};

inline void set_integers(onnx::NodeProto& node, const std::string& name,
                         const std::vector<std::int64_t>& values) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) {
        attribute.add_ints(value);
    }
}

inline void set_integer(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
}

inline void set_text(onnx::NodeProto& node, const std::string& name, const std::string& text) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(text);
}

inline onnx::NodeProto& add_node(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                                 const std::string& type, const std::vector<std::string>& inputs,
                                 const std::vector<std::string>& outputs,
                                 const std::string& domain = "") {
    onnx::NodeProto& node = *nodes.Add();
    node.set_op_type(type);
    node.set_domain(domain);
    for (const std::string& input : inputs) {
        node.add_input(input);
    }
    for (const std::string& output : outputs) {
        node.add_output(output);
    }
    return node;
}

// As an If has two.
inline onnx::GraphProto& add_branch(onnx::NodeProto& node, const std::string& name,
                                    const std::vector<std::string>& outputs) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::GRAPH);
    onnx::GraphProto& graph = *attribute.mutable_g();
    for (const std::string& output : outputs) {
        graph.add_output()->set_name(output);
    }
    return graph;
}

}  // namespace hora::read
