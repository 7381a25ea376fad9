// Who starts, shortest first, and who passes the first that does not fit?
#include "libplanner/elastic/policies/sjf_backfill.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "libplanner/elastic/worth/sizes.hpp"

namespace hora::elastic {
namespace {

struct Waiting {
    Seconds length;
    std::uint32_t job = 0;
    std::uint32_t gpus = 0;
};

// Later in the queue.
bool is_later(const Waiting& a, const Waiting& b) {
    return a.length != b.length ? a.length > b.length : a.job > b.job;
}

struct Ending {
    Seconds left;
    std::uint32_t gpus = 0;
};

// When the first of the queue can start, and what is then left beside it.
struct Reservation {
    Seconds start;
    std::uint64_t spare = 0;
};

Reservation reserve(std::vector<Ending>& endings, std::uint64_t idle, std::uint32_t wanted) {
    std::sort(endings.begin(), endings.end(),
              [](const Ending& a, const Ending& b) { return a.left < b.left; });
    Reservation result;
    for (const Ending& each : endings) {
        if (idle >= wanted) {
            break;
        }
        idle += each.gpus;
        result.start = each.left;
    }
    if (idle < wanted) {
        // It waits for GPUs of others, whose end is not known: no job can be said to delay it.
        result.start = Seconds(std::numeric_limits<double>::infinity());
    }
    result.spare = idle > wanted ? idle - wanted : 0;
    return result;
}

class Queue {
  public:
    Queue(const domain::ElasticState& state, Allocation& result) : result_(result) {
        std::uint64_t held = state.waiting;
        for (const domain::ElasticJob& job : state.jobs) {
            result.gpus.push_back(job.gpus);
            held += job.gpus;
        }
        idle_ = state.gpus > held ? state.gpus - held : 0;
        if (idle_ == 0) {
            return;
        }
        for (std::uint32_t i = 0; i < state.jobs.size(); ++i) {
            const domain::ElasticJob& job = state.jobs[i];
            if (job.gpus > 0) {
                endings_.push_back({remaining_time(job, job.gpus), job.gpus});
            } else if (job.requested <= state.gpus) {
                waiting_.push_back({remaining_time(job, job.requested), i, job.requested});
            }
        }
        std::make_heap(waiting_.begin(), waiting_.end(), is_later);
    }

    // Until one does not fit: that is the one that no other may delay.
    void start_in_order() {
        while (!waiting_.empty() && waiting_.front().gpus <= idle_) {
            start(waiting_.front());
            drop();
        }
    }

    void backfill() {
        if (waiting_.empty() || idle_ == 0) {
            return;
        }
        Reservation first = reserve(endings_, idle_, waiting_.front().gpus);
        std::erase_if(waiting_, [&](const Waiting& each) {
            return each.gpus > idle_ || (each.length > first.start && each.gpus > first.spare);
        });
        std::make_heap(waiting_.begin(), waiting_.end(), is_later);
        for (; !waiting_.empty() && idle_ > 0; drop()) {
            const Waiting each = waiting_.front();
            const bool is_over = each.length <= first.start;
            if (each.gpus > idle_ || (!is_over && each.gpus > first.spare)) {
                continue;
            }
            first.spare -= is_over ? 0 : each.gpus;
            start(each);
        }
    }

  private:
    void start(const Waiting& each) {
        result_.gpus[each.job] = each.gpus;
        result_.objective += 1;
        idle_ -= each.gpus;
        endings_.push_back({each.length, each.gpus});
    }

    void drop() {
        std::pop_heap(waiting_.begin(), waiting_.end(), is_later);
        waiting_.pop_back();
    }

    Allocation& result_;
    std::uint64_t idle_ = 0;
    std::vector<Waiting> waiting_;
    std::vector<Ending> endings_;
};

}  // namespace

Allocation ShortestJobFirst::decide(const domain::ElasticState& state) const {
    Allocation result;
    result.gpus.reserve(state.jobs.size());
    Queue queue(state, result);
    queue.start_in_order();
    queue.backfill();
    return result;
}

}  // namespace hora::elastic
