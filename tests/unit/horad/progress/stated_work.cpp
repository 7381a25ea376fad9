// Is a job's work told only where its owner has said all of it, and the last batch of an epoch
// counted?
#include "scripts/horad/progress/stated_work.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

domain::JobOptions options(std::optional<std::uint64_t> samples,
                           std::optional<std::uint64_t> epochs,
                           std::optional<std::uint64_t> batch) {
    domain::JobOptions said;
    said.samples = samples;
    said.epochs = epochs;
    said.batch = batch;
    return said;
}

TEST(StatedWork, IsWholeStepsOfEachEpoch) {
    const struct {
        const char* sentence;
        domain::JobOptions said;
        std::optional<std::uint64_t> steps;
    } cases[] = {
        {"batches that divide the samples", options(1000, 3, 100), 30},
        {"a last batch that is not full", options(1001, 3, 100), 33},
        {"a batch beyond the samples", options(10, 3, 100), 3},
        {"one sample each", options(10, 1, 1), 10},
        {"no samples said", options({}, 3, 100), {}},
        {"no epochs said", options(1000, {}, 100), {}},
        {"no batch said", options(1000, 3, {}), {}},
        {"no batch at all", options(1000, 3, 0), {}},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(stated_steps(row.said), row.steps) << row.sentence;
    }
}

TEST(StatedWork, OfABatchThatMayChangeIsCountedInStepsOfTheSmallest) {
    domain::JobOptions options;
    options.batch = 64;
    const slurm::Report progress{.step = 10, .samples = 6400};
    EXPECT_EQ(steps_done(options, progress), 10);
    options.max_batch = 512;
    EXPECT_EQ(steps_done(options, progress), 100);
}

}  // namespace
}  // namespace hora::horad
