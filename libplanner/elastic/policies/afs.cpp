// Which job wins the next GPU in a comparison by pairs?
#include "libplanner/elastic/policies/afs.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

// One that may still grow: its rates are what it does of its remaining work a second.
struct Contender {
    std::size_t job = 0;
    std::uint32_t gpus = 0;
    std::uint32_t next = 0;
    double rate = 0;  // 0: it waits
    double next_rate = 0;
};

double rate_on(const domain::ElasticJob& job, std::uint32_t gpus) {
    const double remaining = gpus == 0 ? 0 : remaining_time(job, gpus).count();
    if (remaining > 0) {
        return 1 / remaining;
    }
    return gpus == 0 ? 0 : std::numeric_limits<double>::max();
}

Contender contender(const domain::ElasticState& state, std::size_t job, std::uint32_t gpus) {
    const domain::ElasticJob& each = state.jobs[job];
    const std::uint32_t next = next_size(each, gpus);
    return {job, gpus, next, rate_on(each, gpus), next == 0 ? 0 : rate_on(each, next)};
}

// A larger step than one GPU counts by what one GPU of it adds.
double gain_per_gpu(const Contender& each) {
    return (each.next_rate - each.rate) / (each.next - each.gpus);
}

bool beats(const Contender& a, const Contender& b) {
    if (a.rate == 0 && b.rate == 0) {
        return a.next_rate >= b.next_rate;
    }
    const bool is_sooner = a.rate >= b.rate;
    const Contender& sooner = is_sooner ? a : b;
    const Contender& later = is_sooner ? b : a;
    const double sooner_gain = gain_per_gpu(sooner) / sooner.rate;
    const double later_gain = gain_per_gpu(later) / std::max(later.rate, later.next_rate);
    return (sooner_gain >= later_gain) == is_sooner;
}

// Who cannot use a step, or for whom it is too large, is out.
bool is_out(const Contender& each, std::uint64_t idle) {
    return each.next == 0 || each.next - each.gpus > idle || each.next_rate <= each.rate;
}

std::size_t winner(const std::vector<Contender>& contenders) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < contenders.size(); ++i) {
        if (!beats(contenders[best], contenders[i])) {
            best = i;
        }
    }
    return best;
}

}  // namespace

Allocation ApatheticFutureShare::decide(const domain::ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    std::vector<Contender> contenders;
    std::uint64_t taken = state.waiting;
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        const domain::ElasticJob& job = state.jobs[i];
        result.gpus.push_back(floor_size(job));
        taken += result.gpus.back();
        if (job.is_elastic || job.gpus == 0) {
            contenders.push_back(contender(state, i, result.gpus.back()));
        }
    }
    std::uint64_t idle = state.gpus > taken ? state.gpus - taken : 0;
    const auto drop_out = [&] {
        std::erase_if(contenders, [&](const Contender& each) { return is_out(each, idle); });
    };
    for (drop_out(); !contenders.empty(); drop_out()) {
        Contender& best = contenders[winner(contenders)];
        idle -= best.next - best.gpus;
        result.gpus[best.job] = best.next;
        best = contender(state, best.job, best.next);
    }
    for (std::size_t i = 0; i < state.jobs.size(); ++i) {
        if (result.gpus[i] > 0 && epoch_time(state.jobs[i], result.gpus[i]) > Seconds(0)) {
            result.objective +=
                epoch_time(state.jobs[i], 1) / epoch_time(state.jobs[i], result.gpus[i]);
        }
    }
    return result;
}

}  // namespace hora::elastic
