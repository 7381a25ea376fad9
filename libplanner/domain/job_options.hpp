// What a user said with --hora-... options, each value checked by itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/size_rule.hpp"

namespace hora::domain {

struct GpuRange {
    std::uint32_t min = 1;
    std::uint32_t max = 1;
};

struct JobOptions {
    std::optional<std::string> model;  // a built-in name, or a file of the user's
    std::optional<std::uint64_t> batch;
    std::optional<std::uint64_t> samples;
    std::optional<std::uint64_t> epochs;
    std::optional<GpuRange> gpus;
    SizeRule sizes;  // of that range
    std::optional<DataType> data_type;
    std::optional<Mode> mode;  // empty = auto or not said
    bool accepts_balanced = false;
    bool accepts_async = false;
    std::optional<Objective> objective;
    std::optional<Seconds> wait;  // for GPUs that lie together
    bool is_elastic = false;
    bool requeues = false;
    bool wants_timeline = false;
    bool is_off = false;

    bool wants_plan() const { return model.has_value() && !is_off; }
};

}  // namespace hora::domain
