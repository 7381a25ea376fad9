// Which extents do the labels of an Einsum's equation have?
#include "libplanner/read/onnx/onnx_einsum.hpp"

#include <optional>
#include <string>
#include <string_view>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

constexpr std::string_view arrow = "->";

// Where an equation names no output, it has the labels that occur once, in the alphabet's order.
std::string labels_that_occur_once(std::string_view inputs) {
    std::map<char, int> counts;
    for (const char label : inputs) {
        counts[label] += label == ',' ? 0 : 1;
    }
    std::string labels;
    for (const auto& [label, count] : counts) {
        if (count == 1) {
            labels += label;
        }
    }
    return labels;
}

bool is_letter(char label) {
    return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
}

// Of a label that has these extents in two places: an extent of 1 is spread, as elsewhere in ONNX.
std::optional<std::uint64_t> meet(std::uint64_t one, std::uint64_t other) {
    if (one != other && one != 1 && other != 1) {
        return std::nullopt;
    }
    return one == 1 ? other : one;
}

tl::unexpected<Error> mismatch() {
    return failure("its equation does not match its inputs");
}

}  // namespace

Expected<Einsum> read_einsum(const onnx::NodeProto& node, const std::vector<model::Shape>& inputs) {
    const onnx::AttributeProto* const attribute = find_attribute(node, "equation");
    std::string equation = attribute == nullptr ? "" : attribute->s();
    if (equation.empty() || equation.find('.') != std::string::npos) {
        return failure("its equation is missing or has an ellipsis");
    }
    std::erase(equation, ' ');
    const std::size_t end = equation.find(arrow);
    const std::string labels = equation.substr(0, end);
    Einsum einsum;
    std::size_t place = 0;
    std::size_t dimension = 0;
    for (const char label : labels) {
        if (label == ',') {
            if (place >= inputs.size() || dimension != inputs[place].size()) {
                return mismatch();
            }
            ++place;
            dimension = 0;
            continue;
        }
        if (!is_letter(label) || place >= inputs.size() || dimension >= inputs[place].size()) {
            return mismatch();
        }
        std::uint64_t& extent = einsum.extents.try_emplace(label, 1).first->second;
        const auto both = meet(extent, inputs[place][dimension++]);
        if (!both) {
            return mismatch();
        }
        extent = *both;
    }
    if (place + 1 != inputs.size() || dimension != inputs[place].size()) {
        return mismatch();
    }
    const std::string outputs = end == std::string::npos ? labels_that_occur_once(labels)
                                                         : equation.substr(end + arrow.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto found = einsum.extents.find(outputs[i]);
        if (found == einsum.extents.end() || outputs.find(outputs[i]) != i) {
            return mismatch();
        }
        einsum.output.push_back(found->second);
    }
    return einsum;
}

}  // namespace hora::read
