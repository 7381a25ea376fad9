#include "plugins/spank/ring/host_order.hpp"

#include <gtest/gtest.h>

#include "tests/unit/spank/some_variables.hpp"

namespace hora::spank {
namespace {

// Four nodes of 8 CPUs on two leaves, a job of two tasks each.
const Variables job{{"SLURM_JOB_NODELIST", "n[1-4]"},
                    {"SLURM_JOB_CPUS_PER_NODE", "8(x4)"},
                    {"SLURM_TASKS_PER_NODE", "2(x4)"}};

struct Case {
    const char* sentence;
    std::vector<std::string> ring;
    StepRequest request;
    Variables variables;
    std::string hosts;  // empty: left to Slurm
};

TEST(HostOrder, GivesEachNodeWhatSlurmWould) {
    const Variables uneven =
        with(job, {{"SLURM_JOB_CPUS_PER_NODE", "5,1(x3)"}, {"SLURM_TASKS_PER_NODE", "5,1(x3)"}});
    const std::vector<std::string> ring{"n1", "n3", "n2", "n4"};
    const Case cases[] = {
        {"one task a node", ring, {4, 4, 1}, job, "n1\nn3\nn2\nn4\n"},
        {"the job's own layout", ring, {4, 8, 1}, job, "n1\nn1\nn3\nn3\nn2\nn2\nn4\nn4\n"},
        {"an uneven layout of the job's own",
         ring,
         {4, 8, 1},
         uneven,
         "n1\nn1\nn1\nn1\nn1\nn3\nn2\nn4\n"},
        {"another layout than the job's", ring, {4, 12, 2}, job, ""},
        {"a part of the nodes", ring, {2, 2, 1}, job, ""},
        {"too few CPUs", ring, {4, 8, 5}, job, ""},
        {"too few CPUs on one node", ring, {4, 8, 2}, uneven, ""},
        {"an order that is Slurm's own", {"n1", "n2", "n3", "n4"}, {4, 4, 1}, job, ""},
        {"more nodes than the job has", ring, {5, 5, 1}, job, ""},
        {"a ring over other nodes", {"n1", "n3", "m2", "m4"}, {4, 4, 1}, job, ""},
        {"a ring with a node twice", {"n1", "n3", "n3", "n1"}, {4, 4, 1}, job, ""},
        {"no ring", {}, {4, 4, 1}, job, ""},
        {"no word of the CPUs",
         ring,
         {4, 4, 1},
         with(job, {{"SLURM_JOB_CPUS_PER_NODE", "many"}}),
         ""},
    };
    for (const Case& c : cases) {
        const auto order = order_hosts(c.ring, c.request, Environment(c.variables));
        EXPECT_EQ(order ? host_file(*order) : "", c.hosts) << c.sentence;
    }
}

}  // namespace
}  // namespace hora::spank
