// What is each size worth to a job, the restart that leads there included?
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libplanner/domain/elastic.hpp"

namespace hora::elastic {

// What it gains by growing to `gpus` from the step before, for each GPU in between.
struct WorthStep {
    std::uint32_t gpus = 0;
    double per_gpu = 0;
};

// How much seconds saved in a short job weigh more than those in a long one, among so many jobs:
// the exponent of `urgency`.
double shortness_among(std::size_t jobs, const domain::PolicyConstants& constants = {});

// Seconds saved weigh more in a job with less to do: w = (what is left on one GPU)^-shortness.
double urgency(const domain::ElasticJob& job, double shortness);

// S(g) = f(1) / f(g), on the safe side where f(g) is uncertain.
double speed_up(const domain::ElasticJob& job, std::uint32_t gpus,
                const domain::PolicyConstants& constants = {});

// The way from its lowest size up, along the sizes whose worth
//     w * S(g) * (1 - R/H if g is not what it holds, else 1)
// no mixture of two others beats: beyond the first step, which may be worth nothing, `per_gpu`
// falls from step to step and stays above 0. A restart costs R of the H seconds for which the size
// is expected to last: those left on what it holds, or the horizon if that is less; the more, the
// more often the job was restarted. Empty: it has no size. O(sizes).
std::vector<WorthStep> worth(const domain::ElasticJob& job, double shortness, Seconds rescale,
                             Seconds now, const domain::PolicyConstants& constants = {});

// Would it end sooner by a restart with `gpus` than on what it holds? True of a waiting one.
bool pays(const domain::ElasticJob& job, std::uint32_t gpus, Seconds rescale);

}  // namespace hora::elastic
