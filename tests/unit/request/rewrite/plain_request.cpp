// Does a request without a plan name the fewest GPUs, and a shape that Slurm can start?
#include "libplanner/request/rewrite/plain_request.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>

#include "tests/unit/any_number.hpp"
#include "tests/unit/request/scene.hpp"

namespace hora::request {
namespace {

using hora::testing::any_number;

struct Open {
    const char* sentence;
    std::function<void(Submission&, domain::JobOptions&)> change;
    bool is_open;
};

const Open opens[] = {
    {"neither a model nor GPUs", [](Submission&, domain::JobOptions&) {}, false},
    {"a model", [](Submission&, domain::JobOptions& options) { options.model = "vgg16"; }, true},
    {"--hora-gpus",
     [](Submission&, domain::JobOptions& options) {
         options.gpus = {1, 2};
     },
     true},
    {"--hora-off",
     [](Submission&, domain::JobOptions& options) {
         options.model = "vgg16";
         options.gpus = {1, 2};
         options.is_off = true;
     },
     false},
    {"GPUs of the request's own",
     [](Submission& job, domain::JobOptions& options) {
         options.model = "vgg16";
         job.gpus.per_node = 1;
     },
     false},
    {"GPUs by the socket",
     [](Submission& job, domain::JobOptions& options) {
         options.model = "vgg16";
         job.gpus.is_per_socket = true;
     },
     false},
    {"no GPUs",
     [](Submission& job, domain::JobOptions& options) {
         options.model = "vgg16";
         job.gpus.is_none = true;
     },
     false},
    {"a type alone names no number",
     [](Submission& job, domain::JobOptions& options) {
         options.model = "vgg16";
         job.gpus.type = "a100";
     },
     true},
};

TEST(PlainRequest, IsForAJobThatLeavesItsGpusOpen) {
    for (const Open& test : opens) {
        Submission job = batch_job();
        domain::JobOptions options;
        test.change(job, options);
        EXPECT_EQ(leaves_gpus_open(job, options), test.is_open) << test.sentence;
    }
}

std::uint32_t count_of(const std::string& tres) {
    return static_cast<std::uint32_t>(std::stoul(tres.substr(tres.rfind(':') + 1)));
}

std::optional<std::uint32_t> maybe(std::uint32_t end) {
    return any_number(0, 2) == 0 ? std::nullopt : std::optional(any_number<std::uint32_t>(1, end));
}

// Each number of a script's request agrees with the others, and there are enough GPUs.
RC_GTEST_PROP(PlainRequest, OfAScriptAddsUp, ()) {
    Submission job = batch_job();
    job.min_nodes = maybe(5);
    job.max_nodes = any_number(0, 2) == 0 ? job.min_nodes : std::nullopt;
    job.tasks_per_node = maybe(5);
    job.tasks = maybe(13);
    job.cpus_per_task = maybe(4);
    domain::JobOptions options;
    options.model = "vgg16";
    const auto least = any_number<std::uint32_t>(1, 9);
    options.gpus = domain::GpuRange{least, least + any_number<std::uint32_t>(0, 9)};
    const PlainRequest plain = plain_request(job, options, spell_gpus);
    const Rewrite& rewrite = plain.rewrite;
    RC_ASSERT(job.tasks || plain.gpus >= least);
    const std::uint32_t tasks = rewrite.num_tasks.value();
    RC_ASSERT(rewrite.tres_per_node.has_value() != rewrite.tres_per_task.has_value());
    if (rewrite.tres_per_task) {
        RC_ASSERT(*rewrite.tres_per_task == "gres:gpu:1");
        RC_ASSERT(tasks == plain.gpus);
    } else {
        RC_ASSERT(rewrite.min_nodes == rewrite.max_nodes);
        RC_ASSERT(*rewrite.min_nodes * count_of(*rewrite.tres_per_node) == plain.gpus);
        RC_ASSERT(*rewrite.min_nodes * rewrite.ntasks_per_node.value() == tasks);
    }
    const std::uint32_t cpus = job.cpus_per_task.value_or(rewrite.cpus_per_task.value_or(1));
    RC_ASSERT(rewrite.min_cpus == tasks * cpus);
    RC_ASSERT(!(job.cpus_per_task && rewrite.cpus_per_task));
    RC_ASSERT(plain.gpus % tasks == 0U);
}

// srun and salloc have said how many tasks there are: those stay.
RC_GTEST_PROP(PlainRequest, OfAClientKeepsItsTasks, ()) {
    Submission job = batch_job();
    job.is_batch = false;
    job.min_nodes = maybe(5);
    job.max_nodes = any_number(0, 2) == 0 ? job.min_nodes : std::nullopt;
    job.tasks = maybe(13);
    domain::JobOptions options;
    const auto least = any_number<std::uint32_t>(1, 9);
    options.gpus = domain::GpuRange{least, least};
    const PlainRequest plain = plain_request(job, options, spell_gpus);
    const Rewrite& rewrite = plain.rewrite;
    RC_ASSERT(plain.gpus >= least);
    RC_ASSERT(plain.gpus >= job.tasks.value_or(1));
    RC_ASSERT(!rewrite.num_tasks && !rewrite.ntasks_per_node);
    RC_ASSERT(rewrite.unset.empty() && rewrite.set.empty());
    if (rewrite.tres_per_task) {
        RC_ASSERT(plain.gpus == job.tasks.value_or(1));
    } else {
        RC_ASSERT(*rewrite.min_nodes * count_of(*rewrite.tres_per_node) == plain.gpus);
        RC_ASSERT(plain.gpus == 1U || *rewrite.min_nodes >= job.min_nodes.value_or(1));
    }
}

TEST(PlainRequest, TellsTheModeByItsGpus) {
    struct Mode {
        std::uint32_t gpus;
        std::optional<domain::Mode> said;
        const char* mode;
    };
    const Mode modes[] = {{1, {}, "independent"},
                          {1, domain::Mode::sync, "independent"},
                          {2, {}, "sync"},
                          {2, domain::Mode::async, "async"},
                          {2, domain::Mode::balanced, "sync"}};
    for (const Mode& test : modes) {
        domain::JobOptions options;
        options.gpus = domain::GpuRange{test.gpus, 8};
        options.mode = test.said;
        EXPECT_TRUE(plain_request(batch_job(), options, spell_gpus).rewrite.tell.empty())
            << "without a batch there is nothing to share";
        options.batch = 64;
        const Rewrite rewrite = plain_request(batch_job(), options, spell_gpus).rewrite;
        ASSERT_FALSE(rewrite.tell.empty());
        EXPECT_EQ(rewrite.tell.front().second, test.mode) << test.gpus;
    }
}

TEST(PlainRequest, TakesTheSmallestSizeOfAList) {
    domain::JobOptions options;
    const auto gpus = [&] { return plain_request(batch_job(), options, spell_gpus).gpus; };
    options.sizes = {domain::SizeRule::Kind::listed, {1, 3, 6}};
    EXPECT_EQ(gpus(), 1U);
    options.gpus = domain::GpuRange{2, 8};
    EXPECT_EQ(gpus(), 3U);
    options.gpus = domain::GpuRange{4, 5};
    EXPECT_EQ(gpus(), 4U) << "none of the list is in the range";
    options.sizes = {domain::SizeRule::Kind::nodes, {}};
    EXPECT_EQ(gpus(), 4U) << "how many a node has is not known";
}

}  // namespace
}  // namespace hora::request
