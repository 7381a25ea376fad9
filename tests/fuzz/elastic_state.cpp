// Does any text break the reader of a state, a policy that decides on it, or what shows it?
#include "libplanner/read/trace/elastic_state.hpp"

#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/report/jobs/elastic.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto file = hora::read::read_elastic_state(text);
    // Work grows with the GPUs: more of them find no other mistakes.
    if (!file || file->state.gpus > 10'000) {
        return 0;
    }
    for (const hora::elastic::PolicyInfo& each : hora::elastic::policies()) {
        const auto policy = hora::elastic::make_policy(each.name);
        const hora::elastic::Allocation result = (*policy)->decide(file->state);
        const auto sum = std::accumulate(result.gpus.begin(), result.gpus.end(), std::uint64_t{0});
        if (result.gpus.size() != file->state.jobs.size() || sum > file->state.gpus) {
            std::abort();
        }
        const hora::report::ElasticDecision decision{each, *file, result};
        static_cast<void>(hora::report::to_json(decision));
        static_cast<void>(hora::report::to_table(decision));
    }
    return 0;
}
