// Which global batch does this start of a job have, where its owner has given a range?
#include "plugins/spank/variables/start_batch.hpp"

#include <string_view>

#include "libplanner/read/whole_number.hpp"
#include "plugins/spank/job/job_variables.hpp"

namespace hora::spank {

std::optional<std::vector<std::string>> batch_call(const TaskFacts& facts,
                                                   const ComputeSettings& settings) {
    if (!facts.is_batch_script || settings.watcher.empty() || !read_options(facts).max_batch) {
        return std::nullopt;
    }
    return std::vector<std::string>{settings.watcher, "--job", std::to_string(facts.job),
                                    "--batch"};
}

Expected<std::optional<std::uint64_t>> batch_of(const RunResult& result, const TaskFacts& facts,
                                                const ComputeSettings& settings) {
    constexpr std::size_t longest_reason = 200;
    if (result.end != RunEnd::exited || result.code != 0) {
        const std::string said =
            first_line(std::string_view(result.errors).substr(0, longest_reason));
        return failure(said.empty() ? trouble_of(settings.watcher, result) : said);
    }
    const domain::JobOptions options = read_options(facts);
    const auto batch = read::parse_whole_number(
        std::string_view(result.output).substr(0, result.output.find('\n')),
        {options.batch.value_or(1), options.max_batch.value_or(0)});
    return batch ? std::optional(*batch) : std::nullopt;
}

}  // namespace hora::spank
