// Which operators' shapes are computed beyond what the ONNX library does by itself?
#include "libplanner/read/model/onnx_schemas.hpp"

#include <fmt/core.h>
#include <onnx/defs/tensor_proto_util.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hora::read {
namespace {

using onnx::InferenceContext;
using onnx::OpSchema;
using onnx::TensorShapeProto;

using Values = std::vector<std::int64_t>;

// A list of whole numbers whose values are all known.
std::optional<Values> values_of(const TensorShapeProto* known) {
    if (known == nullptr) {
        return std::nullopt;
    }
    Values values;
    for (const auto& value : known->dim()) {
        if (!value.has_dim_value()) {
            return std::nullopt;
        }
        values.push_back(value.dim_value());
    }
    return values;
}

void divide(onnx::DataPropagationContext& context) {
    const auto dividends = values_of(context.getInputData(0));
    const auto divisors = values_of(context.getInputData(1));
    if (!dividends || !divisors || dividends->empty() || divisors->empty()) {
        return;
    }
    const std::size_t size = std::max(dividends->size(), divisors->size());
    if (std::min(dividends->size(), divisors->size()) != 1 &&
        dividends->size() != divisors->size()) {
        return;
    }
    TensorShapeProto quotients;
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t dividend = (*dividends)[dividends->size() == 1 ? 0 : i];
        const std::int64_t divisor = (*divisors)[divisors->size() == 1 ? 0 : i];
        if (dividend < 0 || divisor <= 0) {  // an extent never is
            return;
        }
        quotients.add_dim()->set_dim_value(dividend / divisor);
    }
    context.addOutputData(0, std::move(quotients));
}

// The values of an input: a small constant's, or those followed so far.
std::optional<Values> input_values(const InferenceContext& context, std::size_t place) {
    if (place >= context.getNumInputs()) {
        return std::nullopt;
    }
    const onnx::TensorProto* const constant = context.getInputData(place);
    if (constant == nullptr) {
        return values_of(context.getSymbolicInput(place));
    }
    if (constant->data_type() == onnx::TensorProto::INT64) {
        return onnx::ParseData<std::int64_t>(constant);
    }
    if (constant->data_type() == onnx::TensorProto::INT32) {
        const std::vector<std::int32_t> narrow = onnx::ParseData<std::int32_t>(constant);
        return Values(narrow.begin(), narrow.end());
    }
    return std::nullopt;
}

// Starts and ends may count from the end, and lie outside.
std::int64_t bounded(std::int64_t place, std::int64_t extent) {
    return std::clamp<std::int64_t>(place < 0 ? place + extent : place, 0, extent);
}

bool has_shape(const onnx::TypeProto* type) {
    return type != nullptr && type->has_tensor_type() && type->tensor_type().has_shape();
}

// The fifth input of a Slice; absent, all steps are 1.
bool has_steps_of_one(const InferenceContext& context) {
    if (context.getNumInputs() <= 4) {
        return true;
    }
    const auto steps = input_values(context, 4);
    return steps &&
           std::all_of(steps->begin(), steps->end(), [](std::int64_t step) { return step == 1; });
}

// Slice of version 10 and later with steps of 1: bounds and axes are inputs.
void slice(InferenceContext& context) {
    const auto starts = input_values(context, 1);
    const auto ends = input_values(context, 2);
    const auto axes = input_values(context, 3);
    onnx::TypeProto* const output = context.getOutputType(0);
    if (!has_shape(context.getInputType(0)) || output == nullptr || has_shape(output) || !starts ||
        !ends || !axes || ends->size() != starts->size() || axes->size() != starts->size() ||
        !has_steps_of_one(context)) {
        return;
    }
    TensorShapeProto shape = context.getInputType(0)->tensor_type().shape();
    const auto rank = static_cast<std::int64_t>(shape.dim_size());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
        if (axis < 0 || axis >= rank || !shape.dim(static_cast<int>(axis)).has_dim_value()) {
            return;
        }
        auto& dimension = *shape.mutable_dim(static_cast<int>(axis));
        const std::int64_t extent = std::max<std::int64_t>(dimension.dim_value(), 0);
        const std::int64_t length = bounded((*ends)[i], extent) - bounded((*starts)[i], extent);
        dimension.set_dim_value(std::max<std::int64_t>(length, 0));
    }
    *output->mutable_tensor_type()->mutable_shape() = std::move(shape);
}

OpSchema with_division(const OpSchema& schema) {
    OpSchema more = schema;
    more.PartialDataPropagationFunction(divide);
    return more;
}

OpSchema with_followed_bounds(const OpSchema& schema) {
    OpSchema more = schema;
    more.TypeAndShapeInferenceFunction(
        [usual = schema.GetTypeAndShapeInferenceFunction()](InferenceContext& context) {
            usual(context);
            slice(context);
        });
    return more;
}

// Of a convolution, whose weights have an extent for each of its input's.
void check_ranks(const InferenceContext& context) {
    if (context.getNumInputs() < 2) {
        throw OnnxMisfit(fmt::format("it needs an input and weights, and has {} of them",
                                     context.getNumInputs()));
    }
    if (!has_shape(context.getInputType(0)) || !has_shape(context.getInputType(1))) {
        return;
    }
    const int input = context.getInputType(0)->tensor_type().shape().dim_size();
    const int weights = context.getInputType(1)->tensor_type().shape().dim_size();
    if (input < 2 || input != weights) {
        throw OnnxMisfit(fmt::format(
            "its input has {} dimensions and its weights have {}; both need as many, and at least "
            "2",
            input, weights));
    }
}

OpSchema with_checked_ranks(const OpSchema& schema) {
    OpSchema more = schema;
    more.TypeAndShapeInferenceFunction(
        [usual = schema.GetTypeAndShapeInferenceFunction()](InferenceContext& context) {
            check_ranks(context);
            usual(context);
        });
    return more;
}

using Extend = OpSchema (*)(const OpSchema& schema);

// Null for an operator that stays as it is.
Extend extension_of(std::string_view name, int version) {
    if (name == "Conv" || name == "ConvTranspose") {
        return with_checked_ranks;
    }
    if (name == "Slice" && version >= 10) {
        return with_followed_bounds;
    }
    return name == "Div" ? with_division : nullptr;
}

class Schemas : public onnx::ISchemaRegistry {
  public:
    const OpSchema* GetSchema(const std::string& name, const int version,
                              const std::string& domain) const override {
        const OpSchema* const usual =
            onnx::OpSchemaRegistry::Instance()->GetSchema(name, version, domain);
        const Extend extend = extension_of(name, version);
        if (usual == nullptr || extend == nullptr) {
            return usual;
        }
        const std::lock_guard lock(mutex_);
        auto& more = extended_[usual];
        if (!more) {
            more = std::make_unique<OpSchema>(extend(*usual));
        }
        return more.get();
    }

  private:
    mutable std::mutex mutex_;
    mutable std::map<const OpSchema*, std::unique_ptr<OpSchema>> extended_;
};

}  // namespace

const onnx::ISchemaRegistry& onnx_schemas() {
    static const Schemas schemas;
    return schemas;
}

}  // namespace hora::read
