// Which sets of jobs does P5 draw for its comparison?
#include "libplanner/sim/workload/generator.hpp"

#include <fmt/format.h>

#include "libplanner/sim/workload/random.hpp"

namespace hora::sim {
namespace {

constexpr std::array<NamedMix, 8> mixes{{
    {"p5-1", {0.25, 0.25, 0.25, 0.25}},
    {"p5-2", {0, 0.6, 0.3, 0.1}},
    {"p5-3", {0, 0.33, 0.34, 0.33}},
    {"p5-4", {0, 0.1, 0.3, 0.6}},
    {"micro-1", {0.4, 0.3, 0.2, 0.1}},
    {"micro-2", {0.25, 0.25, 0.25, 0.25}},
    {"micro-3", {0.1, 0.2, 0.3, 0.4}},
    {"micro-4", {0.1, 0.4, 0.4, 0.1}},
}};

struct Class {
    std::string_view name;
    double shortest;  // minutes on one GPU
    double longest;
};
constexpr std::array<Class, 4> classes{{
    {"micro", 6, 10},
    {"small", 11, 60},
    {"medium", 61, 120},
    {"large", 121, 360},
}};

const Class& draw_class(const Mix& mix, Random& random) {
    double place = random.unit();
    for (std::size_t i = 0; i + 1 < classes.size(); ++i) {
        if (place < mix[i]) {
            return classes[i];
        }
        place -= mix[i];
    }
    return classes.back();
}

}  // namespace

std::span<const NamedMix> named_mixes() {
    return mixes;
}

domain::JobTrace draw_jobs(const Generator& generator, std::uint64_t seed) {
    Random random(seed);
    domain::JobTrace trace;
    Seconds now;
    for (std::uint32_t i = 0; i < generator.jobs; ++i) {
        now += Seconds(random.exponential(generator.mean_arrival.count()));
        const Class& kind = draw_class(generator.mix, random);
        const Seconds whole(60 * random.between(kind.shortest, kind.longest));
        const double epochs = 10 + static_cast<double>(random.below(91));
        const double b = random.between(0.1, 0.3);
        const double c = random.between(0.01, 0.03);
        domain::TrueSpeed speed;
        for (std::uint32_t gpus = 1; gpus <= generator.most_gpus; ++gpus) {
            const double g = gpus;
            speed.epoch_seconds.push_back(whole / epochs * ((1 - c) / g + b * (g - 1) / g + c));
        }
        domain::TraceJob job;
        job.name = fmt::format("{}-{}", kind.name, i + 1);
        job.submitted = now;
        job.max = generator.most_gpus;
        job.epochs = epochs;
        job.speed = i;
        trace.speeds.push_back(std::move(speed));
        trace.jobs.push_back(std::move(job));
    }
    return trace;
}

}  // namespace hora::sim
