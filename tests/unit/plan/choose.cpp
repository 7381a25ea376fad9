// Is the chooser's answer the optimum over every set of GPUs?
#include "libplanner/plan/choose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/sampled_gradient.hpp"
#include "libplanner/cost/server.hpp"
#include "libplanner/cost/step.hpp"
#include "libplanner/domain/mode_names.hpp"
#include "libplanner/plan/place.hpp"
#include "libplanner/plan/price/set_link.hpp"
#include "tests/unit/plan/brute_force.hpp"
#include "tests/unit/plan/gpu_sets.hpp"
#include "tests/unit/plan/priced.hpp"
#include "tests/unit/plan/random_case.hpp"

namespace hora {
namespace {

std::vector<std::uint32_t> gpus_of(const domain::Plan& plan) {
    std::vector<std::uint32_t> gpus;
    for (const domain::Member& member : plan.members) {
        gpus.push_back(member.gpu);
    }
    return gpus;
}

std::uint64_t samples_of(const domain::Plan& plan) {
    return std::accumulate(
        plan.members.begin(), plan.members.end(), std::uint64_t{0},
        [](std::uint64_t sum, const domain::Member& member) { return sum + member.share; });
}

domain::Link link_of(const domain::Plan& plan, const domain::Cluster& cluster) {
    return plan.members.size() < 2 ? domain::Link{} : tests::link_of(cluster, gpus_of(plan));
}

double price(const domain::Request& request, Seconds step, Seconds overhead) {
    return request.steps() ? step.count() * static_cast<double>(*request.steps()) + overhead.count()
                           : step.count();
}

cost::SentGradient sent(const tests::RandomCase& given, const domain::Plan& plan) {
    return cost::sent_gradient(given.request.workload, given.request.batch,
                               plan.exchange.sample_rate);
}

cost::Step step_of(const tests::RandomCase& given, const domain::Plan& plan, std::uint32_t device,
                   std::uint64_t share) {
    return {std::make_shared<const cost::StepTable>(given.request.workload,
                                                    given.cluster.devices[device],
                                                    given.request.cost, sent(given, plan)),
            share};
}

double balanced_price(const tests::RandomCase& given, const domain::Plan& plan) {
    const auto time = [&](Bytes size) {
        return tests::exchange_time(given.request, given.cluster, size, gpus_of(plan));
    };
    const Bytes words = sent(given, plan).words;
    const Seconds exchange =
        (words > Bytes(0) ? time(words) : Seconds(0)) + time(sent(given, plan).total());
    double worst = 0;
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = given.cluster.gpus[member.gpu];
        const cost::Step step = step_of(given, plan, gpu.device, member.share);
        worst = std::max(worst, price(given.request, step.time(exchange),
                                      given.cluster.nodes[gpu.node].overhead));
    }
    return worst;
}

double async_price(const tests::RandomCase& given, const domain::Plan& plan) {
    const std::uint64_t members = plan.members.size();
    const std::uint64_t share = (given.request.batch + members - 1) / members;
    std::map<std::pair<Seconds, std::uint32_t>, std::uint64_t> speeds;
    Seconds overhead(-1e9);
    for (const domain::Member& member : plan.members) {
        const domain::Gpu& gpu = given.cluster.gpus[member.gpu];
        const cost::Step step = step_of(given, plan, gpu.device, share);
        ++speeds[{step.compute(), gpu.device}];
        overhead = std::max(overhead, given.cluster.nodes[gpu.node].overhead);
    }
    std::vector<cost::Workers> workers;
    for (const auto& [speed, count] : speeds) {
        workers.push_back({speed.first, count});
    }
    const double rate = cost::asynchronous_rate(workers, share, sent(given, plan).total(),
                                                link_of(plan, given.cluster));
    return price(given.request, Seconds(static_cast<double>(given.request.batch) / rate), overhead);
}

// The rates of asynchronous members are summed up in another order.
constexpr double async_rounding = 1e-12;

// A set of free GPUs that keeps to the request and takes the time that the plan says.
void check_members(const tests::RandomCase& given, const domain::Plan& plan) {
    std::map<std::uint32_t, std::size_t> nodes;
    for (std::size_t i = 0; i < plan.members.size(); ++i) {
        const domain::Member& member = plan.members[i];
        const domain::Gpu& gpu = given.cluster.gpus[member.gpu];
        if (i > 0) {  // RC_ASSERT evaluates both sides of ||
            RC_ASSERT(plan.members[i - 1].gpu < member.gpu);
        }
        RC_ASSERT(gpu.is_free);
        RC_ASSERT(member.share >= 1U);
        ++nodes[gpu.node];
    }
    for (const auto& [node, count] : nodes) {
        RC_ASSERT(given.request.layout == domain::Layout::any || count == nodes.begin()->second);
    }
    const double claimed = plan.seconds.value_or(plan.step_seconds).count();
    if (plan.mode == domain::Mode::balanced) {
        RC_ASSERT(balanced_price(given, plan) <= claimed);
    }
    if (plan.mode == domain::Mode::async) {
        RC_ASSERT(std::abs(async_price(given, plan) - claimed) <= async_rounding * claimed);
    }
}

// A balanced and an asynchronous set of one size may take the same time: then it may be either.
bool is_mode_of(const domain::Plan& plan, const tests::Best& best, const tests::RandomCase& given) {
    if (plan.mode == best.mode) {
        return true;
    }
    const auto is_either = [](domain::Mode mode) {
        return mode == domain::Mode::balanced || mode == domain::Mode::async;
    };
    domain::Request request = given.request;
    request.mode = plan.mode;
    const auto own = tests::try_all_sets(request, given.cluster);
    return is_either(plan.mode) && is_either(best.mode) && own && own->cost == best.cost &&
           own->gpus.size() == best.gpus.size();
}

void compare(const tests::RandomCase& given) {
    const domain::Plan plan = plan::choose(given.request, given.cluster);
    const auto best = tests::try_all_sets(given.request, given.cluster);
    RC_ASSERT(plan.fits() == best.has_value());
    if (!best) {
        RC_ASSERT(!plan.rejected.empty() || given.cluster.gpus.empty());
        return;
    }
    RC_ASSERT(is_mode_of(plan, *best, given));
    RC_ASSERT(plan.members.size() == best->gpus.size());
    RC_ASSERT(plan.exchange.sample_rate == (best->gpus.size() > 1 ? best->sample_rate : 1));
    const double time = plan.seconds.value_or(plan.step_seconds).count();
    const double rounding = plan.mode == domain::Mode::async ? async_rounding * time : 0;
    RC_ASSERT(std::abs(time - best->cost.first) <= rounding);
    if (!plan.seconds) {
        RC_ASSERT(plan.breakdown.overhead.count() == best->cost.second);
    }
    RC_ASSERT(samples_of(plan) == given.request.batch);
    check_members(given, plan);
    if (plan.mode == domain::Mode::independent || plan.mode == domain::Mode::sync) {
        RC_ASSERT(gpus_of(plan) == best->gpus);
    }
    RC_ASSERT(plan.rejected.size() <= 12U);
}

// 100 seeds of 100 clusters each; most are small, so that all sets of them are quickly tried.
RC_GTEST_PROP(choose, equals_the_best_of_all_sets, (std::uint64_t seed)) {
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t own = seed * 1000003 + i;
        const std::uint32_t most_gpus = i == 0 ? 12 : 7;
        try {
            compare(tests::random_case(own, most_gpus));
        } catch (...) {
            RC_LOG() << "random_case(" << own << "U, " << most_gpus << ")" << std::endl;
            throw;
        }
    }
}

