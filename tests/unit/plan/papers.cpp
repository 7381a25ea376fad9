// Do the printed cases of the method papers (P1, P4) come out?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/roofline.hpp"
#include "libplanner/cost/server.hpp"
#include "libplanner/model/networks/builtin.hpp"
#include "libplanner/model/workload.hpp"
#include "libplanner/plan/choose.hpp"

namespace hora {
namespace {

using domain::PartKind;

domain::Device device(const char* name, double peak, double memory) {
    domain::Device made;
    made.name = name;
    made.peak[0] = FlopRate(peak);
    made.memory_bandwidth = Bandwidth(memory);
    return made;
}

// P1's cluster: a GTX 1080 and two GTX 970; its formulae let each pair pay the network.
domain::Cluster p1_cluster(double network) {
    domain::Cluster cluster;
    cluster.devices = {device("gtx1080", 6.1e12, 352e9), device("gtx970", 5.2e12, 232e9)};
    cluster.parts = {
        {PartKind::fabric, domain::no_part, {Bandwidth(network), Seconds(0)}, "fabric"},
        {PartKind::node, 0, {Bandwidth(std::max(network, 12e9)), Seconds(0)}, "a"},
        {PartKind::node, 0, {Bandwidth(std::max(network, 12e9)), Seconds(0)}, "b"},
        {PartKind::node, 0, {Bandwidth(std::max(network, 12e9)), Seconds(0)}, "c"}};
    cluster.nodes = {{"a", Seconds(0), 0}, {"b", Seconds(0), 0}, {"c", Seconds(0), 0}};
    cluster.gpus = {{0, 0, 0, 1, true}, {1, 0, 1, 2, true}, {2, 0, 1, 3, true}};
    return cluster;
}

domain::Workload alexnet() {
    return model::to_workload(*model::builtin_network("alexnet-mnist"), domain::DataType::fp32);
}

domain::Plan p1_plan(double network) {
    domain::Request request;
    request.workload = alexnet();
    request.batch = 512;
    request.samples = 60000;
    request.epochs = 1;
    return plan::choose(request, p1_cluster(network));
}

TEST(papers, p1_attainable_rates_with_its_rounded_intensity) {
    constexpr double intensity = 1.16;  // one multiply-add counted as one operation there
    EXPECT_NEAR(
        cost::roofline(FlopRate(6.1e12), Bandwidth(352e9), intensity).attainable.count() / 1e9,
        408.32, 0.01);
    EXPECT_NEAR(
        cost::roofline(FlopRate(5.2e12), Bandwidth(232e9), intensity).attainable.count() / 1e9,
        269.12, 0.01);
}

TEST(papers, p1_chooses_the_1080_alone_at_100_megabit) {
    const domain::Plan plan = p1_plan(100e6 / 8);
    EXPECT_EQ(plan.mode, domain::Mode::independent);
    ASSERT_EQ(plan.members.size(), 1U);
    EXPECT_EQ(plan.members[0].gpu, 0U);
}

TEST(papers, p1_chooses_several_at_100_gigabit_and_flips_once_between) {
    ASSERT_GT(p1_plan(100e9 / 8).members.size(), 1U);
    double slow = 100e6 / 8;
    double fast = 100e9 / 8;
    for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(slow * fast);
        const bool has_several = p1_plan(middle).members.size() > 1;
        (has_several ? fast : slow) = middle;
    }
    RecordProperty("flips_at_bytes_a_second", std::to_string(fast));
    EXPECT_EQ(p1_plan(fast * 1.01).members.size() > 1, true);
    EXPECT_EQ(p1_plan(slow / 1.01).members.size(), 1U);
}

// P1's seven measured set-ups in units of the 1080's time for a batch. Three parameters, all from
// outside the five rows they predict: the 970 alone takes 2.20 (its measured row); the two 970
// share a node, so no network lies between them; an exchange of one worker with the server on the
// strongest member takes y = 0.6, that is: the batch is that large. Any y from 0.5 to 0.73 gives
// this order. The model gives asynchronous sets with the 1080 exactly 1.00 (printed: 1.02).
TEST(papers, p1_order_of_the_seven_set_ups) {
    constexpr double slow = 2.20;
    constexpr std::uint64_t batch = 6000;
    const domain::Link network{Bandwidth(2 / 0.6), Seconds(0)};  // of one gradient byte
    const domain::Link inside{Bandwidth(1e12), Seconds(0)};
    const auto sync = [&](double slowest, double members, const domain::Link& link) {
        const auto workers =
            static_cast<std::uint64_t>(members) - 1;  // the server's own sends none
        return slowest / members + cost::server_exchange(Bytes(1), workers, link).count();
    };
    const auto async = [&](std::vector<cost::Workers> workers, std::uint64_t members,
                           const domain::Link& link) {
        for (cost::Workers& some : workers) {
            some.compute = some.compute / static_cast<double>(members);
        }
        const double rate = cost::asynchronous_rate(workers, batch / members, Bytes(1), link);
        return static_cast<double>(batch) / rate;
    };
    const double one = 1;
    const double two_async = async({{Seconds(1), 1}, {Seconds(slow), 1}}, 2, network);
    const double three_async = async({{Seconds(1), 1}, {Seconds(slow), 2}}, 3, network);
    const double pair_async = async({{Seconds(slow), 2}}, 2, inside);
    const double pair_sync = sync(slow, 2, inside);
    const double mixed_sync = std::max(sync(slow, 2, network), sync(slow, 3, network));
    EXPECT_LE(one, two_async + 1e-12);
    EXPECT_NEAR(two_async, 1.02, 0.03);
    EXPECT_NEAR(three_async, two_async, 0.03);
    EXPECT_LT(std::max(two_async, three_async), pair_async);
    EXPECT_NEAR(pair_async, 1.09, 0.02);
    EXPECT_NEAR(pair_sync, pair_async, 0.01);
    EXPECT_LT(pair_sync, std::min(sync(slow, 2, network), sync(slow, 3, network)));
    EXPECT_LT(mixed_sync, slow);
}

// P4: seconds an epoch of n GPUs = (bn / n) (compute + exchange), weak scaling.
double p4_epoch(double compute, double exchange, double members) {
    return (compute + exchange) / members;
}

// Vocabulary 49,036, layers of 1,024: input and output layers, one or two hidden ones, floats.
constexpr Bytes p4_recurrent((2.0 * 49036 * 1024 + 2.0 * 1024 * 1024) * 4);
constexpr Bytes p4_feed_forward((2.0 * 49036 * 1024 + 5.0 * 1024 * 1024) * 4);

domain::Link p4_link(std::uint64_t members) {
    return {Bandwidth(members == 1 ? 5.96e9 : 4.46e9), Seconds(0)};  // {0, 2}: across the switches
}

TEST(papers, p4_ring_beats_server_from_two_gpus_on_and_by_more_with_each) {
    double lead = 0;
    for (std::uint64_t n = 2; n <= 4; ++n) {
        const Seconds server = cost::server_exchange(p4_recurrent, n, p4_link(n));
        const Seconds ring = cost::ring_exchange(p4_recurrent, n, p4_link(n));
        EXPECT_GT((server - ring).count(), lead);
        lead = (server - ring).count();
    }
}

// The recurrent model: 70 % of a step of two GPUs is transfer over the server, so compute is 3/7 of
// it. The feed-forward model computes far less for as many parameters: printed 216.07 s an epoch on
// one GPU against 1245.4 on two leaves 2 * 1245.4 - 216.07 for the ring.
TEST(papers, p4_feed_forward_is_best_on_one_gpu_and_recurrent_on_several) {
    const double exchange = cost::ring_exchange(p4_recurrent, 2, p4_link(2)).count();
    const double recurrent = cost::server_exchange(p4_recurrent, 2, p4_link(2)).count() * 3 / 7;
    const double feed_forward = exchange * 216.07 / (2 * 1245.4 - 216.07);
    double recurrent_best = recurrent;
    for (std::uint64_t n = 2; n <= 4; ++n) {
        const auto members = static_cast<double>(n);
        const double ring = cost::ring_exchange(p4_recurrent, n, p4_link(n)).count();
        const double wide = cost::ring_exchange(p4_feed_forward, n, p4_link(n)).count();
        recurrent_best = std::min(recurrent_best, p4_epoch(recurrent, ring, members));
        EXPECT_GT(p4_epoch(feed_forward, wide, members), feed_forward);
    }
    EXPECT_LT(recurrent_best, recurrent);
}

}  // namespace
}  // namespace hora
