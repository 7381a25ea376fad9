// Does any value of a --hora-... option or of a setting, or any note in a job's environment, do
// harm?
//
// A line is NAME=value, as Slurm's environment has it.
#include "libplanner/read/settings/job_options.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "libplanner/read/settings/checkpoint_path.hpp"
#include "libplanner/read/settings/settings.hpp"
#include "libplanner/read/trace/speeds.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    hora::domain::JobOptions options;
    hora::read::Settings settings;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::string_view name = line.substr(0, line.find('='));
        const std::string_view value = line.substr(std::min(line.size(), name.size() + 1));
        static_cast<void>(hora::read::set_job_option(options, name, value));
        static_cast<void>(settings.set(name, value, hora::read::Origin::environment, "fuzz"));
        static_cast<void>(hora::read::read_speeds(value));
        static_cast<void>(hora::read::checkpoint_path(value, {.user = std::string(value),
                                                              .uid = 1,
                                                              .cluster = "blue",
                                                              .job = 1,
                                                              .submit = 1,
                                                              .work_directory = "/"}));
    }
    constexpr std::uint64_t most = 1'000'000'000;
    const std::uint64_t batch = options.batch.value_or(1);
    const std::uint64_t noise_scale = options.noise_scale.value_or(1);
    const bool has_range = options.max_batch.has_value();
    const auto gpus = options.gpus.value_or(hora::domain::GpuRange());
    const bool is_within_bounds =
        batch >= 1 && batch <= most && noise_scale >= 1 && noise_scale <= most &&
        (!has_range || (*options.max_batch > batch && *options.max_batch <= most)) &&
        gpus.min <= gpus.max;
    if (!is_within_bounds) {
        std::abort();
    }
    return 0;
}
