// Does a search end where its caller says so, and find the same without a limit?
#include "libplanner/plan/price/search_limit.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>

#include "libplanner/plan/choose.hpp"
#include "tests/unit/plan/random_case.hpp"

namespace hora {
namespace {

// How often a search looked, and whether it was over at one of these looks.
class Looks {
  public:
    explicit Looks(std::uint64_t last) : last_(last) {}

    plan::SearchLimit limit() {
        return plan::SearchLimit([this] { return ++count_ >= last_; });
    }
    std::uint64_t count() const { return count_; }

  private:
    std::uint64_t last_;
    std::uint64_t count_ = 0;
};

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

// Many nodes of two types, and a request that allows each mode and any number of them.
tests::RandomCase large_case(std::uint32_t nodes) {
    tests::RandomCase made = tests::random_case(7, 4);
    domain::Cluster& cluster = made.cluster;
    domain::Device device;
    device.name = "a";
    device.peak.fill(FlopRate(10e12));
    device.memory_bandwidth = Bandwidth(400e9);
    device.memory = Bytes(80e9);
    device.pcie = Bandwidth(12e9);
    cluster.devices = {device, device};
    cluster.devices[1].name = "b";
    cluster.devices[1].peak.fill(FlopRate(7e12));
    cluster.parts = {{.kind = domain::PartKind::fabric,
                      .parent = domain::no_part,
                      .link = {Bandwidth(12e9), Seconds(5e-6)},
                      .name = "fabric"}};
    cluster.nodes.clear();
    cluster.gpus.clear();
    for (std::uint32_t node = 0; node < nodes; ++node) {
        const std::string name = "n" + std::to_string(node);
        const auto part = static_cast<std::uint32_t>(cluster.parts.size());
        cluster.parts.push_back({.kind = domain::PartKind::node,
                                 .parent = 0,
                                 .link = {Bandwidth(100e9), Seconds(1e-6)},
                                 .name = name});
        cluster.nodes.push_back(
            {.name = name, .overhead = Seconds(0.001 * (node % 97)), .cpus = 64});
        for (std::uint32_t index = 0; index < 8; ++index) {
            cluster.gpus.push_back(
                {.node = node, .index = index, .device = node % 2, .part = part, .is_free = true});
        }
    }
    domain::Request request;
    request.workload.layers = {
        {.mac = 1'000'000'000'000, .weight_bytes = 1000, .activation_bytes = 1000}};
    request.batch = 1'000'000;
    request.max_gpus = 1'000'000;
    request.accepts_balanced = true;
    request.accepts_async = true;
    made.request = request;
    return made;
}

std::string text_of(const domain::Plan& plan) {
    std::string text =
        fmt::format("{} {} {}", static_cast<int>(plan.mode), plan.step_seconds.count(),
                    plan.seconds.value_or(Seconds(0)).count());
    for (const domain::Member& member : plan.members) {
        text += fmt::format(" {}:{}", member.gpu, member.share);
    }
    for (const domain::Alternative& other : plan.rejected) {
        text += fmt::format(", {}: {}", other.where, other.reason);
    }
    return text;
}

RC_GTEST_PROP(SearchLimit, WithoutAnEndThePlanIsTheSame, (std::uint64_t seed)) {
    const tests::RandomCase given = tests::random_case(seed, 8);
    Looks looks(never);
    plan::SearchLimit limit = looks.limit();
    const auto plan = plan::choose_within(limit, given.request, given.cluster);
    RC_ASSERT(plan.has_value());
    RC_ASSERT(text_of(*plan) == text_of(plan::choose(given.request, given.cluster)));
}

TEST(SearchLimit, ASearchThatIsOverGivesNothingWhereverItWas) {
    const tests::RandomCase given = large_case(12);
    Looks whole(never);
    plan::SearchLimit limit = whole.limit();
    ASSERT_TRUE(plan::choose_within(limit, given.request, given.cluster));
    ASSERT_GT(whole.count(), 10U);
    const std::uint64_t step = whole.count() / 40 + 1;
    for (std::uint64_t last = 1; last <= whole.count(); last += step) {
        Looks looks(last);
        plan::SearchLimit over = looks.limit();
        EXPECT_FALSE(plan::choose_within(over, given.request, given.cluster)) << last;
        EXPECT_EQ(looks.count(), last) << "it goes on";
    }
}

TEST(SearchLimit, HoldsForSeveralSearches) {
    const tests::RandomCase given = large_case(12);
    Looks one(never);
    plan::SearchLimit first = one.limit();
    ASSERT_TRUE(plan::choose_within(first, given.request, given.cluster));
    Looks looks(one.count() + 2);
    plan::SearchLimit limit = looks.limit();
    EXPECT_TRUE(plan::choose_within(limit, given.request, given.cluster));
    EXPECT_FALSE(plan::choose_within(limit, given.request, given.cluster));
}

}  // namespace
}  // namespace hora
