// Which --hora-... options exist, and what a value given to one of them means.
#include "libplanner/read/settings/job_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/size_rule.hpp"
#include "libplanner/read/slurm/slurm_time.hpp"
#include "libplanner/read/words.hpp"

namespace hora::read {
namespace {

using domain::JobOptions;

// samples x epochs stays below 2^63, so that no count of steps can overflow.
constexpr WholeRange noise_range{1, 1'000'000'000};
constexpr WholeRange samples_range{1, 1'000'000'000'000};
constexpr WholeRange epochs_range{1, 1'000'000};
constexpr WholeRange gpus_range{1, 1'000'000};
constexpr std::size_t longest_model = 4096;  // PATH_MAX

Expected<void> set_number(std::optional<std::uint64_t>& target, std::string_view value,
                          WholeRange range) {
    const auto number = parse_whole_number(value, range);
    if (!number) {
        return unexpected(number.error());
    }
    target = *number;
    return {};
}

Expected<void> set_model(JobOptions& options, std::string_view value) {
    if (value.empty()) {
        return wrong_use("is empty; give a name from 'hora models', an .onnx or a .toml file");
    }
    if (value.size() > longest_model) {
        return wrong_use(
            fmt::format("is longer than {} characters; give a shorter path", longest_model));
    }
    if (has_control(value)) {
        return wrong_use(
            fmt::format("{} holds a control character; rename the file", quoted(value)));
    }
    options.model = std::string(value);
    return {};
}

struct NumberRange {
    std::uint64_t min = 1;
    std::uint64_t max = 1;
};

// "8" is exactly eight, as Slurm's own -N reads it; "1-8" is a range.
Expected<NumberRange> parse_range(std::string_view value, WholeRange allowed) {
    const std::size_t dash = value.find('-', 1);  // a sign belongs to a number
    const auto min = parse_whole_number(value.substr(0, dash), allowed);
    if (!min) {
        return unexpected(min.error());
    }
    if (dash == std::string_view::npos) {
        return NumberRange{*min, *min};
    }
    const auto max = parse_whole_number(value.substr(dash + 1), allowed);
    if (!max) {
        return unexpected(max.error());
    }
    if (*max < *min) {
        return wrong_use(
            fmt::format("{} ends below its start; give the smaller number first", quoted(value)));
    }
    return NumberRange{*min, *max};
}

Expected<void> set_batch(JobOptions& options, std::string_view value) {
    const auto range = parse_range(value, batch_range);
    if (!range) {
        return unexpected(range.error());
    }
    options.batch = range->min;
    options.max_batch = range->max > range->min ? std::optional(range->max) : std::nullopt;
    return {};
}

Expected<void> set_noise_scale(JobOptions& options, std::string_view value) {
    return set_number(options.noise_scale, value, noise_range);
}

Expected<void> set_samples(JobOptions& options, std::string_view value) {
    return set_number(options.samples, value, samples_range);
}

Expected<void> set_epochs(JobOptions& options, std::string_view value) {
    return set_number(options.epochs, value, epochs_range);
}

Expected<void> set_gpus(JobOptions& options, std::string_view value) {
    const auto range = parse_range(value, gpus_range);
    if (!range) {
        return unexpected(range.error());
    }
    options.gpus = domain::GpuRange{static_cast<std::uint32_t>(range->min),
                                    static_cast<std::uint32_t>(range->max)};
    return {};
}

Expected<void> set_sizes(JobOptions& options, std::string_view value) {
    auto rule = parse_size_rule(value);
    if (!rule) {
        return unexpected(rule.error());
    }
    options.sizes = *std::move(rule);
    return {};
}

Expected<void> set_data_type(JobOptions& options, std::string_view value) {
    return find_data_type(value).map([&](domain::DataType type) { options.data_type = type; });
}

Expected<void> set_mode(JobOptions& options, std::string_view value) {
    constexpr std::string_view names[] = {"auto", "sync", "async", "balanced"};
    constexpr std::optional<domain::Mode> modes[] = {std::nullopt, domain::Mode::sync,
                                                     domain::Mode::async, domain::Mode::balanced};
    const auto index = find_word(value, names);
    if (!index) {
        return unexpected(index.error());
    }
    options.mode = modes[*index];
    return {};
}

Expected<void> set_accepts(JobOptions& options, std::string_view value) {
    constexpr std::string_view names[] = {"balanced", "async", "sampling", "hierarchy"};
    bool accepts[std::size(names)] = {};
    for (const std::string_view word : split_words(value)) {
        const auto index = find_word(word, names);
        if (!index) {
            return unexpected(index.error());
        }
        accepts[*index] = true;
    }
    options.accepts_balanced = accepts[0];
    options.accepts_async = accepts[1];
    options.accepts_sampling = accepts[2];
    options.accepts_hierarchy = accepts[3];
    return {};
}

Expected<void> set_objective(JobOptions& options, std::string_view value) {
    constexpr std::string_view names[] = {"time", "efficiency"};
    const auto index = find_word(value, names);
    if (!index) {
        return unexpected(index.error());
    }
    options.objective = *index == 0 ? domain::Objective::time : domain::Objective::efficiency;
    return {};
}

Expected<void> set_wait(JobOptions& options, std::string_view value) {
    const auto time = parse_slurm_time(value);
    if (!time) {
        return unexpected(time.error());
    }
    options.wait = *time;
    return {};
}

Expected<void> set_launch(JobOptions& options, std::string_view value) {
    const auto index = find_word(value, domain::launch_names);
    if (!index) {
        return unexpected(index.error());
    }
    options.launch = static_cast<domain::Launch>(*index);
    return {};
}

Expected<void> set_allreduce(JobOptions& options, std::string_view value) {
    const auto index = find_word(value, domain::allreduce_names);
    if (!index) {
        return unexpected(index.error());
    }
    options.allreduce = static_cast<domain::Allreduce>(*index);
    return {};
}

Expected<void> set_signal(JobOptions& options, std::string_view value) {
    const auto index = find_word(value, domain::checkpoint_signal_names);
    if (!index) {
        return unexpected(index.error());
    }
    options.signal = static_cast<domain::CheckpointSignal>(*index);
    return {};
}

// Slurm's environment shows a switch as "(null)".
template <bool JobOptions::*flag>
Expected<void> set_switch(JobOptions& options, std::string_view value) {
    if (!value.empty() && value != "(null)") {
        return wrong_use(fmt::format("takes no value, got {}", quoted(value)));
    }
    options.*flag = true;
    return {};
}

struct Entry {
    JobOption option;
    std::string_view example;
    Expected<void> (*set)(JobOptions&, std::string_view);
};

constexpr Entry entries[] = {
    {{"hora-model", "NAME|FILE",
      "network to train: a name from 'hora models', an .onnx or .toml file"},
     "resnet50",
     set_model},
    {{"hora-batch", "N|MIN-MAX",
      "global batch, whatever the GPUs; MIN-MAX: may change at each start"},
     "256",
     set_batch},
    {{"hora-noise-scale", "N", "gradient noise scale in samples, of a range of batches"},
     "2000",
     set_noise_scale},
    {{"hora-samples", "N", "samples of one epoch"}, "1281167", set_samples},
    {{"hora-epochs", "N", "epochs to train"}, "90", set_epochs},
    {{"hora-gpus", "MIN[-MAX]", "GPUs that may be used"}, "1-8", set_gpus},
    {{"hora-sizes", "WHICH", "of those: any number, powers (of two), (whole) nodes, or a list"},
     "1,2,4,8",
     set_sizes},
    {{"hora-dtype", "TYPE", "number format: fp32, tf32, fp16, bf16 or fp8"}, "bf16", set_data_type},
    {{"hora-mode", "MODE", "auto, sync, async or balanced (unequal shares by speed)"},
     "auto",
     set_mode},
    {{"hora-accepts", "LIST", "what else the program can do: balanced, async, sampling, hierarchy"},
     "balanced,sampling",
     set_accepts},
    {{"hora-objective", "WHAT", "time (fastest) or efficiency (fewest GPU-hours)"},
     "efficiency",
     set_objective},
    {{"hora-wait", "TIME", "how long to wait for GPU locality; 0: not at all"}, "30", set_wait},
    {{"hora-launch", "WHAT", "task (one a GPU) or node (one a node, for torchrun and its like)"},
     "node",
     set_launch},
    {{"hora-elastic", "",
      "may be resized while it runs: the program keeps the checkpoint contract"},
     "",
     set_switch<&JobOptions::is_elastic>},
    {{"hora-yield", "", "also gives up GPUs of its own request, to jobs that are not elastic"},
     "",
     set_switch<&JobOptions::yields>},
    {{"hora-suspend", "", "may be requeued from its checkpoint, for a much shorter job"},
     "",
     set_switch<&JobOptions::may_be_suspended>},
    {{"hora-requeue", "", "checkpoint and requeue at the time limit, preemption and node failure"},
     "",
     set_switch<&JobOptions::requeues>},
    {{"hora-signal", "SIGNAL", "asks the program for a checkpoint: USR1 (default), USR2 or TERM"},
     "USR2",
     set_signal},
    {{"hora-allreduce", "WHOSE",
      "all-reduce of MPI programs: mpi (its own, default), ring or bypass"},
     "ring",
     set_allreduce},
    {{"hora-timeline", "", "record the communication of MPI programs, for hora timeline"},
     "",
     set_switch<&JobOptions::wants_timeline>},
    {{"hora-off", "", "leave this job alone"}, "", set_switch<&JobOptions::is_off>},
};

constexpr auto options_only = [] {
    std::array<JobOption, std::size(entries)> options;
    std::transform(std::begin(entries), std::end(entries), options.begin(),
                   [](const Entry& entry) { return entry.option; });
    return options;
}();

bool is_same_name(std::string_view known, std::string_view name) {
    return std::equal(known.begin(), known.end(), name.begin(), name.end(),
                      [](char a, char b) { return a == b || (a == '-' && b == '_'); });
}

const Entry* find_entry(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(entries), std::end(entries),
                     [name](const Entry& entry) { return is_same_name(entry.option.name, name); });
    return found == std::end(entries) ? nullptr : found;
}

// A guess at what was meant says more than an example.
std::string usage(const Entry& entry, std::string_view message) {
    const bool is_guessed = message.ends_with('?');
    return entry.example.empty() || is_guessed
               ? std::string()
               : fmt::format(", e.g. --{}={}", entry.option.name, entry.example);
}

Expected<void> check_batches(const JobOptions& options) {
    if (options.max_batch && !options.is_elastic) {
        return wrong_use(fmt::format(
            "--hora-batch={}-{}: the batch of a job changes only where it may be resized; add "
            "--hora-elastic, or give one number",
            options.batch.value_or(1), *options.max_batch));
    }
    if (options.noise_scale && !options.max_batch) {
        return wrong_use(
            "--hora-noise-scale is for a batch that may change; give a range of them, "
            "--hora-batch=MIN-MAX");
    }
    return {};
}

Expected<void> check_sizes(const JobOptions& options) {
    const domain::SizeRule& rule = options.sizes;
    // Which sizes are whole nodes depends on the cluster.
    if (!options.gpus || rule.kind == domain::SizeRule::Kind::any ||
        rule.kind == domain::SizeRule::Kind::nodes ||
        !rule.sizes(options.gpus->min, options.gpus->max, 1).empty()) {
        return {};
    }
    return wrong_use(
        fmt::format("--hora-sizes={} allows no number of GPUs from {} to {} "
                    "(--hora-gpus); widen one of them",
                    text_of(rule), options.gpus->min, options.gpus->max));
}

}  // namespace

std::span<const JobOption> job_options() {
    return options_only;
}

Expected<void> set_job_option(JobOptions& options, std::string_view name, std::string_view value) {
    const Entry* const entry = find_entry(name);
    if (entry == nullptr) {
        std::vector<std::string_view> names;
        for (const Entry& known : entries) {
            names.push_back(known.option.name);
        }
        return wrong_use(
            fmt::format("unknown option {}{}", quoted(name), did_you_mean(name, names)));
    }
    const auto done = entry->set(options, value);
    if (!done) {
        return wrong_use(fmt::format("--{}: {}{}", entry->option.name, done.error().message,
                                     usage(*entry, done.error().message)));
    }
    return {};
}

Expected<void> check_job_options(const JobOptions& options) {
    const auto batches = check_batches(options);
    return batches ? check_sizes(options) : batches;
}

}  // namespace hora::read
