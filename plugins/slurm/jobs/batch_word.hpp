// Which global batch has horad given the starts of a job from now on?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "libplanner/domain/job_options.hpp"

namespace hora::slurm {

// Kept with the job itself, as a word of its administrator's comment that only operators can write:
// the node that starts it reads it there. A job that is requeued without horad keeps its batch.

// Empty where the comment has no such word, or a torn one.
std::optional<std::uint64_t> batch_word(std::string_view comment);

// The same, and empty where the job has no range of batches, or the word is none of that.
std::optional<std::uint64_t> batch_word(std::string_view comment,
                                        const domain::JobOptions& options);

// Of the start that runs, or of the next one of a job that waits; 0: the job has no range.
std::uint64_t batch_of_start(std::string_view comment, const domain::JobOptions& options);

// The comment with the word in the place of an older one, or added; with 0, without it. The rest
// stays.
std::string with_batch(std::string_view comment, std::uint64_t batch);

}  // namespace hora::slurm
