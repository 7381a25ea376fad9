// Which global batch has horad given the starts of a job from now on?
#include "plugins/slurm/jobs/batch_word.hpp"

#include "libplanner/read/settings/job_options.hpp"
#include "libplanner/read/whole_number.hpp"
#include "plugins/slurm/jobs/comment_word.hpp"

namespace hora::slurm {
namespace {

constexpr std::string_view key = "hora-batch=";

std::optional<std::uint64_t> parse(std::string_view word) {
    const auto batch = read::parse_whole_number(word, read::batch_range);
    return batch ? std::optional(*batch) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> batch_word(std::string_view comment) {
    return value_of_word(comment, key, parse);
}

std::optional<std::uint64_t> batch_word(std::string_view comment,
                                        const domain::JobOptions& options) {
    if (!options.batch || !options.max_batch) {
        return std::nullopt;
    }
    const auto batch = batch_word(comment);
    return batch && *batch >= *options.batch && *batch <= *options.max_batch ? batch : std::nullopt;
}

std::uint64_t batch_of_start(std::string_view comment, const domain::JobOptions& options) {
    return options.batch && options.max_batch
               ? batch_word(comment, options).value_or(*options.batch)
               : 0;
}

std::string with_batch(std::string_view comment, std::uint64_t batch) {
    return batch == 0 ? without_word(comment, key) : with_word(comment, key, std::to_string(batch));
}

}  // namespace hora::slurm
