// Is a job in the queue ruled as its submission would be?
#include "scripts/horad/observe/job_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

// Partition p has n1 to n6, q n5 and n6.
domain::Snapshot cluster_with_closed(const std::vector<std::string>& closed) {
    domain::Snapshot cluster = request::small_cluster();
    for (domain::Partition& partition : cluster.partitions) {
        partition.is_up = std::find(closed.begin(), closed.end(), partition.name) == closed.end();
        partition.max_nodes = static_cast<std::uint32_t>(partition.nodes.size());
    }
    return cluster;
}

slurm::Job job_in(const std::string& partition) {
    slurm::Job job;
    job.partition = partition;
    return job;
}

TEST(JobRequest, IsRuledByTheFirstPartitionThatIsUpElseTheFirst) {
    struct Case {
        const char* name;
        const char* partition;
        std::vector<std::string> closed;
        const char* ruling;  // "": none
    };
    const Case cases[] = {
        {"the only one", "q", {}, "q"},
        {"the first of two", "q,p", {}, "q"},
        {"the second, where the first is closed", "q,p", {"q"}, "p"},
        {"the second, where the first is not known", "new,p", {}, "p"},
        {"a closed one, where it runs on", "q", {"q"}, "q"},
        {"the first, where both are closed", "p,q", {"p", "q"}, "p"},
        {"one that is not known", "new", {}, ""},
        {"none", "", {}, ""},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const domain::Snapshot cluster = cluster_with_closed(each.closed);
        const domain::Partition* const ruling = partition_of(job_in(each.partition), cluster);
        EXPECT_EQ(ruling == nullptr ? "" : ruling->name, each.ruling);
        const auto most = limits_of(job_in(each.partition), cluster).nodes.most;
        EXPECT_EQ(most, ruling == nullptr ? std::nullopt : ruling->max_nodes);
    }
}

TEST(JobRequest, HasTheModeOfThePartitionThatRulesIt) {
    const auto settings =
        read::read_settings("mode = \"act\"\n[partition.q]\nmode = \"advise\"\n", "hora.toml");
    ASSERT_TRUE(settings) << settings.error().message;
    struct Case {
        const char* partition;
        std::vector<std::string> closed;
        read::OperatingMode mode;
    };
    const Case cases[] = {
        {"q", {}, read::OperatingMode::advise},   {"q,p", {}, read::OperatingMode::advise},
        {"q,p", {"q"}, read::OperatingMode::act}, {"q", {"q"}, read::OperatingMode::advise},
        {"p,q", {}, read::OperatingMode::act},    {"new", {}, read::OperatingMode::act},
    };
    for (const Case& each : cases) {
        EXPECT_EQ(mode_of(job_in(each.partition), cluster_with_closed(each.closed), *settings),
                  each.mode)
            << each.partition << ", " << each.closed.size() << " closed";
    }
}

TEST(JobRequest, MayHaveTheNodesThatASubmissionMayHave) {
    using Nodes = std::vector<std::uint32_t>;
    struct Case {
        const char* name;
        void (*say)(slurm::Job&);
        Nodes nodes;      // empty: it fails
        const char* why;  // as it fails
    };
    const Case cases[] = {
        {"all of its partition", [](slurm::Job&) {}, {0, 1, 2, 3, 4, 5}, ""},
        {"constraint", [](slurm::Job& job) { job.features = "k80"; }, {4, 5}, ""},
        {"-x", [](slurm::Job& job) { job.excluded_nodes = "n[2-6]"; }, {0}, ""},
        {"-w", [](slurm::Job& job) { job.required_nodes = "n3"; }, {2}, ""},
        {"more memory than a node has",
         [](slurm::Job& job) { job.memory_per_node = 2000; },
         {},
         "no usable node of partition \"p\" is left by 2000 MiB of memory on each node"},
        {"more memory of each GPU than a node has",
         [](slurm::Job& job) { job.memory_per_gpu = 2000; },
         {},
         "no usable node of partition \"p\" is left by 2000 MiB of memory for each GPU"},
        {"more memory of each CPU than a node has",
         [](slurm::Job& job) { job.memory_per_cpu = 2000; },
         {},
         "no usable node of partition \"p\" is left by 2000 MiB of memory for each CPU"},
        {"a reservation that it does not know",
         [](slurm::Job& job) { job.reservation = "exam"; },
         {},
         "reservation \"exam\" is not in the snapshot"},
        {"a partition that is not known",
         [](slurm::Job& job) { job.partition = "new"; },
         {},
         "the snapshot knows no partition of this job"},
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.name);
        const domain::Snapshot cluster = request::small_cluster();
        slurm::Job job = job_in("p");
        each.say(job);
        const auto scope = scope_of(job, cluster, window_of(job, cluster, 1000));
        EXPECT_EQ(scope ? scope->nodes : Nodes(), each.nodes);
        EXPECT_EQ(scope ? "" : scope.error().message, each.why);
    }
}

TEST(JobRequest, LastsAsLongAsItMay) {
    domain::Snapshot cluster = request::small_cluster();
    slurm::Job job = job_in("p");
    EXPECT_GT(window_of(job, cluster, 5).lasts, Seconds(1e12));
    cluster.partitions[0].max_time = Seconds(7200);
    EXPECT_EQ(window_of(job, cluster, 5).lasts, Seconds(7200));
    job.time_limit = Seconds(600);
    EXPECT_EQ(window_of(job, cluster, 5).lasts, Seconds(600));
    EXPECT_EQ(window_of(job, cluster, 5).now, 5);
}

}  // namespace
}  // namespace hora::horad
