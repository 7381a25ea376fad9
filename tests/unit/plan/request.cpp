// Which of the user's words and the site's settings does a request keep?
#include "libplanner/plan/request.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace hora::plan {
namespace {

read::Settings settings(std::vector<std::pair<std::string_view, std::string_view>> values) {
    read::Settings made;
    for (const auto& [name, value] : values) {
        EXPECT_TRUE(made.set(name, value, read::Origin::file, "test")) << name;
    }
    return made;
}

TEST(RequestOf, TakesTheSitesMaximumWhereTheUserSaysNothing) {
    const auto site = settings({{"plan.max_gpus", "16"}, {"plan.min_efficiency", "0.7"}});
    const domain::Request request = request_of({}, {}, site);
    EXPECT_EQ(request.min_gpus, 1U);
    EXPECT_EQ(request.max_gpus, 16U);
    EXPECT_TRUE(request.is_max_by_site);
    EXPECT_EQ(request.min_efficiency, 0.7);
}

TEST(RequestOf, TakesTheUsersRangeAsSaid) {
    const auto site = settings({{"plan.max_gpus", "4"}, {"plan.min_efficiency", "0.7"}});
    domain::JobOptions options;
    options.gpus = domain::GpuRange{2, 64};
    const domain::Request request = request_of(options, {}, site);
    EXPECT_EQ(request.min_gpus, 2U);
    EXPECT_EQ(request.max_gpus, 64U);
    EXPECT_FALSE(request.is_max_by_site);
    EXPECT_EQ(request.min_efficiency, 0);
}

TEST(RequestOf, KeepsWhatTheUserSaid) {
    domain::JobOptions options;
    options.model = "resnet50";
    options.batch = 256;
    options.samples = 1000;
    options.epochs = 3;
    options.mode = domain::Mode::balanced;
    options.accepts_async = true;
    options.accepts_sampling = true;
    options.accepts_hierarchy = true;
    options.objective = domain::Objective::efficiency;
    options.sizes = {domain::SizeRule::Kind::powers, {}};
    domain::Workload workload;
    workload.layers = {{1, 2, 3}};
    const auto site = settings({{"plan.objective", "time"},
                                {"plan.tolerance", "0.05"},
                                {"plan.slowdown", "0.25"},
                                {"plan.async_threshold", "0.3"},
                                {"plan.min_sample_rate", "0.1"},
                                {"cost.exchange", "tree"}});
    const domain::Request request = request_of(options, workload, site);
    EXPECT_EQ(request.model, "resnet50");
    EXPECT_EQ(request.batch, 256U);
    EXPECT_EQ(request.steps(), 12U);
    EXPECT_EQ(request.mode, domain::Mode::balanced);
    EXPECT_TRUE(request.accepts_async);
    EXPECT_FALSE(request.accepts_balanced);
    EXPECT_TRUE(request.accepts_hierarchy);
    EXPECT_EQ(request.objective, domain::Objective::efficiency);
    EXPECT_EQ(request.sizes, options.sizes);
    EXPECT_EQ(request.workload, workload);
    EXPECT_EQ(request.tolerance, 0.05);
    EXPECT_EQ(request.slowdown, 0.25);
    EXPECT_EQ(request.async_threshold, 0.3);
    EXPECT_EQ(request.min_sample_rate, 0.1);
    EXPECT_EQ(request.max_sample_rate, 1);
    EXPECT_EQ(request.cost.exchange, domain::Exchange::tree);
}

TEST(RequestOf, CountsOnARingWhereTheAllReduceIsHoras) {
    using domain::Allreduce;
    using domain::Exchange;
    const struct {
        std::optional<Allreduce> allreduce;
        const char* of_site;
        Exchange counted;
    } table[] = {
        {std::nullopt, "auto", Exchange::automatic},
        {std::nullopt, "tree", Exchange::tree},
        {Allreduce::mpi, "auto", Exchange::automatic},
        {Allreduce::mpi, "server", Exchange::server},
        {Allreduce::ring, "auto", Exchange::ring},
        {Allreduce::ring, "tree", Exchange::ring},
        {Allreduce::bypass, "auto", Exchange::ring},
        {Allreduce::bypass_to_owner, "auto", Exchange::ring},
        {Allreduce::bypass_to_successor, "server", Exchange::ring},
    };
    for (const auto& each : table) {
        domain::JobOptions options;
        options.allreduce = each.allreduce;
        const auto site = settings({{"cost.exchange", each.of_site}});
        EXPECT_EQ(request_of(options, {}, site).cost.exchange, each.counted)
            << (each.allreduce ? name_of(*each.allreduce) : "not said") << ", " << each.of_site;
    }
}

TEST(RequestOf, TakesTheSitesObjectiveWhereTheUserHasNone) {
    const auto site = settings({{"plan.objective", "efficiency"}});
    const domain::Request request = request_of({}, {}, site);
    EXPECT_EQ(request.objective, domain::Objective::efficiency);
    EXPECT_EQ(request.batch, 0U);
    EXPECT_FALSE(request.mode);
    EXPECT_EQ(request.min_sample_rate, 1) << "the program must accept it";
    EXPECT_EQ(request.model, "");
}

}  // namespace
}  // namespace hora::plan
