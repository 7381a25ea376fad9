// Which rows of a chart with one row a GPU does each job take, and from when to when?
#include "libplanner/report/html/gpu_bars.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "libplanner/report/html/gpu_changes.hpp"

namespace hora::report {
namespace {

struct Holding {
    std::vector<std::uint32_t> rows;  // ascending
    Seconds since;
};

class Rows {
  public:
    Rows(std::uint32_t first, std::uint32_t gpus) : next_(first + gpus) {
        for (std::uint32_t row = first; row < next_; ++row) {
            free_.insert(free_.end(), row);
        }
    }

    void give_back(std::uint32_t row) { free_.insert(row); }

    // The first gap that is wide enough, else the lowest rows.
    std::vector<std::uint32_t> take(std::uint32_t count) {
        std::vector<std::uint32_t> taken = first_gap(count);
        while (taken.size() < count) {
            taken.push_back(free_.empty() ? next_++ : *free_.begin());
            free_.erase(taken.back());
        }
        return taken;
    }

  private:
    std::vector<std::uint32_t> first_gap(std::uint32_t count) {
        std::vector<std::uint32_t> gap;
        for (const std::uint32_t row : free_) {
            if (!gap.empty() && gap.back() + 1 != row) {
                gap.clear();
            }
            gap.push_back(row);
            if (gap.size() == count) {
                for (const std::uint32_t taken : gap) {
                    free_.erase(taken);
                }
                return gap;
            }
        }
        return {};
    }

    std::set<std::uint32_t> free_;
    std::uint32_t next_;
};

std::vector<Rows> rows_of(const sim::Result& result) {
    if (result.type_gpus.empty()) {
        return {Rows(0, result.gpus)};
    }
    std::vector<Rows> rows;
    std::uint32_t first = 0;
    for (const std::uint32_t gpus : result.type_gpus) {
        rows.emplace_back(first, gpus);
        first += gpus;
    }
    return rows;
}

void close(const Holding& holding, Seconds end, std::uint32_t job, std::vector<GpuBar>& bars) {
    if (!(end > holding.since)) {
        return;
    }
    for (std::size_t i = 0; i < holding.rows.size(); ++i) {
        const bool continues = i > 0 && holding.rows[i - 1] + 1 == holding.rows[i];
        if (continues) {
            ++bars.back().count;
        } else {
            bars.push_back({holding.rows[i], 1, holding.since, end, job});
        }
    }
}

}  // namespace

std::vector<GpuBar> gpu_bars(const sim::Result& result) {
    std::vector<GpuBar> bars;
    std::vector<Holding> holdings(result.jobs.size());
    std::vector<Rows> rows_by_type = rows_of(result);
    for (const GpuChange& change : gpu_changes(result.jobs)) {
        Rows& rows = rows_by_type[result.jobs[change.job].type];
        Holding& holding = holdings[change.job];
        close(holding, change.when, change.job, bars);
        holding.since = change.when;
        while (holding.rows.size() > change.gpus) {
            rows.give_back(holding.rows.back());
            holding.rows.pop_back();
        }
        const auto more = rows.take(change.gpus - static_cast<std::uint32_t>(holding.rows.size()));
        holding.rows.insert(holding.rows.end(), more.begin(), more.end());
        std::sort(holding.rows.begin(), holding.rows.end());
    }
    std::stable_sort(bars.begin(), bars.end(), [](const GpuBar& a, const GpuBar& b) {
        return std::tuple(a.start, a.first) < std::tuple(b.start, b.first);
    });
    return bars;
}

}  // namespace hora::report
