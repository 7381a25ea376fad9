// Which jobs is `hora simulate` to play: those of a trace, or some that are drawn?
#include "scripts/hora/elastic/simulated_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/size_rule.hpp"
#include "libplanner/read/trace/job_trace.hpp"
#include "libplanner/read/trace/speed_table.hpp"
#include "libplanner/sim/workload/generator.hpp"
#include "scripts/hora/command/command.hpp"
#include "scripts/hora/command/input.hpp"
#include "scripts/hora/elastic/policy_runs.hpp"

namespace hora::scripts {
namespace {

constexpr std::size_t most_trace = std::size_t{1} << 30;
constexpr std::size_t most_speeds = std::size_t{64} << 20;

Expected<SimulatedJobs> read_jobs(const JobSource& source, const sim::Setup& setup) {
    if (source.trace == "-" && source.speeds == "-") {
        return wrong_use("--trace and --speeds cannot both be standard input; give one as a file");
    }
    std::vector<std::string> types;
    for (const domain::NodeType& type : setup.types) {
        types.push_back(type.name);
    }
    read::SpeedTable speeds;
    if (!source.speeds.empty()) {
        auto table = read_input(source.speeds, most_speeds).and_then([&](const std::string& text) {
            return read::read_speed_table(text, types);
        });
        if (!table) {
            return unexpected(table.error().within(input_name(source.speeds)));
        }
        speeds = *std::move(table);
    }
    const auto text = read_input(source.trace, most_trace);
    if (!text) {
        return unexpected(text.error());
    }
    auto trace = read::read_job_trace(*text, speeds, source.users.any_batch, types);
    if (!trace) {
        return unexpected(trace.error().within(input_name(source.trace)));
    }
    return SimulatedJobs{{*std::move(trace)}, 0};
}

// "0.25,0.25,0.25,0.25" comes as four words, a name as one.
Expected<std::vector<sim::Mix>> chosen_mixes(const std::vector<std::string>& words) {
    std::vector<std::string_view> names;
    for (const sim::NamedMix& known : sim::named_mixes()) {
        names.push_back(known.name);
    }
    const auto is_of = [](std::string_view name, const std::string& word) {
        return name == word || name.substr(0, name.rfind('-')) == word;
    };
    const auto is_name = [&](const std::string& word) {
        return std::any_of(names.begin(), names.end(),
                           [&](std::string_view name) { return is_of(name, word); });
    };
    if (!words.empty() && std::all_of(words.begin(), words.end(), is_name)) {
        std::vector<sim::Mix> mixes;
        for (const sim::NamedMix& known : sim::named_mixes()) {
            if (std::any_of(words.begin(), words.end(),
                            [&](const std::string& word) { return is_of(known.name, word); })) {
                mixes.push_back(known.mix);
            }
        }
        return mixes;
    }
    const std::string said = fmt::format("--mix \"{}\"", fmt::join(words, ","));
    sim::Mix mix{};
    double sum = 0;
    bool is_good = words.size() == mix.size();
    for (std::size_t i = 0; is_good && i < words.size(); ++i) {
        const char* const end = words[i].data() + words[i].size();
        const auto [stop, problem] = std::from_chars(words[i].data(), end, mix[i]);
        is_good = problem == std::errc() && stop == end && mix[i] >= 0 && mix[i] <= 1;
        sum += mix[i];
    }
    if (!is_good) {
        return wrong_use(
            fmt::format("{} is neither a name (p5, micro, {} to {}) nor four shares from 0 to 1{}",
                        said, names.front(), names.back(),
                        words.size() == 1 ? did_you_mean(words.front(), names) : std::string()));
    }
    if (std::abs(sum - 1) > 1e-6) {
        return wrong_use(
            fmt::format("{}: the shares of micro, small, medium and large jobs have "
                        "to sum to 1, and they sum to {:.6g}",
                        said, sum));
    }
    return std::vector<sim::Mix>{mix};
}

Expected<SimulatedJobs> generate_jobs(const JobSource& source, std::uint64_t seed,
                                      std::uint32_t gpus) {
    const auto mixes = chosen_mixes(source.mixes);
    if (!mixes) {
        return unexpected(mixes.error());
    }
    SimulatedJobs jobs;
    for (const sim::Mix& mix : *mixes) {
        for (std::uint64_t set = 0; set < source.sets; ++set) {
            const sim::Generator generator{.mix = mix,
                                           .jobs = static_cast<std::uint32_t>(source.jobs),
                                           .mean_arrival = Seconds(source.mean_arrival),
                                           .most_gpus = gpus};
            jobs.sets.push_back(sim::draw_jobs(generator, seed++));
        }
    }
    return jobs;
}

// How many there were.
std::size_t leave_out(domain::JobTrace& trace, const sim::Setup& setup) {
    const std::size_t all = trace.jobs.size();
    if (const std::string remark = leave_out_too_large(trace, setup); !remark.empty()) {
        print_remark(remark);
    }
    return all - trace.jobs.size();
}

// The rule that sbatch takes as --hora-sizes.
Expected<void> keep_to_sizes(const JobSource& source, const sim::Setup& setup,
                             SimulatedJobs& jobs) {
    if (source.sizes.empty()) {
        return {};
    }
    const auto rule = read::parse_size_rule(source.sizes);
    if (!rule) {
        return unexpected(rule.error().within("--sizes"));
    }
    for (domain::JobTrace& trace : jobs.sets) {
        if (auto kept = sim::keep_to_sizes(trace, *rule, setup); !kept) {
            return unexpected(kept.error().within("--sizes"));
        }
    }
    return {};
}

}  // namespace

Expected<SimulatedJobs> simulated_jobs(const JobSource& source, const sim::Setup& setup) {
    if (source.trace.empty() == source.generator.empty()) {
        return wrong_use(source.trace.empty() ? "no jobs given; say --trace FILE or --generator p5"
                                              : "--trace and --generator exclude each other");
    }
    auto jobs = source.trace.empty() ? generate_jobs(source, setup.seed, setup.gpus())
                                     : read_jobs(source, setup);
    if (!jobs) {
        return jobs;
    }
    // Jobs that the cluster cannot hold are drawn for too, so that the others are the same on any
    // cluster.
    std::uint64_t seed = setup.seed;
    for (domain::JobTrace& trace : jobs->sets) {
        sim::keep_elastic(trace, source.users.elastic_share, seed);
        sim::let_yield(trace, source.users.yield_share, seed);
        sim::let_suspend(trace, source.users.suspend_share, seed);
        if (source.users.stated_error > 0) {
            sim::misstate(trace, source.users.stated_error, seed);
        }
        ++seed;
        jobs->refused += leave_out(trace, setup);
    }
    if (const auto kept = keep_to_sizes(source, setup, *jobs); !kept) {
        return unexpected(kept.error());
    }
    for (domain::JobTrace& trace : jobs->sets) {
        if (source.users.limit) {
            sim::set_limits(trace, *source.users.limit,
                            setup.charges_start ? setup.rescale : Seconds(0));
        }
    }
    return jobs;
}

}  // namespace hora::scripts
