// What is known of an ONNX graph's tensors, node by node: their types, shapes and small numbers?
#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libplanner/read/onnx/onnx_folding.hpp"
#include "libplanner/read/onnx/onnx_newer.hpp"

namespace hora::read {

// A node whose inputs do not fit its operator: none of the library's exceptions.
class OnnxMisfit : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

// Why shapes are not known: on which node, or on which input's data, each of them depends.
class ShapeGaps {
  public:
    // What the shape of the tensor depends on, and what to do; empty for one that is known.
    std::string reason(const std::string& tensor) const;
    const std::string& reason(std::size_t number) const { return reasons_[number]; }
    std::optional<std::size_t> find(const std::string& tensor) const;

    std::size_t add_reason(std::string reason);
    void add(const std::string& tensor, std::size_t reason) { tensors_.emplace(tensor, reason); }

  private:
    std::vector<std::string> reasons_;
    std::unordered_map<std::string, std::size_t> tensors_;
};

class OnnxInference {
  public:
    // `version`: of ONNX's operators, as the model states it.
    OnnxInference(onnx::GraphProto& graph, int version);

    // The next node: its outputs get their types and, as far as they can be known, their shapes.
    // Throws OnnxMisfit, and what the library throws beside errors of its own.
    void look_at(onnx::NodeProto& node);

    const ShapeGaps& gaps() const { return gaps_; }

    // A tensor of one whole number, as the condition of an If is.
    Numbers::Value number_of(const std::string& name);
    // In place of an If stand the nodes of one branch. What the file states of its outputs may be
    // of the other one, and so may extents behind them: they are not believed from now on.
    void doubt(const onnx::NodeProto& branching);
    // What the numbers of a tensor depend on; empty where that is not known either.
    std::string why_unknown(const std::string& name) const;

  private:
    void attempt(const std::function<void()>& infer);
    void infer_types(onnx::NodeProto& node);
    void infer_einsum(const onnx::NodeProto& node);
    KnownNode known_of(const onnx::NodeProto& node);
    void infer_numbers(const onnx::NodeProto& node);
    void add_numbers(const std::string& output, Numbers numbers);
    void find_reasons(const onnx::NodeProto& node);
    void merge(const onnx::NodeProto& node, const Expected<OutputTypes>& types);
    void merge(const std::string& name, const onnx::TypeProto& inferred);
    bool keep(const std::string& name, Numbers numbers);
    const Numbers* find_numbers(const std::string& name);
    onnx::TypeProto* find_type(const std::string& name) const;
    bool lacks_shape(const std::string& name) const;
    bool lacks_numbers(const std::string& name) const;

    onnx::GraphProto& graph_;
    int version_;
    bool has_doubts_ = false;  // of extents that the file states
    std::unordered_map<std::string, onnx::TypeProto*> types_;
    std::unordered_set<std::string> given_;  // inputs and initializers
    std::deque<onnx::TypeProto> initializer_types_;
    // What the library takes as inputs' data: whole tensors, and lists with gaps.
    std::unordered_map<std::string, const onnx::TensorProto*> data_;
    std::deque<onnx::TensorProto> computed_data_;
    std::unordered_map<std::string, onnx::TensorShapeProto> lists_;
    std::unordered_map<std::string, Numbers> numbers_;
    std::size_t kept_ = 0;  // numbers in all
    std::string problem_;   // the library's, with the node
    ShapeGaps gaps_;
    std::unordered_map<std::string, std::size_t> number_gaps_;  // to the reason
};

}  // namespace hora::read
