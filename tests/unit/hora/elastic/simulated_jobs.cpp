// Are the jobs of a simulation those that the words name?
#include "scripts/hora/elastic/simulated_jobs.hpp"

#include <gtest/gtest.h>

#include "libplanner/sim/workload/generator.hpp"

namespace hora::scripts {
namespace {

sim::Setup setup() {
    sim::Setup setup;
    setup.nodes = 3;
    setup.gpus_per_node = 4;
    setup.seed = 5;
    return setup;
}

JobSource drawn(std::vector<std::string> mixes, std::uint64_t sets = 1) {
    JobSource source;
    source.generator = "p5";
    source.mixes = std::move(mixes);
    source.sets = sets;
    source.jobs = 7;
    return source;
}

// What the generator draws of a mix by itself.
domain::JobTrace set_of(const sim::Mix& mix, std::uint64_t seed) {
    return sim::draw_jobs({.mix = mix, .jobs = 7, .mean_arrival = Seconds(900), .most_gpus = 12},
                          seed);
}

std::vector<Seconds> submissions(const domain::JobTrace& trace) {
    std::vector<Seconds> times;
    for (const domain::TraceJob& job : trace.jobs) {
        times.push_back(job.submitted);
    }
    return times;
}

TEST(SimulatedJobs, are_drawn_of_each_mix_each_time_with_another_seed) {
    struct Case {
        const char* name;
        std::vector<std::string> mixes;
        std::vector<std::size_t> places;  // in named_mixes()
    };
    const Case cases[] = {
        {"one", {"p5-2"}, {1}},
        {"two, in the order of the list", {"micro-1", "p5-1"}, {0, 4}},
        {"a family", {"p5"}, {0, 1, 2, 3}},
        {"one and its family", {"micro-2", "micro"}, {4, 5, 6, 7}},
    };
    for (const Case& each : cases) {
        const auto jobs = simulated_jobs(drawn(each.mixes, 2), setup());
        ASSERT_TRUE(jobs) << each.name << ": " << jobs.error().message;
        ASSERT_EQ(jobs->sets.size(), 2 * each.places.size()) << each.name;
        EXPECT_EQ(jobs->refused, 0U);
        for (std::size_t i = 0; i < jobs->sets.size(); ++i) {
            const sim::Mix& mix = sim::named_mixes()[each.places[i / 2]].mix;
            EXPECT_EQ(submissions(jobs->sets[i]), submissions(set_of(mix, 5 + i))) << each.name;
        }
    }
    const auto shares = simulated_jobs(drawn({"0.25", "0.25", "0.5", "0"}), setup());
    ASSERT_TRUE(shares) << shares.error().message;
    EXPECT_EQ(submissions(shares->sets.at(0)), submissions(set_of({0.25, 0.25, 0.5, 0}, 5)));
}

TEST(SimulatedJobs, are_not_drawn_of_what_is_no_mix) {
    const std::vector<std::string> words[] = {
        {"p5-9"},
        {""},
        {"p5-1", "nonsense"},
        {"p"},
        {"-1"},
        {"0.5", "0.5", "0"},
        {"0.25", "0.25", "0.25", "0.25", "0"},
        {"0.5", "0.5", "0.5", "-0.5"},
        {"nan", "0", "0", "1"},
        {"inf", "0", "0", "0"},
        {"1x", "0", "0", "0"},
        {"1.5", "-0.5", "0", "0"},
        {"0.5", "0.5", "0.5", "0"},
        {"0", "0", "0", "0"},
        {"0.5", "0.499", "0", "0"},
    };
    for (const auto& mix : words) {
        const auto jobs = simulated_jobs(drawn(mix), setup());
        ASSERT_FALSE(jobs) << mix.front() << " of " << mix.size();
        EXPECT_NE(jobs.error().message.find("--mix"), std::string::npos) << jobs.error().message;
    }
}

TEST(SimulatedJobs, are_of_one_source) {
    EXPECT_FALSE(simulated_jobs({}, setup()));
    JobSource both = drawn({"p5"});
    both.trace = "/dev/null";
    EXPECT_FALSE(simulated_jobs(both, setup()));
    JobSource missing;
    missing.trace = "/no/such/trace.csv";
    EXPECT_FALSE(simulated_jobs(missing, setup()));
    JobSource twice;
    twice.trace = twice.speeds = "-";
    const auto jobs = simulated_jobs(twice, setup());
    ASSERT_FALSE(jobs);
    EXPECT_EQ(jobs.error().message,
              "--trace and --speeds cannot both be standard input; give one as a file");
}

TEST(SimulatedJobs, keep_to_the_sizes_that_are_said) {
    JobSource source = drawn({"p5-1"});
    source.sizes = "powers";
    EXPECT_TRUE(simulated_jobs(source, setup()));
    for (const char* const rule : {"odd", "0", "5,", "99"}) {
        source.sizes = rule;
        const auto jobs = simulated_jobs(source, setup());
        ASSERT_FALSE(jobs) << rule;
        EXPECT_NE(jobs.error().message.find("--sizes"), std::string::npos) << jobs.error().message;
    }
}

}  // namespace
}  // namespace hora::scripts
