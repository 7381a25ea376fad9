// Is what was weighed and ruled out shown shortly, in order, and with the reason?
#include "libplanner/plan/rejected.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <rapidcheck/gtest.h>
#include <functional>
#include <set>

#include "libplanner/plan/choose.hpp"
#include "tests/unit/plan/priced.hpp"

namespace hora::plan {
namespace {

using domain::Alternative;
using domain::Mode;
using tests::RandomCase;

domain::Plan plan_of(const RandomCase& given) {
    return choose(given.request, given.cluster);
}

TEST(Rejected, DescribesWhere) {
    const domain::Cluster cluster = tests::plain_case({{0, 0}, {1, 0}, {1}}).cluster;
    const auto text = [&](std::vector<std::uint32_t> gpus, std::string_view across = {}) {
        std::vector<domain::Member> members;
        for (const std::uint32_t gpu : gpus) {
            members.push_back({gpu, 1});
        }
        return describe(cluster, members, across);
    };
    EXPECT_EQ(text({0}), "1 x a on n1");
    EXPECT_EQ(text({0, 1}), "2 x a on n1");
    EXPECT_EQ(text({0, 1}, "switches"), "2 x a across switches on n1");
    EXPECT_EQ(text({2, 3}), "1 x a + 1 x b on n2");
    EXPECT_EQ(text({0, 2, 3, 4}), "2 x a + 2 x b on n[1-3]");
}

struct Case {
    const char* sentence;
    std::function<void(RandomCase&)> change;  // of a cluster of {a, a}, {a, a}
    const char* where;                        // of one of those that were ruled out
    const char* reason;
};

// The layer is a table of 1,000 rows; all of them take 6 s a step between the nodes.
void sample(domain::Request& request) {
    request.workload.layers[0].weight_bytes = 4'000'000'000;
    request.workload.layers[0].row_bytes = 4'000'000;
    request.workload.layers[0].words = 1;
    request.min_sample_rate = 0.01;
    request.max_gpus = request.min_gpus = 4;
}

// A step of one of the four takes 64 s, of n of them 64 s / n.
const Case reasons[] = {
    {"fewer GPUs take longer", [](RandomCase&) {}, "1 x a on n1", "4.00 times as long"},
    {"a slow member holds up the others: thousands are set apart",
     [](RandomCase& given) {
         // A second type takes 24,690 times as long, and only one of each is free.
         given.cluster.devices.push_back(given.cluster.devices[0]);
         given.cluster.devices[1].name = "b";
         given.cluster.devices[1].peak[0] = FlopRate(4e12 / 24690);
         given.cluster.gpus[1].device = 1;
         given.cluster.gpus[2].is_free = given.cluster.gpus[3].is_free = false;
     },
     "1 x a + 1 x b on n1", "12,345 times as long"},
    {"what is hardly slower", [](RandomCase& given) { given.request.max_gpus = 2; },
     "2 x a on n[1-2]", "within 1 % of the best"},
    {"what is not slower at all",
     [](RandomCase& given) {
         given.request.accepts_balanced = true;
         given.request.max_gpus = 2;
     },
     "2 x a on n1", "no faster"},
    {"efficiency leaves out larger sizes",
     [](RandomCase& given) { given.request.min_efficiency = 1.01; }, "4 x a on n[1-2]",
     "scaling efficiency of more GPUs is below 101 % (plan.min_efficiency)"},
    {"for efficiency a faster one costs more",
     [](RandomCase& given) {
         given.request.objective = domain::Objective::efficiency;
         given.request.slowdown = 9;
         for (domain::Part& part : given.cluster.parts) {
             part.link.latency = Seconds(1);
         }
     },
     "2 x a on n1", "costs more GPU-seconds"},
    {"for time what is shorter within the tolerance is as good",
     [](RandomCase& given) {
         given.request.tolerance = 1;
         for (domain::Part& part : given.cluster.parts) {
             part.link.latency = Seconds(1);
         }
     },
     "4 x a on n[1-2]", "as good: 41.2 % shorter, for 1.18 times the GPU-seconds"},
    {"fewer rows are shorter, of which the highest rate within the tolerance is taken",
     [](RandomCase& given) {
         sample(given.request);
         given.request.tolerance = 0.2;
     },
     "4 x a on n[1-2], rate 0.01", "as good: 10.2 % shorter, with fewer rows a step"},
    {"for efficiency what is shorter at another rate costs more GPU-seconds",
     [](RandomCase& given) {
         sample(given.request);
         given.request.min_gpus = 1;
         given.request.objective = domain::Objective::efficiency;
         given.request.slowdown = 1;
         given.request.tolerance = 0.2;
     },
     "3 x a on n[1-2], all gradients", "19.3 % shorter, for 1.21 times the GPU-seconds"},
    {"all gradients take longer", [](RandomCase& given) { sample(given.request); },
     "4 x a on n[1-2], all gradients", "1.23 times as long"},
    {"equal members need no async", [](RandomCase& given) { given.request.accepts_async = true; },
     "4 x a on n[1-2]", "members too equal for async: rates vary by 0.00, more than 0.20 asked"},
};

TEST(Rejected, SaysWhy) {
    for (const Case& test : reasons) {
        RandomCase given = tests::plain_case({{0, 0}, {0, 0}});
        test.change(given);
        const domain::Plan plan = plan_of(given);
        ASSERT_TRUE(plan.fits()) << test.sentence;
        const auto found =
            std::find_if(plan.rejected.begin(), plan.rejected.end(), [&](const Alternative& one) {
                return one.where == test.where && one.reason == test.reason;
            });
        std::string all;
        for (const Alternative& one : plan.rejected) {
            all += one.where + ": " + one.reason + "\n";
        }
        EXPECT_TRUE(found != plan.rejected.end()) << test.sentence << "; there are\n" << all;
    }
}

const Case nothing_fits[] = {
    {"all are busy",
     [](RandomCase& given) {
         for (domain::Gpu& gpu : given.cluster.gpus) {
             gpu.is_free = false;
         }
     },
     "0 x a", "all 4 are busy"},
    {"fewer are free than the request wants",
     [](RandomCase& given) {
         given.cluster.gpus[0].is_free = false;
         given.request.min_gpus = 4;
     },
     "3 x a", "only 3 of 4 free, 4 wanted"},
    {"there are fewer than the request wants",
     [](RandomCase& given) { given.request.min_gpus = 5; }, "4 x a", "only 4 of 4 free, 5 wanted"},
    {"its speed is not known",
     [](RandomCase& given) { given.cluster.devices[0].peak.fill(FlopRate(0)); }, "4 x a",
     "its speed is not known"},
    {"it cannot compute in fp8",
     [](RandomCase& given) { given.request.workload.data_type = domain::DataType::fp8; }, "4 x a",
     "has no fp8"},
    {"its memory is too small for any share",
     [](RandomCase& given) {
         given.request.workload.layers[0].weight_bytes = 1ULL << 30U;
         given.cluster.devices[0].memory = Bytes(1073741824.0);
     },
     "4 x a", "does not fit: 4.0 GiB > 1.0 GiB"},
    {"busy GPUs hold no share of the batch",
     [](RandomCase& given) {
         given.request.workload.layers[0].activation_bytes = 80'000'000;
         given.cluster.devices[0].memory = Bytes(1073741824.0);
         given.cluster.gpus[0].is_free = given.cluster.gpus[1].is_free = false;
     },
     "2 x a", "does not fit: 1.4 GiB > 1.0 GiB"},
    {"no size keeps to the rules",
     [](RandomCase& given) {
         given.request.sizes = {domain::SizeRule::Kind::listed, {7}};
     },
     "4 x a", "4 of 4 free, no set of them keeps to the request"},
    {"independent is one GPU",
     [](RandomCase& given) {
         given.request.mode = Mode::independent;
         given.request.min_gpus = 2;
     },
     "1 x a", "independent is one GPU, --gpus starts at 2"},
    {"no more are counted than the request may have",
     [](RandomCase& given) {
         given.request.max_gpus = 3;
         given.request.sizes = {domain::SizeRule::Kind::listed, {7}};
     },
     "3 x a", "4 of 4 free, no set of them keeps to the request"},
    {"the batch has fewer samples than the request wants GPUs",
     [](RandomCase& given) {
         given.request.batch = 3;
         given.request.min_gpus = 4;
     },
     "4 x a", "only 3 samples in the batch, 4 GPUs wanted"},
    {"there is no GPU of any type", [](RandomCase& given) { given.cluster.gpus.clear(); }, "0 GPUs",
     "the cluster has no GPU of a known type"},
    {"nor is there any type",
     [](RandomCase& given) {
         given.cluster.gpus.clear();
         given.cluster.devices.clear();
     },
     "0 GPUs", "the cluster has no GPU of a known type"},
};

TEST(Rejected, SaysOfEachTypeWhyNothingFits) {
    for (const Case& test : nothing_fits) {
        RandomCase given = tests::plain_case({{0, 0}, {0, 0}});
        test.change(given);
        const domain::Plan plan = plan_of(given);
        EXPECT_FALSE(plan.fits()) << test.sentence;
        ASSERT_EQ(plan.rejected.size(), 1U) << test.sentence;
        EXPECT_EQ(plan.rejected[0].where, test.where) << test.sentence;
        EXPECT_EQ(plan.rejected[0].reason, test.reason) << test.sentence;
        EXPECT_FALSE(plan.rejected[0].seconds) << test.sentence;
    }
}

TEST(Rejected, SaysInWhichModeATypeDoesNotFit) {
    struct ModeCase {
        const char* sentence;
        std::optional<Mode> asked;
        std::uint32_t least;
        std::uint32_t free;
        Mode mode;
        const char* where;
    };
    const ModeCase cases[] = {
        {"several GPUs train in step", {}, 1, 4, Mode::sync, "4 x a"},
        {"one GPU trains by itself", {}, 1, 1, Mode::independent, "1 x a"},
        {"one GPU is too few for several", {}, 2, 1, Mode::sync, "1 x a"},
        {"several are of the mode asked", Mode::async, 1, 4, Mode::async, "4 x a"},
        {"one of them is asked", Mode::independent, 1, 4, Mode::independent, "1 x a"},
    };
    for (const ModeCase& test : cases) {
        RandomCase given = tests::plain_case({{0, 0}, {0, 0}});
        given.request.mode = test.asked;
        given.request.min_gpus = test.least;
        given.request.workload.layers[0].weight_bytes = 1ULL << 30U;
        given.cluster.devices[0].memory = Bytes(1073741824.0);
        for (std::size_t gpu = test.free; gpu < given.cluster.gpus.size(); ++gpu) {
            given.cluster.gpus[gpu].is_free = false;
        }
        const domain::Plan plan = plan_of(given);
        ASSERT_EQ(plan.rejected.size(), 1U) << test.sentence;
        EXPECT_EQ(plan.rejected[0].mode, test.mode) << test.sentence;
        EXPECT_EQ(plan.rejected[0].where, test.where) << test.sentence;
    }
}

TEST(Rejected, NamesAtMostADozenTypes) {
    RandomCase given = tests::plain_case({{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}});
    given.request.min_gpus = 15;
    EXPECT_EQ(plan_of(given).rejected.size(), 12U);
}

// The members over a slower link aside, each mode and size stands once.
RC_GTEST_PROP(Rejected, AreFewAndCheapestFirst, (std::uint64_t seed)) {
    RandomCase given = tests::random_case(seed, 40);
    const domain::Plan plan = plan_of(given);
    RC_ASSERT(plan.rejected.size() <= 12U);
    std::set<std::pair<Mode, std::uint32_t>> seen;
    std::optional<Seconds> last;
    std::size_t like_the_plan = 0;
    std::size_t at_other_rates = 0;
    for (const Alternative& one : plan.rejected) {
        RC_ASSERT(!one.reason.empty() && !one.where.empty());
        RC_ASSERT(one.seconds.has_value() == plan.fits());
        RC_ASSERT((!last || *last <= *one.seconds));
        last = one.seconds;
        if (!plan.fits()) {
            continue;
        }
        if (one.where.find(", ") != std::string::npos) {  // at another rate
            ++at_other_rates;
        } else if (one.mode == plan.mode && one.gpus == plan.members.size()) {
            ++like_the_plan;
        } else {
            RC_ASSERT(seen.emplace(one.mode, one.gpus).second);
        }
    }
    RC_ASSERT(like_the_plan <= 1U);
    RC_ASSERT(at_other_rates <= 2U);
}

}  // namespace
}  // namespace hora::plan
