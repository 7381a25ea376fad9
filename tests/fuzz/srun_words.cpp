// Do any words of an srun, in any job, break what lays out its ranks, or give it others than it
// asks for?
//
// A word a line; behind an empty line the job's variables, NAME=value.
#include "plugins/spank/srun/srun_words.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "libplanner/read/slurm/hostlist.hpp"
#include "plugins/spank/ring/host_order.hpp"
#include "plugins/spank/srun/step_request.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

using namespace hora::spank;

void check_order(const StepRequest& request, const Environment& environment) {
    const std::string* const list = environment.find("SLURM_JOB_NODELIST");
    auto ring = hora::read::expand_hostlist(list == nullptr ? "" : *list, 1000);
    if (!ring) {
        return;
    }
    std::ranges::reverse(*ring);
    const auto order = order_hosts(*ring, request, environment);
    if (!order) {
        return;
    }
    const auto tasks = std::accumulate(order->tasks.begin(), order->tasks.end(), std::uint64_t{0});
    const std::string file = host_file(*order);
    if (order->nodes != *ring || order->tasks.size() != request.nodes || tasks != request.tasks ||
        std::ranges::count(file, '\n') != static_cast<std::ptrdiff_t>(tasks)) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> words;
    Variables variables;
    bool are_words = true;
    for (std::string_view line : hora::fuzz::lines_of(hora::fuzz::text_of(data, size))) {
        if (are_words && line.empty()) {
            are_words = false;
        } else if (are_words) {
            words.emplace_back(line);
        } else {
            const std::string name(hora::fuzz::take_until(line, '='));
            variables.insert_or_assign(name, line);
        }
    }
    const Environment environment(variables);
    static_cast<void>(read_srun_words(words));
    static_cast<void>(leaves_binding_open(words, environment));
    if (const auto request = read_step_request(words, environment)) {
        constexpr std::uint32_t most = 1U << 20;
        if (request->nodes < 2 || request->tasks < request->nodes || request->tasks > most ||
            request->cpus_per_task < 1 || request->cpus_per_task > most) {
            std::abort();
        }
        check_order(*request, environment);
    }
    return 0;
}
