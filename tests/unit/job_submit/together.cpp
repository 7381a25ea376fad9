// Do submissions that come at once get their answers while the site's files change? From Slurm
// 23.02 on slurmctld calls the plugin in several threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

#include "plugins/job_submit/handle.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/daemon_log.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"

namespace hora::submit {
namespace {

// What slurmctld answers a user who asks for a plan.
int submit(Place& place, int batch) {
    Job job;
    job->script = daemon_string("#!/bin/sh\n");
    job.spank({bench::option_prefix + "model=resnet50", bench::batch_option(batch)});
    char* message = nullptr;
    const int answer = handle(&place.site(), *job, 1000, &message);
    void* memory = message;
    slurm_xfree(&memory);
    return answer;
}

TEST(Together, SubmissionsGoOnWhileSettingsAreLoadedAgain) {
    Place place(bench::snapshot_of(4));
    take_log();
    std::atomic<bool> is_loaded = false;
    std::atomic<int> refused = 0;
    std::array<std::thread, 2> clients;
    for (std::size_t i = 0; i < clients.size(); ++i) {
        clients[i] = std::thread([&, i] {
            // The same ones again, which are remembered, and new ones.
            for (int round = 0; round < 8 || !is_loaded; ++round) {
                const int batch = 64 << ((round + static_cast<int>(i)) % 4);
                refused += submit(place, batch) == 0 ? 0 : 1;
            }
        });
    }
    place.change("[plan]\nmin_efficiency = 0.6\n");
    EXPECT_TRUE(comes_in_log("configuration loaded"));
    is_loaded = true;
    for (std::thread& client : clients) {
        client.join();
    }
    EXPECT_EQ(refused, 0);
}

}  // namespace
}  // namespace hora::submit
