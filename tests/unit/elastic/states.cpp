#include "tests/unit/elastic/states.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <cmath>

namespace hora::elastic {
namespace {

using domain::ElasticJob;

std::vector<double> curve(std::uint32_t max) {
    std::vector<double> seconds;
    const int kind = *rc::gen::inRange(0, 3);
    const double parallel = *rc::gen::inRange(1, 100);
    const double exchange = *rc::gen::inRange(0, 30);
    for (std::uint32_t g = 1; g <= max; ++g) {
        if (kind == 0) {
            seconds.push_back(parallel / g + exchange * (g - 1) / g + 1);
        } else if (kind == 1) {
            seconds.push_back(parallel / g + exchange * (g - 1) / 10 + 1);
        } else {
            seconds.push_back(*rc::gen::inRange(1, 50));
        }
    }
    return seconds;
}

std::vector<std::uint32_t> allowed(const ElasticJob& job) {
    std::vector<std::uint32_t> sizes;
    const int kind = *rc::gen::inRange(0, 4);
    for (std::uint32_t g = job.min; g <= job.max; ++g) {
        const bool is_allowed = kind == 1   ? (g & (g - 1)) == 0
                                : kind == 2 ? g % 4 == 0
                                : kind == 3 ? *rc::gen::arbitrary<bool>()
                                            : false;
        if (is_allowed) {
            sizes.push_back(g);
        }
    }
    return sizes;
}

}  // namespace

ElasticJob& MadeState::add(std::uint32_t gpus, double epochs_left, std::vector<double> seconds) {
    std::vector<Seconds>& kept = curves_.emplace_back();
    for (const double each : seconds) {
        kept.emplace_back(each);
    }
    ElasticJob& job = state.jobs.emplace_back();
    job.id = state.jobs.size() - 1;
    job.gpus = gpus;
    job.epochs_left = epochs_left;
    job.max = static_cast<std::uint32_t>(seconds.size());
    job.epoch_seconds = kept;
    return job;
}

void MadeState::allow(ElasticJob& job, std::vector<std::uint32_t> sizes) {
    job.sizes = sizes_.emplace_back(std::move(sizes));
}

void make_up(MadeState& made) {
    domain::ElasticState& state = made.state;
    state.gpus = *rc::gen::inRange<std::uint32_t>(1, 25);
    state.waiting = *rc::gen::weightedOneOf<std::uint32_t>(
        {{2, rc::gen::just(0u)}, {1, rc::gen::inRange(1u, 6u)}});
    std::uint32_t idle = state.gpus;
    const int count = *rc::gen::inRange(0, 9);
    for (int i = 0; i < count; ++i) {
        const auto max = *rc::gen::inRange<std::uint32_t>(1, 17);
        ElasticJob& job = made.add(0, *rc::gen::inRange(1, 200) / 2.0, curve(max));
        job.is_elastic = *rc::gen::inRange(0, 4) > 0;
        job.min = *rc::gen::inRange<std::uint32_t>(1, max + 1);
        job.requested = *rc::gen::inRange<std::uint32_t>(1, max + 1);
        job.submitted = Seconds(i);
        made.allow(job, allowed(job));
        std::vector<std::uint32_t> held{0};
        for (std::uint32_t g = job.min; g <= std::min(job.max, idle); ++g) {
            if (job.sizes.empty() || std::binary_search(job.sizes.begin(), job.sizes.end(), g)) {
                held.push_back(g);
            }
        }
        if (!job.is_elastic) {
            held = {0, job.requested <= idle ? job.requested : 0};
        }
        job.gpus = *rc::gen::elementOf(held);
        idle -= job.gpus;
        if (job.gpus > 0) {
            job.started = Seconds(i);
        }
    }
    state.now = Seconds(1000);
    state.rescale = Seconds(10);
}

}  // namespace hora::elastic
