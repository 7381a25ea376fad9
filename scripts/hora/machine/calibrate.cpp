// `hora calibrate`: which device entry describes the machine that a short run was measured on?
#include "scripts/hora/machine/calibrate.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/cost/calibration.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/machine/device_names.hpp"
#include "libplanner/read/quantity.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/trace/progress.hpp"
#include "libplanner/read/words.hpp"
#include "scripts/hora/command/input.hpp"

namespace hora::scripts {
namespace {

struct CalibrateOptions {
    std::string model;
    std::vector<std::string> progress;
    std::vector<std::uint64_t> batches;
    std::vector<std::uint64_t> worlds;
    std::string gpu = "local";
    std::string memory;
    std::string data_type;  // "": the framework's choice
    std::optional<std::uint64_t> sequence;
    bool has_json = false;
};

struct Result {
    cost::DeviceEstimate device;
    std::optional<cost::LinkEstimate> link;
    bool has_several = false;  // devices in one of the runs
};

template <class Q>
std::string range(const cost::Estimate<Q>& estimate) {
    return fmt::format("{} to {}", read::format_rounded(estimate.low),
                       read::format_rounded(estimate.high));
}

std::string in_words(const cost::StepSamples& samples) {
    return samples.least == samples.most ? fmt::format("{}", samples.least)
                                         : fmt::format("{} to {}", samples.least, samples.most);
}

Expected<cost::Measurement> read_run(const CalibrateOptions& options, std::size_t run) {
    const std::string& path = options.progress[run];
    const auto text = read::read_file(path);
    if (!text) {
        return unexpected(text.error());
    }
    const std::string where = read::quoted(path);
    const auto progress = read::read_progress(*text);
    if (!progress) {
        return unexpected(progress.error().within(where));
    }
    const auto step = cost::step_time(progress->reports);
    if (!step) {
        return unexpected(step.error().within(where));
    }
    const auto counted = cost::step_samples(progress->reports);
    const std::uint64_t said = run < options.batches.size() ? options.batches[run] : 0;
    if (said == 0 && !counted) {
        return unexpected(counted.error().within(where));
    }
    if (said != 0 && counted && (said < counted->least || said > counted->most)) {
        return wrong_use(fmt::format("{}: the lines say {} samples a step, --batch says {}", where,
                                     in_words(*counted), said));
    }
    return cost::Measurement{.batch = said != 0 ? said : counted->least,
                             .members = run < options.worlds.size() ? options.worlds[run] : 1,
                             .step = *step};
}

const domain::Device* known_gpu(const CalibrateOptions& options) {
    return read::named_device(read::known_devices(), options.gpu).device;
}

// What a device entry needs so that a cluster file or hora.toml accepts it.
Expected<void> check_entry(const CalibrateOptions& options) {
    if (!read::is_device_name(options.gpu)) {
        return wrong_use(
            fmt::format("--gpu {}: letters, digits, '-', '_' and '.', at most {}, make a name",
                        read::quoted(options.gpu), read::longest_device_name));
    }
    if (!options.memory.empty()) {
        const auto memory = read::parse_quantity<Bytes>(options.memory);
        if (!memory) {
            return wrong_use("--memory: " + memory.error().message);
        }
        return *memory > Bytes(0)
                   ? Expected<void>()
                   : wrong_use(fmt::format("--memory: {} is none; write a size like \"{}\"",
                                           read::quoted(options.memory),
                                           read::quantity_example<Bytes>()));
    }
    if (known_gpu(options) == nullptr) {
        return wrong_use(fmt::format(
            "{} is no known GPU: say with --memory how much memory it has, as in --memory '{}'",
            read::quoted(options.gpu), read::quantity_example<Bytes>()));
    }
    return {};
}

Expected<std::optional<domain::DataType>> check(const CalibrateOptions& options) {
    if (options.batches.size() > options.progress.size() ||
        options.worlds.size() > options.progress.size()) {
        return wrong_use("more --batch or --world than --progress: give them run by run");
    }
    std::optional<domain::DataType> type;
    if (!options.data_type.empty()) {
        const auto found = read::find_data_type(options.data_type);
        if (!found) {
            return unexpected(found.error().within("--dtype"));
        }
        type = *found;
    }
    if (type.value_or(domain::DataType::fp32) != domain::DataType::fp32 &&
        known_gpu(options) == nullptr) {
        return wrong_use(fmt::format(
            "{} is no known GPU: a new one needs its fp32 figures, so calibrate with --dtype fp32",
            read::quoted(options.gpu)));
    }
    if (const auto good = check_entry(options); !good) {
        return unexpected(good.error());
    }
    return type;
}

Expected<Result> calibrate(const CalibrateOptions& options) {
    const auto type = check(options);
    if (!type) {
        return unexpected(type.error());
    }
    const auto network = read_network(options.model, options.sequence);
    if (!network) {
        return unexpected(network.error());
    }
    std::vector<cost::Measurement> runs;
    Result result;
    for (std::size_t run = 0; run < options.progress.size(); ++run) {
        const auto measured = read_run(options, run);
        if (!measured) {
            return unexpected(measured.error());
        }
        result.has_several = result.has_several || measured->members > 1;
        runs.push_back(*measured);
    }
    const domain::Workload workload = model::to_workload(*network, *type);
    const domain::CostModel model;
    const domain::Device* const known = known_gpu(options);
    const auto device = cost::calibrate_device(workload, runs, model,
                                               known != nullptr ? *known : cost::unknown_device());
    if (!device) {
        return unexpected(device.error());
    }
    result.device = *device;
    result.link = cost::calibrate_link(workload, runs, *device, model);
    return result;
}

bool is_known(const cost::DeviceEstimate& device) {
    return !device.base.name.empty();
}

// As rates; of an unknown device its factors are just these.
cost::Estimate<FlopRate> peak_of(const cost::DeviceEstimate& device) {
    const cost::Estimate<double>& rate = device.compute;
    return {FlopRate(rate.value), FlopRate(rate.low), FlopRate(rate.high)};
}

cost::Estimate<Bandwidth> bandwidth_of(const cost::DeviceEstimate& device) {
    const cost::Estimate<double>& rate = device.memory;
    return {Bandwidth(rate.value), Bandwidth(rate.low), Bandwidth(rate.high)};
}

std::string name_of_table(const std::string& gpu) {
    const bool is_bare = gpu.find('.') == std::string::npos;
    return fmt::format("[gpu.{0}{1}{0}]\n", is_bare ? "" : "\"", gpu);
}

std::string step_toml(const cost::DeviceEstimate& device) {
    return fmt::format("step_overhead = \"{}\"\n", read::format_rounded(device.step_overhead));
}

std::string rates_toml(const CalibrateOptions& options, const cost::DeviceEstimate& device) {
    const auto peak = peak_of(device);
    const auto bandwidth = bandwidth_of(device);
    return fmt::format("# 1 % more error allows: peak {}, memory {}\n", range(peak),
                       range(bandwidth)) +
           name_of_table(options.gpu) +
           fmt::format("peak = {{ fp32 = \"{}\" }}\nmemory_bandwidth = \"{}\"\n",
                       read::format_rounded(peak.value), read::format_rounded(bandwidth.value)) +
           (device.step_overhead > Seconds(0) ? step_toml(device) : std::string());
}

// A comment where other networks are better off without.
std::string factors_toml(const CalibrateOptions& options, const cost::DeviceEstimate& device) {
    std::string text = fmt::format(
        "# of what programs attain elsewhere; 1 % more error allows: compute {:.3g} to "
        "{:.3g}, memory {:.3g} to {:.3g}\n",
        device.compute.low, device.compute.high, device.memory.low, device.memory.high);
    const bool is_usual = cost::is_usual(device);
    if (is_usual) {
        text +=
            "# as far from it as networks are from each other, so only for networks like this "
            "one:\n";
    }
    for (const std::string& line :
         {name_of_table(options.gpu),
          fmt::format("attained = {{ compute = {:.4g}, memory = {:.4g} }}\n", device.compute.value,
                      device.memory.value),
          step_toml(device)}) {
        text += (is_usual ? "#" : "") + line;
    }
    return text;
}

std::string memory_toml(const CalibrateOptions& options, const cost::DeviceEstimate& device) {
    if (options.memory.empty()) {
        return {};
    }
    const bool has_table = !is_known(device) || !cost::is_usual(device);
    return (has_table ? std::string() : name_of_table(options.gpu)) +
           fmt::format("memory = \"{}\"\n", options.memory);
}

std::string device_toml(const CalibrateOptions& options, const cost::DeviceEstimate& device) {
    std::string text =
        fmt::format("# measured with {}; {} {}, off by {:.2f} % (root mean square)\n",
                    read::quoted(options.model), device.points,
                    device.points == 1 ? "batch size" : "batch sizes", 100 * device.residual);
    if (device.points == 1) {
        text += is_known(device)
                    ? std::string(
                          "# one batch size cannot tell arithmetic from memory: they stay "
                          "near their shipped ratio\n")
                    : fmt::format(
                          "# one batch size cannot tell peak from memory bandwidth: {} "
                          "FLOP a byte are assumed\n",
                          cost::assumed_ridge);
    }
    if (device.points == 2) {
        text += "# two batch sizes are nearly always met: only a third shows how well\n";
    }
    text += is_known(device) ? factors_toml(options, device) : rates_toml(options, device);
    return text + memory_toml(options, device);
}

std::string link_toml(const cost::LinkEstimate& link) {
    std::string text =
        fmt::format("\n# {} {}, off by {:.2f} % (root mean square)\n", link.points,
                    link.points == 1 ? "number of GPUs" : "numbers of GPUs", 100 * link.residual);
    if (link.points == 1) {
        text += fmt::format(
            "# one number cannot tell latency from bandwidth: a message's latency "
            "is taken to be worth {} bytes\n",
            cost::assumed_latency_worth.count());
    }
    text += fmt::format("# the runs allow: bandwidth {}, latency {}\n", range(link.bandwidth),
                        range(link.latency));
    text += fmt::format("[network]\nbandwidth = \"{}\"\nlatency = \"{}\"\n",
                        read::format_rounded(link.bandwidth.value),
                        read::format_rounded(link.latency.value));
    return text;
}

double number(double value) {
    return value;
}

template <class Q>
double number(Q value) {
    return value.count();
}

template <class Q>
nlohmann::ordered_json to_json(const cost::Estimate<Q>& estimate) {
    return {{"value", number(estimate.value)},
            {"low", number(estimate.low)},
            {"high", number(estimate.high)}};
}

std::string to_json(const CalibrateOptions& options, const Result& result) {
    const cost::DeviceEstimate& device = result.device;
    nlohmann::ordered_json gpu{{"name", options.gpu}, {"data_type", nullptr}};
    if (!options.data_type.empty()) {
        gpu["data_type"] = options.data_type;
    }
    if (is_known(device)) {
        gpu["attained"] = {{"compute", to_json(device.compute)},
                           {"memory", to_json(device.memory)}};
    } else {
        gpu["peak"] = to_json(peak_of(device));
        gpu["memory_bandwidth"] = to_json(bandwidth_of(device));
    }
    gpu["step_overhead"] = device.step_overhead.count();
    gpu["points"] = device.points;
    gpu["residual"] = device.residual;
    nlohmann::ordered_json json{{"version", 2}, {"gpu", gpu}, {"network", nullptr}};
    if (result.link) {
        json["network"] = {{"bandwidth", to_json(result.link->bandwidth)},
                           {"latency", to_json(result.link->latency)},
                           {"points", result.link->points},
                           {"residual", result.link->residual}};
    }
    return json.dump(2) + "\n";
}

Exit run_calibrate(const CalibrateOptions& options) {
    const auto result = calibrate(options);
    if (!result) {
        return report(result.error());
    }
    if (options.has_json) {
        print_data(to_json(options, *result));
        return Exit::done;
    }
    print_data(device_toml(options, result->device));
    if (result->link) {
        print_data(link_toml(*result->link));
    } else if (result->has_several) {
        print_remark(
            "no [network]: the runs on several GPUs were no slower than their computation, so the "
            "exchange is not known");
    }
    return Exit::done;
}

}  // namespace

void add_calibrate_command(CLI::App& app, Outcome& outcome) {
    CLI::App* const command = app.add_subcommand(
        "calibrate", "Turn short runs into a device entry for hora.toml or a cluster file");
    command->footer(
        "Give --progress, and where needed --batch and --world, once for each run, in order.\n"
        "One run gives a rate, three of different batches tell memory from arithmetic; runs on\n"
        "several GPUs (--world) add the network. The entry says how sure it is.");
    const auto options = std::make_shared<CalibrateOptions>();
    command->add_option("--model", options->model, "the network that ran: NAME or FILE")
        ->required();
    command->add_option("--progress", options->progress, "progress file of a run (HORA_PROGRESS)")
        ->required();
    command
        ->add_option("--batch", options->batches,
                     "global batch of a run; without it, what the lines say")
        ->transform(count_up_to(1'000'000'000));
    command->add_option("--world", options->worlds, "GPUs of a run, equal shares (default 1)")
        ->transform(count_up_to(1'000'000));
    command->add_option("--gpu", options->gpu, "name of the device entry")->capture_default_str();
    command->add_option("--memory", options->memory, "memory of the device, as in '12 GiB'");
    command->add_option("--dtype", options->data_type,
                        "number format of the runs; without it what PyTorch does by itself");
    command->add_option("--sequence", options->sequence, "positions of one sample")
        ->transform(count_up_to(most_count));
    command->add_flag("--json", options->has_json, "print JSON");
    command->callback([options, &outcome] { outcome.exit = run_calibrate(*options); });
}

}  // namespace hora::scripts
