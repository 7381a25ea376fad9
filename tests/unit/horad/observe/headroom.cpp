// Does a limit of the owner's keep from a job the sizes that it does not allow, and no other?
#include "scripts/horad/observe/headroom.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scripts/horad/observe/job_request.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

using slurm::MemoryFollows;

// Pending: 2 GPUs on each of 2 nodes, a task a GPU with 2 CPUs each.
ObservedJob some_job() {
    ObservedJob job;
    job.id = 7;
    job.uid = 1000;
    job.partition = "p";
    job.gpus = 4;
    job.shape.nodes = 2;
    job.shape.tasks = 4;
    job.shape.cpus = 8;
    job.shape.cpus_per_task = 2;
    job.charge = {.memory = 1000, .billing = 40, .memory_follows = MemoryFollows::most};
    return job;
}

domain::Snapshot with_limit(const domain::Caps& per_job) {
    domain::Snapshot snapshot = request::small_cluster();
    domain::Allowance allowance;
    allowance.qos = "normal";
    allowance.per_job = per_job;
    snapshot.allowances = {allowance};
    return snapshot;
}

struct Charged {
    const char* sentence;
    MemoryFollows memory_follows;
    request::Claim claim;
    std::uint64_t memory;
    std::uint64_t billing;
};

const Charged charged[] = {
    {"the size that it has is charged as it is",
     MemoryFollows::most,
     {.nodes = 2, .gpus_per_node = 2, .cpus_per_node = 4},
     1000,
     40},
    {"twice the GPUs on the same nodes double all but the memory of nodes",
     MemoryFollows::nodes,
     {.nodes = 2, .gpus_per_node = 4, .cpus_per_node = 8},
     1000,
     80},
    {"more GPUs with the same nodes and CPUs are billed, and may take memory",
     MemoryFollows::most,
     {.nodes = 2, .gpus_per_node = 4, .cpus_per_node = 4},
     2000,
     80},
    {"half the nodes halve the memory of nodes, and the billing follows the GPUs",
     MemoryFollows::nodes,
     {.nodes = 1, .gpus_per_node = 4, .cpus_per_node = 8},
     500,
     40},
    {"the memory of CPUs follows these",
     MemoryFollows::cpus,
     {.nodes = 4, .gpus_per_node = 1, .cpus_per_node = 1},
     500,
     80},
    {"where the rule is not known the memory follows what grows most",
     MemoryFollows::most,
     {.nodes = 4, .gpus_per_node = 1, .cpus_per_node = 1},
     2000,
     80},
    {"a part of a MiB or of a unit counts as one",
     MemoryFollows::nodes,
     {.nodes = 3, .gpus_per_node = 1, .cpus_per_node = 1},
     1500,
     60},
    {"also where nothing divides",
     MemoryFollows::cpus,
     {.nodes = 1, .gpus_per_node = 1, .cpus_per_node = 3},
     375,
     20},
};

TEST(WithCharge, TakesMemoryAndBillingInProportion) {
    for (const Charged& test : charged) {
        ObservedJob job = some_job();
        job.charge.memory_follows = test.memory_follows;
        const request::Claim claim = with_charge(test.claim, job);
        EXPECT_EQ(claim.memory, test.memory) << test.sentence;
        EXPECT_EQ(claim.billing, test.billing) << test.sentence;
        EXPECT_EQ(claim.nodes, test.claim.nodes) << test.sentence;
    }
    ObservedJob job = some_job();
    job.charge.memory = 1001;
    EXPECT_EQ(with_charge({.nodes = 1, .gpus_per_node = 2, .cpus_per_node = 4}, job).memory, 501U)
        << "rounded up";
}

struct Most {
    const char* sentence;
    domain::Caps caps;
    void (*change)(ObservedJob& job);
    std::optional<std::uint32_t> gpus;
};

constexpr auto as_it_is = [](ObservedJob&) {};

const Most mosts[] = {
    {"without a limit there is none", {}, as_it_is, std::nullopt},
    {"one of GPUs", {.gpus = 6, .nodes = {}, .cpus = {}}, as_it_is, 6},
    {"one of nodes, with all the GPUs of each", {.gpus = {}, .nodes = 3, .cpus = {}}, as_it_is, 12},
    {"one of CPUs, with those of a task for each GPU",
     {.gpus = {}, .nodes = {}, .cpus = 11},
     as_it_is,
     5},
    {"not where it has one task for all GPUs of a node",
     {.gpus = {}, .nodes = {}, .cpus = 11},
     [](ObservedJob& job) { job.shape.tasks = 2; },
     std::nullopt},
    {"one of memory, as its GPUs take it",
     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 1900},
     as_it_is,
     7},
    {"not where its memory follows its nodes",
     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 1900},
     [](ObservedJob& job) { job.charge.memory_follows = MemoryFollows::nodes; },
     std::nullopt},
    {"nor where its memory is not known",
     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = 1900},
     [](ObservedJob& job) { job.charge.memory = 0; },
     std::nullopt},
    {"one of billing",
     {.gpus = {}, .nodes = {}, .cpus = {}, .memory = {}, .billing = 59},
     as_it_is,
     5},
    {"the least of several", {.gpus = 6, .nodes = 1, .cpus = 20}, as_it_is, 4},
    {"one of nodes beyond what a number holds is none that binds",
     {.gpus = {}, .nodes = 1U << 30U, .cpus = {}},
     as_it_is,
     domain::unlimited_gpus},
};

TEST(MostGpus, IsTheLeastOfItsLimits) {
    for (const Most& test : mosts) {
        ObservedJob job = some_job();
        test.change(job);
        EXPECT_EQ(most_gpus(job, with_limit(test.caps), 4), test.gpus) << test.sentence;
    }
    ObservedJob job = some_job();
    job.partition = "new";
    EXPECT_EQ(most_gpus(job, with_limit({.gpus = 1, .nodes = {}, .cpus = {}}), 4), std::nullopt)
        << "no partition is known that it could be limited in";
}

std::optional<std::uint32_t> maybe(std::uint32_t most) {
    return *rc::gen::arbitrary<bool>() ? std::optional(*rc::gen::inRange<std::uint32_t>(0, most))
                                       : std::nullopt;
}

// why_over() judges one size: what it lets pass is never beyond the most.
RC_GTEST_PROP(MostGpus, RulesOutNoSizeThatIsWithinTheLimits, ()) {
    ObservedJob job = some_job();
    job.charge.memory_follows =
        *rc::gen::element(MemoryFollows::nodes, MemoryFollows::cpus, MemoryFollows::most);
    const domain::Snapshot cluster =
        with_limit({maybe(30), maybe(8), maybe(60), maybe(6000), maybe(300)});
    const auto most = most_gpus(job, cluster, 4);
    const request::Limits limits = limits_of(job, cluster);
    for (std::uint32_t nodes = 1; nodes <= 8; ++nodes) {
        for (std::uint32_t gpus = 1; gpus <= 4; ++gpus) {
            const request::Claim claim = with_charge(
                {.nodes = nodes, .gpus_per_node = gpus, .cpus_per_node = 2 * gpus}, job);
            const bool is_kept = why_over(limits, claim).empty() && most && nodes * gpus > *most;
            RC_ASSERT(!is_kept);
        }
    }
}

}  // namespace
}  // namespace hora::horad
