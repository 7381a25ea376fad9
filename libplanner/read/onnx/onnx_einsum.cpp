// Which extents do the labels of an Einsum's equation have?
#include "libplanner/read/onnx/onnx_einsum.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

constexpr std::string_view arrow = "->";
constexpr std::string_view ellipsis = "...";

// Stand for the extents behind an ellipsis.
constexpr std::string_view spread_labels = "0123456789";

// One input's labels, with as many in place of an ellipsis as its extents leave; nothing where
// there are too many.
std::optional<std::string> without_ellipsis(std::string term, std::size_t rank) {
    const std::size_t place = term.find(ellipsis);
    if (place == std::string::npos) {
        return term;
    }
    const std::size_t letters = term.size() - ellipsis.size();
    if (rank < letters || rank - letters > spread_labels.size()) {
        return std::nullopt;
    }
    return term.replace(place, ellipsis.size(),
                        spread_labels.substr(spread_labels.size() - (rank - letters)));
}

// All inputs' labels likewise.
std::optional<std::string> without_ellipses(std::string_view terms,
                                            const std::vector<model::Shape>& inputs) {
    std::string labels;
    std::size_t begin = 0;
    std::optional<std::size_t> behind;  // an ellipsis: as many extents in each input
    for (const model::Shape& input : inputs) {
        if (begin > terms.size()) {
            return std::nullopt;
        }
        const std::size_t end = std::min(terms.find(',', begin), terms.size());
        const std::string_view written = terms.substr(begin, end - begin);
        const auto term = without_ellipsis(std::string(written), input.size());
        if (!term) {
            return std::nullopt;
        }
        if (written.find(ellipsis) != std::string_view::npos) {
            const std::size_t own = input.size() - (written.size() - ellipsis.size());
            if (behind.value_or(own) != own) {
                return std::nullopt;
            }
            behind = own;
        }
        labels += (begin == 0 ? "" : ",") + *term;
        begin = end + 1;
    }
    return begin == terms.size() + 1 ? std::optional(labels) : std::nullopt;
}

bool is_spread(char label) {
    return spread_labels.find(label) != std::string_view::npos;
}

// Where an equation names no output, it has the extents behind an ellipsis, and the labels that
// occur once, in the alphabet's order, in which digits come first.
std::string labels_that_occur_once(std::string_view inputs) {
    std::map<char, int> counts;
    for (const char label : inputs) {
        counts[label] += label == ',' ? 0 : 1;
    }
    std::string labels;
    for (const auto& [label, count] : counts) {
        if (count == 1 || (count > 1 && is_spread(label))) {
            labels += label;
        }
    }
    return labels;
}

bool is_letter(char label) {
    return (label >= 'a' && label <= 'z') || (label >= 'A' && label <= 'Z');
}

// What an equation says its output has.
std::string output_labels(std::string labels, const std::map<char, std::uint64_t>& extents) {
    const std::size_t place = labels.find(ellipsis);
    if (place == std::string::npos) {
        return labels;
    }
    std::string spread;
    for (const auto& [label, extent] : extents) {
        spread += is_spread(label) ? std::string(1, label) : "";
    }
    return labels.replace(place, ellipsis.size(), spread);
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
    if (equation.empty()) {
        return failure("its equation is missing");
    }
    std::erase(equation, ' ');
    const std::size_t end = equation.find(arrow);
    const auto spelt = without_ellipses(equation.substr(0, end), inputs);
    if (!spelt || std::any_of(equation.begin(), equation.end(), is_spread)) {
        return mismatch();
    }
    const std::string& labels = *spelt;
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
        if (!(is_letter(label) || is_spread(label)) || place >= inputs.size() ||
            dimension >= inputs[place].size()) {
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
    const std::string outputs =
        end == std::string::npos
            ? labels_that_occur_once(labels)
            : output_labels(equation.substr(end + arrow.size()), einsum.extents);
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
