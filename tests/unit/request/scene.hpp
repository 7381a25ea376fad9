// A job on the small cluster, changed in one respect, and what Slurm would be asked for.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/request/planned.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::request {

// As releases from 23.11 on read them.
inline std::string spell_with_slash(std::string_view type, std::uint64_t count) {
    return "gres/gpu:" + std::string(type) + (type.empty() ? "" : ":") + std::to_string(count);
}

// As 22.05 reads them.
inline std::string spell_gpus(std::string_view type, std::uint64_t count) {
    return "gres:gpu:" + std::string(type) + (type.empty() ? "" : ":") + std::to_string(count);
}

inline const Moment debian12{.now = 1010, .spell = spell_gpus};

// What Slurm would be asked for: "2 nodes, gres:gpu:4, 8 tasks, titanx", or the remark.
inline std::string asked(const Planned& planned) {
    if (!planned.decision.has_plan) {
        return planned.decision.remark;
    }
    const Rewrite& rewrite = planned.rewrite;
    const auto number = [](const auto& value) {
        return value ? std::to_string(*value) : std::string("-");
    };
    return "N" + number(rewrite.min_nodes) + " n" + number(rewrite.num_tasks) + " t" +
           number(rewrite.ntasks_per_node) + " c" + number(rewrite.cpus_per_task) + " " +
           rewrite.tres_per_node.value_or("-") + " " + rewrite.features.value_or("-") +
           (planned.decision.waits ? " waits" : "");
}

struct Scene {
    Submission job = batch_job();
    domain::Request request = big_job();
    domain::Snapshot snapshot = small_cluster();

    // One limit, binding the jobs of that QOS, account or user.
    void limit(std::string domain::Allowance::*whose, const char* name,
               domain::Caps domain::Allowance::*kind, domain::Caps caps) {
        domain::Allowance allowance;
        allowance.*whose = name;
        allowance.*kind = caps;
        snapshot.allowances.push_back(allowance);
    }
};

struct Case {
    const char* sentence;
    std::function<void(Scene&)> change;
    const char* asked;
};

// All GPUs of these nodes.
inline void occupy(domain::Snapshot& snapshot, std::uint32_t first, std::uint32_t last) {
    for (domain::Gpu& gpu : snapshot.cluster.gpus) {
        gpu.is_free = gpu.is_free && (gpu.node < first || gpu.node > last);
    }
}

inline void expect_asked(std::span<const Case> cases) {
    for (const Case& test : cases) {
        Scene scene;
        test.change(scene);
        EXPECT_EQ(asked(plan_request(scene.job, scene.request, scene.snapshot, debian12)),
                  test.asked)
            << test.sentence;
    }
}

}  // namespace hora::request
