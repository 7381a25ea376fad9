#include "plugins/slurm/jobs/charge.hpp"

#include <gtest/gtest.h>

namespace hora::slurm {
namespace {

TEST(Charge, is_read_from_what_slurm_says) {
    const struct {
        const char* sentence;
        const char* tres;
        Charge charge;
    } cases[] = {
        {"nothing said", "", {}},
        {"MiB", "cpu=4,mem=8000M,node=1,billing=4", {.memory = 8000, .billing = 4}},
        {"without a unit", "mem=512", {.memory = 512}},
        {"GiB with a fraction", "cpu=2,mem=62.50G", {.memory = 64000}},
        {"TiB", "mem=2T,node=2", {.memory = 2 * 1024 * 1024}},
        {"KiB are rounded up", "mem=1536K", {.memory = 2}},
        {"billing of a fraction is rounded up", "billing=2.5", {.billing = 3}},
        {"another word that ends alike", "gres/mem=9,fs/billing=7", {}},
        {"nonsense is not said", "mem=many,billing=-1", {}},
        {"nor is an endless number", "mem=inf,billing=nan", {}},
    };
    for (const auto& row : cases) {
        EXPECT_EQ(read_charge(row.tres), row.charge) << row.sentence;
    }
}

TEST(Charge, follows_how_the_memory_was_requested) {
    const struct {
        const char* sentence;
        std::uint64_t least;
        const char* per_gpu;
        MemoryFollows follows;
    } cases[] = {
        {"not at all", 0, nullptr, MemoryFollows::most},
        {"--mem", 4000, nullptr, MemoryFollows::nodes},
        {"--mem-per-cpu", 1000 | MEM_PER_CPU, nullptr, MemoryFollows::cpus},
        {"--mem-per-gpu", 0, "gres:gpu:8000", MemoryFollows::most},
    };
    for (const auto& row : cases) {
        slurm_job_info_t job{};
        std::string text = row.per_gpu == nullptr ? "" : row.per_gpu;
        job.pn_min_memory = row.least;
        job.mem_per_tres = row.per_gpu == nullptr ? nullptr : text.data();
        EXPECT_EQ(charge_of(job).memory_follows, row.follows) << row.sentence;
    }
}

TEST(Charge, is_what_is_held_and_else_what_is_requested) {
    std::string held = "mem=4G,billing=8";
    std::string requested = "mem=1G,billing=2";
    slurm_job_info_t job{};
    job.tres_alloc_str = held.data();
    job.tres_req_str = requested.data();
    job.job_state = JOB_RUNNING;
    EXPECT_EQ(charge_of(job).memory, 4096);
    job.job_state = JOB_PENDING | JOB_COMPLETING;
    EXPECT_EQ(charge_of(job).billing, 2);
}

}  // namespace
}  // namespace hora::slurm
