// Is a reservation seen that comes before a job has had its time?
#include "scripts/horad/observe/reserved.hpp"

#include <gtest/gtest.h>

namespace hora::horad {
namespace {

// Nodes 0 to 3; partition p has the first three.
domain::Snapshot cluster(std::vector<domain::Reservation> reservations) {
    domain::Snapshot made;
    made.cluster.nodes.resize(4);
    made.states.resize(4);
    domain::Partition partition;
    partition.name = "p";
    partition.nodes = {0, 1, 2};
    made.partitions = {partition};
    made.reservations = std::move(reservations);
    return made;
}

slurm::Job job_of(std::optional<Seconds> limit) {
    slurm::Job job;
    job.partition = "p";
    job.time_limit = limit;
    return job;
}

TEST(Reserved, is_what_begins_before_a_job_has_had_its_time) {
    const domain::Snapshot made = cluster({{"maintenance", {1}, 10000, 20000}});
    const slurm::Job job = job_of(Seconds(600));
    EXPECT_FALSE(is_reserved(job, made, 5000));
    EXPECT_TRUE(is_reserved(job, made, 9500));
    EXPECT_FALSE(is_reserved(job, made, 20000)) << "it is over";
    EXPECT_TRUE(is_reserved(job_of(std::nullopt), made, 5000)) << "no limit ends it before";
}

TEST(Reserved, next_is_the_first_of_others_on_nodes_of_the_partition) {
    struct Case {
        const char* name;
        std::vector<domain::Reservation> reservations;
        std::optional<Seconds> begins;
    };
    const Case cases[] = {
        {"none", {}, std::nullopt},
        {"one", {{"a", {2}, 1500, 2000}}, Seconds(500)},
        {"the first of two", {{"a", {0}, 1900, 2000}, {"b", {1}, 1200, 1300}}, Seconds(200)},
        {"one that has begun", {{"a", {0}, 900, 2000}}, std::nullopt},
        {"on other nodes", {{"a", {3}, 1500, 2000}}, std::nullopt},
        {"its own", {{"mine", {0}, 1500, 2000}}, std::nullopt},
    };
    for (const Case& each : cases) {
        slurm::Job job = job_of(std::nullopt);
        job.reservation = "mine";
        EXPECT_EQ(next_reservation(job, cluster(each.reservations), 1000), each.begins)
            << each.name;
    }
    slurm::Job lost = job_of(std::nullopt);
    lost.partition = "nowhere";
    EXPECT_EQ(next_reservation(lost, cluster({{"a", {0}, 1500, 2000}}), 1000), std::nullopt);
}

}  // namespace
}  // namespace hora::horad
