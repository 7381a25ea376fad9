// What a user said with --hora-... options, each value checked by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/domain/allreduce.hpp"
#include "libplanner/domain/data_type.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/domain/size_rule.hpp"

namespace hora::domain {

struct GpuRange {
    std::uint32_t min = 1;
    std::uint32_t max = 1;
};

// What a task of the job drives: one GPU, or all that the job has on the node, as torchrun does.
enum class Launch { task, node };

constexpr std::string_view launch_names[] = {"task", "node"};

constexpr std::string_view name_of(Launch launch) {
    return launch_names[static_cast<std::size_t>(launch)];
}

// What asks the program for a checkpoint.
enum class CheckpointSignal { usr1, usr2, term };

constexpr std::string_view checkpoint_signal_names[] = {"USR1", "USR2", "TERM"};

constexpr std::string_view name_of(CheckpointSignal signal) {
    return checkpoint_signal_names[static_cast<std::size_t>(signal)];
}

struct JobOptions {
    std::optional<std::string> model;        // a built-in name, or a file of the user's
    std::optional<std::uint64_t> batch;      // of a range, the smallest: what is planned with
    std::optional<std::uint64_t> max_batch;  // of a range only, and larger than that
    // In samples, of a program that reports none itself; of a range only.
    std::optional<std::uint64_t> noise_scale;
    std::optional<std::uint64_t> samples;
    std::optional<std::uint64_t> epochs;
    std::optional<GpuRange> gpus;
    SizeRule sizes;  // of that range
    std::optional<DataType> data_type;
    std::optional<Mode> mode;  // empty = auto or not said
    bool accepts_balanced = false;
    bool accepts_async = false;
    bool accepts_sampling = false;
    bool accepts_hierarchy = false;
    std::optional<Objective> objective;
    std::optional<Seconds> wait;   // for GPU locality
    std::optional<Launch> launch;  // empty: not said
    bool is_elastic = false;
    bool yields = false;  // of an elastic one: below its own request for jobs that are not
    bool may_be_suspended = false;  // likewise: it waits for shorter jobs for a while
    bool requeues = false;
    CheckpointSignal signal = CheckpointSignal::usr1;
    bool wants_timeline = false;
    std::optional<Allreduce> allreduce;  // of MPI programs; empty: not said, MPI's
    bool is_off = false;

    bool wants_plan() const { return model.has_value() && !is_off; }
};

}  // namespace hora::domain
