#include "plugins/spank/ring/host_order.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spank/ring_text.hpp"

namespace hora::spank {
namespace {

// Four nodes of 8 CPUs on two leaves, a job of two tasks each.
const Variables job{{"SLURM_JOB_NODELIST", "n[1-4]"},
                    {"SLURM_JOB_CPUS_PER_NODE", "8(x4)"},
                    {"SLURM_TASKS_PER_NODE", "2(x4)"}};

Variables with(Variables variables, const Variables& more) {
    for (const auto& [name, value] : more) {
        variables.insert_or_assign(name, value);
    }
    return variables;
}

struct Case {
    const char* sentence;
    const char* ring;
    StepRequest request;
    Variables variables;
    std::string hosts;  // empty: left to Slurm
    bool needs_job_alone;
};

TEST(HostOrder, GivesEachNodeWhatSlurmWould) {
    const Variables uneven =
        with(job, {{"SLURM_JOB_CPUS_PER_NODE", "5,1(x3)"}, {"SLURM_TASKS_PER_NODE", "5,1(x3)"}});
    const char* const ring = "n[1,3]/n[2,4]";
    const Case cases[] = {
        {"one task a node", ring, {4, 4, 1}, job, "n1\nn3\nn2\nn4\n", false},
        {"the job's own layout", ring, {4, 8, 1}, job, "n1\nn1\nn3\nn3\nn2\nn2\nn4\nn4\n", false},
        {"an uneven layout of the job's own",
         ring,
         {4, 8, 1},
         uneven,
         "n1\nn1\nn1\nn1\nn1\nn3\nn2\nn4\n",
         false},
        {"more tasks than the job's, evenly",
         ring,
         {4, 12, 2},
         job,
         "n1\nn1\nn1\nn3\nn3\nn3\nn2\nn2\nn2\nn4\nn4\nn4\n",
         true},
        {"a part of the nodes", ring, {2, 2, 1}, job, "n1\nn3\n", true},
        {"an uneven layout that is not the job's", ring, {4, 6, 1}, job, "", false},
        {"too few CPUs", ring, {4, 12, 3}, job, "", false},
        {"too few CPUs on one node", ring, {4, 8, 2}, uneven, "", false},
        {"an order that is Slurm's own", "n[1-2]/n[3-4]", {4, 4, 1}, job, "", false},
        {"a part that not every node may serve", ring, {2, 2, 1, true}, job, "", false},
        {"all nodes with what each may need",
         ring,
         {4, 4, 1, true},
         job,
         "n1\nn3\nn2\nn4\n",
         false},
        {"more nodes than the job has", ring, {5, 5, 1}, job, "", false},
        {"a ring over other nodes", "n[1,3]/m[2,4]", {4, 4, 1}, job, "", false},
        {"a ring with a node twice", "n[1,3]/n[3,1]", {4, 4, 1}, job, "", false},
        {"no ring", "", {4, 4, 1}, job, "", false},
        {"no word of the CPUs",
         ring,
         {4, 4, 1},
         with(job, {{"SLURM_JOB_CPUS_PER_NODE", "many"}}),
         "",
         false},
    };
    for (const Case& c : cases) {
        const auto order = order_hosts(node_ring(c.ring), c.request, Environment(c.variables));
        EXPECT_EQ(order ? host_file(*order) : "", c.hosts) << c.sentence;
        EXPECT_EQ(order && order->needs_job_alone, c.needs_job_alone) << c.sentence;
    }
}

}  // namespace
}  // namespace hora::spank
