// Traces and clusters that rapidcheck draws.
#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "libplanner/domain/job_trace.hpp"
#include "libplanner/sim/simulate.hpp"
#include "tests/unit/sim/some_trace.hpp"

namespace hora::sim {

inline domain::JobTrace some_trace(bool is_rigid, std::uint32_t gpus) {
    domain::JobTrace trace;
    const auto count = *rc::gen::inRange(1, 9);
    int submitted = 0;
    for (int i = 0; i < count; ++i) {
        submitted += *rc::gen::inRange(0, 40);
        const auto requested = *rc::gen::inRange<std::uint32_t>(1, gpus + 1);
        const auto time = *rc::gen::inRange(1, 90);
        if (is_rigid || *rc::gen::arbitrary<bool>()) {
            add_job(trace, rigid_job(submitted, requested), std::vector<double>(requested, time));
            continue;
        }
        domain::TraceJob job = elastic_job(submitted, requested, gpus);
        job.min = *rc::gen::inRange<std::uint32_t>(1, requested + 1);
        job.epochs = *rc::gen::inRange(1, 5);
        std::vector<double> epochs;
        for (std::uint32_t g = 1; g <= gpus; ++g) {
            // No sum of these lies so near a round that rounding decides which it belongs to.
            epochs.push_back(time * (0.1 + 0.9 / g) + 0.00314159 * g);
        }
        add_job(trace, job, epochs);
    }
    return trace;
}

// Some of its elastic jobs train with half their batch too, or with the fourfold one.
inline void let_batches_change(domain::JobTrace& trace) {
    for (domain::TraceJob& job : trace.jobs) {
        if (!job.is_elastic || !*rc::gen::arbitrary<bool>()) {
            continue;
        }
        const domain::TrueSpeed own = trace.speeds[job.speed];
        std::vector<domain::BatchSpeed> range;
        for (const std::uint64_t batch : {32U, 64U, 256U}) {
            domain::TrueSpeed speed = own;
            speed.steps = std::ceil(10'000.0 / static_cast<double>(batch));
            const double times = *rc::gen::inRange(3, 20) / 10.0;
            for (Seconds& epoch : speed.epoch_seconds) {
                epoch = epoch * times;
            }
            range.push_back({batch, static_cast<std::uint32_t>(trace.speeds.size())});
            trace.speeds.push_back(std::move(speed));
        }
        job.range = static_cast<std::uint32_t>(trace.ranges.size());
        trace.ranges.push_back(std::move(range));
    }
}

inline Setup some_setup() {
    Setup setup;
    setup.nodes = *rc::gen::inRange<std::uint32_t>(1, 4);
    setup.gpus_per_node = *rc::gen::inRange<std::uint32_t>(1, 5);
    setup.rescale = Seconds(*rc::gen::inRange(0, 20));
    setup.charges_start = *rc::gen::arbitrary<bool>();
    setup.knowledge = *rc::gen::element(KnowledgeKind::oracle, KnowledgeKind::learned);
    return setup;
}

}  // namespace hora::sim