// Of all rates of sampling together. P1's rule goes by the objective, so there is no async.
RC_GTEST_PROP(choose, takes_no_longer_than_the_objective_allows, (std::uint64_t seed)) {
    for (std::uint64_t i = 0; i < 10; ++i) {
        tests::RandomCase given = tests::random_case(seed * 1000003 + i, 7);
        domain::Request& request = given.request;
        domain::LayerCost& table = request.workload.layers.front();
        table.weight_bytes = std::max<std::uint64_t>(table.weight_bytes, 1'000'000);
        table.row_bytes = 1000;
        table.words = 10;
        request.min_sample_rate = 0.01;
        request.max_sample_rate = 1;
        request.accepts_async = false;
        request.mode.reset();
        const bool is_for_time = request.objective == domain::Objective::time;
        const double slack = is_for_time ? request.tolerance : request.slowdown;
        const domain::Plan plan = plan::choose(request, given.cluster);
        request.objective = domain::Objective::time;
        request.tolerance = 0;
        const domain::Plan fastest = plan::choose(request, given.cluster);
        RC_ASSERT(plan.fits() == fastest.fits());
        RC_ASSERT(plan.length().count() <= (1 + slack) * fastest.length().count());
    }
}

// Where the exchange decides, and is faster inside the nodes: there the layout of as many GPUs
// matters.
RC_GTEST_PROP(choose, equals_the_best_of_all_sets_that_exchange_by_nodes, (std::uint64_t seed)) {
    for (std::uint64_t i = 0; i < 30; ++i) {
        const std::uint64_t own = seed * 1000003 + i;
        tests::RandomCase given = tests::random_case(own, 9);
        given.request.accepts_hierarchy = true;
        given.request.layout = own % 3 == 0 ? domain::Layout::any : domain::Layout::uniform;
        given.request.gpus_per_node.reset();
        given.request.cost.exchange = domain::Exchange::automatic;
        given.request.cost.overlap = false;
        given.request.batch = std::max<std::uint64_t>(given.request.batch, 9);
        given.request.max_gpus = domain::unlimited_gpus;
        for (domain::Part& part : given.cluster.parts) {
            if (!plan::is_inside_node(part)) {
                part.link.bandwidth = part.link.bandwidth * 0.2;
            }
        }
        try {
            compare(given);
        } catch (...) {
            RC_LOG() << "random_case(" << own << "U, 9)" << std::endl;
            throw;
        }
    }
}

