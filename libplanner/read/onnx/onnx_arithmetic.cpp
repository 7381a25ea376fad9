// What do ONNX's operators compute of whole numbers?
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "libplanner/read/onnx/onnx_folding.hpp"

namespace hora::read {
namespace {

using model::Shape;
using onnx::TensorProto;

using Value = Numbers::Value;
using Operation = Value (*)(std::int64_t a, std::int64_t b);

// An extent is the same whatever overflows elsewhere, so such a number is just not known.
Value add(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? Value() : sum;
}

Value subtract(std::int64_t a, std::int64_t b) {
    std::int64_t difference = 0;
    return __builtin_sub_overflow(a, b, &difference) ? Value() : difference;
}

Value multiply(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? Value() : product;
}

bool is_undefined(std::int64_t dividend, std::int64_t divisor) {
    return divisor == 0 || (divisor == -1 && dividend == std::numeric_limits<std::int64_t>::min());
}

Value divide(std::int64_t a, std::int64_t b) {
    return is_undefined(a, b) ? Value() : a / b;
}

// As C has it: the sign is the dividend's.
Value remainder(std::int64_t a, std::int64_t b) {
    return is_undefined(a, b) ? Value() : a % b;
}

// As Python has it: the sign is the divisor's.
Value modulus(std::int64_t a, std::int64_t b) {
    if (is_undefined(a, b)) {
        return {};
    }
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Value raise(std::int64_t base, std::int64_t exponent) {
    constexpr std::int64_t largest = 63;  // of a base that does not overflow
    if (base == 0 || base == 1) {
        return exponent == 0 ? 1 : exponent > 0 || base == 1 ? Value(base) : Value();
    }
    if (exponent < 0 || exponent > largest) {
        return {};
    }
    Value power = 1;
    for (; exponent > 0 && power; --exponent) {
        power = multiply(*power, base);
    }
    return power;
}

Value least(std::int64_t a, std::int64_t b) {
    return std::min(a, b);
}

Value greatest(std::int64_t a, std::int64_t b) {
    return std::max(a, b);
}

struct Binary {
    std::string_view name;
    Operation compute;
    bool is_statement = false;  // its result is a BOOL
    bool takes_any = false;     // any number of inputs, not two
};

constexpr Binary binaries[] = {
    {"Add", add},
    {"Sub", subtract},
    {"Mul", multiply},
    {"Div", divide},
    {"Mod", modulus},
    {"Pow", raise},
    {.name = "Min", .compute = least, .takes_any = true},
    {.name = "Max", .compute = greatest, .takes_any = true},
    {"Equal", [](std::int64_t a, std::int64_t b) { return Value(a == b); }, true},
    {"Less", [](std::int64_t a, std::int64_t b) { return Value(a < b); }, true},
    {"LessOrEqual", [](std::int64_t a, std::int64_t b) { return Value(a <= b); }, true},
    {"Greater", [](std::int64_t a, std::int64_t b) { return Value(a > b); }, true},
    {"GreaterOrEqual", [](std::int64_t a, std::int64_t b) { return Value(a >= b); }, true},
    {"And", [](std::int64_t a, std::int64_t b) { return Value(a != 0 && b != 0); }, true},
    {"Or", [](std::int64_t a, std::int64_t b) { return Value(a != 0 || b != 0); }, true},
    {"Xor", [](std::int64_t a, std::int64_t b) { return Value((a != 0) != (b != 0)); }, true},
};

const Binary* find_binary(std::string_view name) {
    const auto found = std::find_if(std::begin(binaries), std::end(binaries),
                                    [&](const Binary& binary) { return binary.name == name; });
    return found == std::end(binaries) ? nullptr : &*found;
}

Value in_range(std::int32_t type, Value value) {
    return value && is_in_range(type, *value) ? value : Value();
}

std::optional<Numbers> spread(const Numbers& numbers, const Shape& extents) {
    const auto view = spread_view(numbers.extents, extents);
    return view ? copy(numbers, *view) : std::nullopt;
}

std::optional<Numbers> combine(const Numbers& left, const Numbers& right, const Binary& binary,
                               Operation compute) {
    const auto extents = spread_shape(left.extents, right.extents);
    auto result = extents ? spread(left, *extents) : std::nullopt;
    const auto other = extents ? spread(right, *extents) : std::nullopt;
    if (!result || !other) {
        return std::nullopt;
    }
    result->type = binary.is_statement ? static_cast<std::int32_t>(TensorProto::BOOL) : left.type;
    for (std::size_t place = 0; place < result->values.size(); ++place) {
        Value& value = result->values[place];
        const Value& more = other->values[place];
        value = value && more ? in_range(result->type, compute(*value, *more)) : Value();
    }
    return result;
}

// The exponent of a power may have another type than its base, whose type the result has.
bool fits(const Binary& binary, std::int32_t left, std::int32_t right) {
    return left == right ||
           (binary.compute == raise && left != TensorProto::BOOL && right != TensorProto::BOOL);
}

// Two inputs, or of Min and Max any number of them.
std::optional<Numbers> fold_binary(const KnownNode& node) {
    const Binary& binary = *find_binary(node.node.op_type());
    const bool is_remainder = binary.compute == modulus && node.integer("fmod", 0) != 0;
    // Before version 7 "axis" said which extents of the longer shape are the shorter one's.
    if (node.input(0) == nullptr || find_attribute(node.node, "axis") != nullptr ||
        (!binary.takes_any && node.numbers.size() != 2)) {
        return std::nullopt;
    }
    std::optional<Numbers> result = *node.input(0);
    for (std::size_t place = 1; result && place < node.numbers.size(); ++place) {
        const Numbers* const more = node.input(place);
        result = more == nullptr || !fits(binary, result->type, more->type)
                     ? std::nullopt
                     : combine(*result, *more, binary, is_remainder ? remainder : binary.compute);
    }
    return result;
}

std::optional<Numbers> map(const KnownNode& node, Value (*compute)(std::int64_t value)) {
    if (node.input(0) == nullptr) {
        return std::nullopt;
    }
    Numbers numbers = *node.input(0);
    for (Value& value : numbers.values) {
        value = value ? in_range(numbers.type, compute(*value)) : Value();
    }
    return numbers;
}

// Where the least is greater than the greatest, all become the greatest.
std::optional<Numbers> fold_clip(const KnownNode& node) {
    // Before version 11 "min" and "max" were attributes, and all numbers floats.
    if (node.input(0) == nullptr || find_attribute(node.node, "min") != nullptr ||
        find_attribute(node.node, "max") != nullptr) {
        return std::nullopt;
    }
    Numbers result = *node.input(0);
    const std::pair<std::size_t, Operation> bounds[] = {{1, greatest}, {2, least}};
    for (const auto& [place, compute] : bounds) {
        if (!node.has_input(place)) {
            continue;
        }
        const Numbers* const bound = node.input(place);
        if (bound == nullptr || bound->type != result.type || bound->values.size() != 1) {
            return std::nullopt;
        }
        for (Value& value : result.values) {
            value = value && bound->single() ? compute(*value, *bound->single()) : Value();
        }
    }
    return result;
}

std::optional<Numbers> fold_neg(const KnownNode& node) {
    return map(node, [](std::int64_t value) { return subtract(0, value); });
}

std::optional<Numbers> fold_abs(const KnownNode& node) {
    return map(node, [](std::int64_t value) { return value < 0 ? subtract(0, value) : value; });
}

std::optional<Numbers> fold_sign(const KnownNode& node) {
    return map(node, [](std::int64_t value) { return Value((value > 0) - (value < 0)); });
}

std::optional<Numbers> fold_not(const KnownNode& node) {
    return map(node, [](std::int64_t value) { return Value(value == 0); });
}

std::optional<Numbers> fold_cast(const KnownNode& node) {
    const auto to = static_cast<std::int32_t>(node.integer("to", TensorProto::UNDEFINED));
    if (node.input(0) == nullptr || !holds_whole_numbers(to)) {
        return std::nullopt;
    }
    Numbers numbers = *node.input(0);
    numbers.type = to;
    for (Value& value : numbers.values) {
        if (to == TensorProto::BOOL && value) {
            value = *value != 0;
        }
        value = in_range(to, value);
    }
    return numbers;
}

std::optional<Numbers> fold_where(const KnownNode& node) {
    const Numbers* const condition = node.input(0);
    const Numbers* const yes = node.input(1);
    const Numbers* const no = node.input(2);
    if (condition == nullptr || yes == nullptr || no == nullptr || yes->type != no->type) {
        return std::nullopt;
    }
    const auto both = spread_shape(yes->extents, no->extents);
    const auto extents = both ? spread_shape(*both, condition->extents) : std::nullopt;
    if (!extents) {
        return std::nullopt;
    }
    const auto is_yes = spread(*condition, *extents);
    auto result = spread(*yes, *extents);
    const auto other = spread(*no, *extents);
    if (!is_yes || !result || !other) {
        return std::nullopt;
    }
    for (std::size_t place = 0; place < result->values.size(); ++place) {
        const Value& chosen = is_yes->values[place];
        if (chosen == 0) {
            result->values[place] = other->values[place];
        } else if (!chosen && result->values[place] != other->values[place]) {
            result->values[place].reset();
        }
    }
    return result;
}

// Of each dimension, whether it is reduced.
std::optional<std::vector<bool>> reduced_dimensions(const KnownNode& node, std::size_t count) {
    const auto axes = node.list("axes", 1);
    if (!axes) {
        return std::nullopt;
    }
    const auto places = places_of(*axes, count, Repeated::is_allowed);
    if (!places) {
        return std::nullopt;
    }
    const bool keeps_all = node.integer("noop_with_empty_axes", 0) != 0;
    std::vector<bool> is_reduced(count, axes->empty() && !keeps_all);
    for (const std::size_t place : *places) {
        is_reduced[place] = true;
    }
    return is_reduced;
}

// To which place among the results goes each number?
std::optional<Numbers> places_of_results(const Shape& results, const Shape& extents) {
    const auto count = count_numbers(results);
    if (!count) {
        return std::nullopt;
    }
    Numbers places{.type = TensorProto::INT64, .extents = results, .values = {}};
    for (std::size_t place = 0; place < *count; ++place) {
        places.values.emplace_back(static_cast<std::int64_t>(place));
    }
    return spread(places, extents);
}

// Without a start there must be a number for each result.
std::optional<Numbers> reduce(const KnownNode& node, Value start, Operation compute) {
    const Numbers* const numbers = node.input(0);
    if (numbers == nullptr || (numbers->values.empty() && !start)) {
        return std::nullopt;
    }
    const auto is_reduced = reduced_dimensions(node, numbers->extents.size());
    if (!is_reduced) {
        return std::nullopt;
    }
    Shape kept;
    Shape results;
    const bool keeps_dimensions = node.integer("keepdims", 1) != 0;
    for (std::size_t axis = 0; axis < numbers->extents.size(); ++axis) {
        const bool is_one = (*is_reduced)[axis];
        kept.push_back(is_one ? 1 : numbers->extents[axis]);
        if (keeps_dimensions || !is_one) {
            results.push_back(kept.back());
        }
    }
    const auto places = places_of_results(kept, numbers->extents);
    if (!places) {
        return std::nullopt;
    }
    Numbers result{.type = numbers->type, .extents = results, .values = {}};
    result.values.assign(*count_numbers(kept), start);
    std::vector<bool> has_begun(result.values.size(), start.has_value());
    for (std::size_t from = 0; from < numbers->values.size(); ++from) {
        const auto to = static_cast<std::size_t>(*places->values[from]);
        const Value& value = numbers->values[from];
        Value& sum = result.values[to];
        if (has_begun[to]) {
            sum = sum && value ? in_range(result.type, compute(*sum, *value)) : Value();
        } else {
            sum = value;
        }
        has_begun[to] = true;
    }
    return result;
}

std::optional<Numbers> fold_range(const KnownNode& node) {
    const Numbers* const start = node.input(0);
    const Numbers* const limit = node.input(1);
    const Numbers* const delta = node.input(2);
    if (start == nullptr || limit == nullptr || delta == nullptr || !start->single() ||
        !limit->single() || !delta->single() || *delta->single() == 0 ||
        limit->type != start->type || delta->type != start->type) {
        return std::nullopt;
    }
    Numbers numbers{.type = start->type, .extents = {0}};
    const std::int64_t step = *delta->single();
    Value next = start->single();
    while (next && (step > 0 ? *next < *limit->single() : *next > *limit->single())) {
        if (numbers.values.size() == most_numbers) {
            return std::nullopt;
        }
        numbers.values.push_back(next);
        next = add(*next, step);
    }
    numbers.extents = {numbers.values.size()};
    return numbers;
}

// Along an axis; without the number itself, and from the last on, where the node says so.
std::optional<Numbers> fold_cumulative_sum(const KnownNode& node) {
    const Numbers* const numbers = node.input(0);
    const Value named = node.input(1) == nullptr ? Value() : node.input(1)->single();
    const auto axis =
        numbers == nullptr || !named ? std::nullopt : place_of(*named, numbers->extents.size());
    if (!axis) {
        return std::nullopt;
    }
    const auto stride = static_cast<std::size_t>(whole_view(numbers->extents).strides[*axis]);
    const std::size_t extent = numbers->extents[*axis];
    const bool is_reverse = node.integer("reverse", 0) != 0;
    const bool is_exclusive = node.integer("exclusive", 0) != 0;
    Numbers result = *numbers;
    for (std::size_t first = 0; first < numbers->values.size(); ++first) {
        Value sum = 0;
        for (std::size_t i = 0; first / stride % extent == 0 && i < extent; ++i) {
            const std::size_t at = first + stride * (is_reverse ? extent - 1 - i : i);
            const Value& own = numbers->values[at];
            const Value next = sum && own ? in_range(result.type, add(*sum, *own)) : Value();
            result.values[at] = is_exclusive ? sum : next;
            sum = next;
        }
    }
    return result;
}

constexpr NamedFold others[] = {
    {"Neg", fold_neg},
    {"Abs", fold_abs},
    {"Sign", fold_sign},
    {"Not", fold_not},
    {"Clip", fold_clip},
    {"Cast", fold_cast},
    {"Where", fold_where},
    {"Range", fold_range},
    {"CumSum", fold_cumulative_sum},
    {"ReduceSum", [](const KnownNode& node) { return reduce(node, 0, add); }},
    {"ReduceProd", [](const KnownNode& node) { return reduce(node, 1, multiply); }},
    {"ReduceMin", [](const KnownNode& node) { return reduce(node, {}, least); }},
    {"ReduceMax", [](const KnownNode& node) { return reduce(node, {}, greatest); }},
};

}  // namespace

Fold find_arithmetic(std::string_view name) {
    if (find_binary(name) != nullptr) {
        return fold_binary;
    }
    return find_fold(others, name);
}

}  // namespace hora::read
