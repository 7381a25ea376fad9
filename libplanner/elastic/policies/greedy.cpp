// Who gets the next GPU, when each step goes to the job that values it most?
#include "libplanner/elastic/policies/greedy.hpp"

#include <algorithm>
#include <vector>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

struct Step {
    double value = 0;
    std::size_t job = 0;
    std::uint32_t to = 0;
};

bool is_worse(const Step& a, const Step& b) {
    return a.value != b.value ? a.value < b.value : a.job > b.job;
}

class Steps {
  public:
    Steps(const domain::ElasticState& state, const StepValue& value)
        : state_(state), value_(value) {
        heap_.reserve(state.jobs.size());
    }

    void offer(std::size_t job, std::uint32_t from) {
        const domain::ElasticJob& each = state_.jobs[job];
        const std::uint32_t to = next_size(each, from);
        if (to == 0) {
            return;
        }
        const double value = value_(each, from, to);
        if (value > 0) {
            heap_.push_back({value, job, to});
            std::push_heap(heap_.begin(), heap_.end(), is_worse);
        }
    }

    bool is_empty() const { return heap_.empty(); }

    Step take() {
        std::pop_heap(heap_.begin(), heap_.end(), is_worse);
        const Step best = heap_.back();
        heap_.pop_back();
        return best;
    }

  private:
    const domain::ElasticState& state_;
    const StepValue& value_;
    std::vector<Step> heap_;
};

}  // namespace

Allocation allocate_greedily(const domain::ElasticState& state, const StepValue& value) {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    std::uint64_t floors = state.waiting;
    for (const domain::ElasticJob& job : state.jobs) {
        result.gpus.push_back(floor_size(job));
        floors += result.gpus.back();
    }
    std::uint64_t idle = state.gpus > floors ? state.gpus - floors : 0;
    Steps steps(state, value);
    for (std::size_t i = 0; i < state.jobs.size() && idle > 0; ++i) {
        if (state.jobs[i].is_elastic || state.jobs[i].gpus == 0) {
            steps.offer(i, result.gpus[i]);
        }
    }
    while (idle > 0 && !steps.is_empty()) {
        const Step best = steps.take();
        std::uint32_t& gpus = result.gpus[best.job];
        if (best.to - gpus <= idle) {
            idle -= best.to - gpus;
            gpus = best.to;
            steps.offer(best.job, gpus);
        }
    }
    return result;
}

}  // namespace hora::elastic
