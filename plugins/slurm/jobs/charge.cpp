// What does a job take of limits besides its nodes, CPUs and GPUs, and how does that follow its
// size?
#include "plugins/slurm/jobs/charge.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "libplanner/read/words.hpp"
#include "plugins/slurm/messages.hpp"

namespace hora::slurm {
namespace {

// In MiB, which is what a number without a unit counts.
double unit_of(std::string_view rest) {
    constexpr std::string_view units = "KMGTP";
    const std::size_t place = rest.empty() ? 1 : units.find(rest.front());
    return place == std::string_view::npos ? 0 : std::pow(1024.0, static_cast<double>(place) - 1);
}

std::uint64_t amount_of(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    const double amount = number * unit_of(rest);
    constexpr double most = 1e15;
    return error == std::errc() && amount >= 0 && amount < most
               ? static_cast<std::uint64_t>(std::ceil(amount))
               : 0;
}

MemoryFollows memory_follows(const slurm_job_info_t& job) {
    if (job.pn_min_memory == 0 || job.pn_min_memory == NO_VAL64 ||
        !text_of(job.mem_per_tres).empty()) {
        return MemoryFollows::most;
    }
    return (job.pn_min_memory & MEM_PER_CPU) != 0 ? MemoryFollows::cpus : MemoryFollows::nodes;
}

}  // namespace

Charge read_charge(std::string_view tres) {
    return {.memory = amount_of(read::value_in(tres, "mem")),
            .billing = amount_of(read::value_in(tres, "billing"))};
}

Charge charge_of(const slurm_job_info_t& job) {
    const bool is_pending = (job.job_state & JOB_STATE_BASE) == JOB_PENDING;
    Charge charge = read_charge(text_of(is_pending ? job.tres_req_str : job.tres_alloc_str));
    charge.memory_follows = memory_follows(job);
    return charge;
}

}  // namespace hora::slurm