// Nothing is exchanged, so two and two GPUs are as fast as four on one node.
TEST(choose, TakesFewerNodesOfEqualSets) {
    for (const domain::Mode mode : {domain::Mode::sync, domain::Mode::balanced}) {
        for (const double tolerance : {0.0, 0.02}) {
            tests::RandomCase given = tests::plain_case({{0, 0}, {0, 0}, {0, 0, 0, 0}});
            given.request.workload.layers.front().weight_bytes = 0;
            given.request.min_gpus = 2;
            given.request.max_gpus = 4;
            given.request.layout = domain::Layout::uniform;
            given.request.mode = mode;
            given.request.tolerance = tolerance;
            const domain::Plan plan = plan::choose(given.request, given.cluster);
            EXPECT_EQ(gpus_of(plan), (std::vector<std::uint32_t>{4, 5, 6, 7}))
                << domain::name_of(mode) << " " << tolerance;
        }
    }
}

// GPUs over links of 1 GB/s and inside of ten times as much, with 4 s of gradients there.
TEST(choose, CountsOnATreeThatKnowsItsNodes) {
    struct Case {
        const char* sentence;
        std::vector<std::vector<std::uint32_t>> nodes;
        std::uint32_t gpus;
        domain::Exchange kind;
        double exchange;
    };
    const Case cases[] = {
        {"one node is a ring: 3/4 of twice 0.4 s", {{0, 0, 0, 0}}, 4, domain::Exchange::ring, 0.6},
        {"each of two nodes sends all once", {{0, 0}, {0, 0}}, 4, domain::Exchange::tree, 4},
        {"whatever is on which", {{0, 0, 0}, {0}}, 4, domain::Exchange::tree, 4},
        {"three nodes are a ring: 3/4 of twice 4 s",
         {{0, 0}, {0}, {0}},
         4,
         domain::Exchange::ring,
         6},
    };
    for (const Case& test : cases) {
        for (const domain::Layout layout : {domain::Layout::any, domain::Layout::uniform}) {
            tests::RandomCase given = tests::plain_case(test.nodes);
            given.request.workload.layers.front().weight_bytes = 4'000'000'000;
            given.request.min_gpus = given.request.max_gpus = test.gpus;
            given.request.layout = layout;
            const domain::Plan plan = plan::choose(given.request, given.cluster);
            const bool is_even = test.nodes.front().size() == test.nodes.back().size();
            EXPECT_EQ(plan.fits(), layout == domain::Layout::any || is_even) << test.sentence;
            if (plan.fits()) {
                EXPECT_EQ(plan.exchange.kind, test.kind) << test.sentence;
                EXPECT_NEAR(plan.breakdown.exchange.count(), test.exchange, 1e-9) << test.sentence;
            }
        }
    }
}

// Four nodes of two such GPUs: a ring of eight takes 7 s; a hierarchy 0.4 s inside and 6 s between.
TEST(choose, CountsOnAHierarchyWhereItIsAccepted) {
    struct Case {
        const char* sentence;
        std::function<void(tests::RandomCase&)> change;
        domain::Exchange kind;
        double exchange;
    };
    const Case cases[] = {
        {"it is the cheapest", [](tests::RandomCase&) {}, domain::Exchange::hierarchy, 6.4},
        {"also of unequal shares",
         [](tests::RandomCase& given) { given.request.mode = domain::Mode::balanced; },
         domain::Exchange::hierarchy, 6.4},
        {"not of a program that does not say so",
         [](tests::RandomCase& given) { given.request.accepts_hierarchy = false; },
         domain::Exchange::ring, 7},
        {"nor where another exchange is asked for",
         [](tests::RandomCase& given) { given.request.cost.exchange = domain::Exchange::ring; },
         domain::Exchange::ring, 7},
        {"nor over any set of GPUs",
         [](tests::RandomCase& given) { given.request.layout = domain::Layout::any; },
         domain::Exchange::ring, 7},
        {"one node that is slow inside is worse than the ring",
         [](tests::RandomCase& given) {
             given.cluster.parts.back().link.bandwidth = Bandwidth(2e9);
         },
         domain::Exchange::ring, 7},
        {"on two nodes a tree is as good between, and does less inside",
         [](tests::RandomCase& given) {
             given.request.min_gpus = given.request.max_gpus = 4;
             given.request.gpus_per_node = 2;
         },
         domain::Exchange::tree, 4},
    };
    for (const Case& test : cases) {
        tests::RandomCase given = tests::plain_case({{0, 0}, {0, 0}, {0, 0}, {0, 0}});
        given.request.workload.layers.front().weight_bytes = 4'000'000'000;
        given.request.min_gpus = given.request.max_gpus = 8;
        given.request.layout = domain::Layout::uniform;
        given.request.accepts_hierarchy = true;
        test.change(given);
        const domain::Plan plan = plan::choose(given.request, given.cluster);
        EXPECT_EQ(plan.exchange.kind, test.kind) << test.sentence;
        EXPECT_NEAR(plan.breakdown.exchange.count(), test.exchange, 1e-9) << test.sentence;
    }
}

}  // namespace
}  // namespace hora
