// What did all ranks of a job do, on one clock?
#include "libplanner/trace/timeline.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "libplanner/trace/collectives.hpp"

namespace hora::trace {
namespace {

std::vector<Seconds> first_times(const Timeline& timeline) {
    constexpr Seconds never(std::numeric_limits<double>::infinity());
    std::vector<Seconds> starts(timeline.alignment.groups, never);
    for (std::size_t r = 0; r < timeline.records.size(); ++r) {
        const Clock& clock = timeline.alignment.clocks[r];
        Seconds& start = starts[clock.group];
        for (const auto& call : timeline.records[r].calls) {
            start = std::min(start, clock.aligned(call.begin));
        }
        for (const auto& step : timeline.records[r].steps) {
            start = std::min(start, clock.aligned(step.at));
        }
    }
    std::ranges::replace(starts, never, Seconds(0));
    return starts;
}

}  // namespace

Timeline make_timeline(std::vector<domain::RankRecord> records) {
    Timeline timeline;
    timeline.records = std::move(records);
    std::ranges::stable_sort(timeline.records, {}, &domain::RankRecord::rank);
    const Collectives collectives = match_collectives(timeline.records);
    timeline.alignment = align(timeline.records, collectives);
    timeline.starts = first_times(timeline);
    timeline.marks = find_marks(timeline.records, collectives, timeline.alignment);
    timeline.shows_lateness = std::ranges::any_of(collectives.all, [](const Collective& one) {
        return one.is_complete && one.is_together && one.count > 1;
    });
    return timeline;
}

std::size_t missing_records(const Timeline& timeline) {
    struct Communicator {
        std::size_t ranks = 0;
        std::size_t records = 0;
    };
    std::map<std::string_view, Communicator> communicators;
    for (const domain::RankRecord& record : timeline.records) {
        for (const domain::RecordedCommunicator& one : record.communicators) {
            Communicator& known = communicators[one.name];
            known.ranks = std::max<std::size_t>(known.ranks, one.ranks);
            ++known.records;
        }
    }
    std::size_t most = 0;
    for (const auto& [name, one] : communicators) {
        most = std::max(most, one.ranks - std::min(one.ranks, one.records));
    }
    return most;
}

std::vector<std::uint32_t> rows_of(const domain::RankRecord& record) {
    std::vector<std::uint32_t> order(record.calls.size());
    std::iota(order.begin(), order.end(), 0u);
    // Of two that begin together the longer one is around the other.
    std::ranges::sort(order, {}, [&](std::uint32_t i) {
        return std::tuple(record.calls[i].begin, Seconds(0) - record.calls[i].end, i);
    });
    std::vector<std::uint32_t> rows(record.calls.size());
    std::vector<std::vector<Seconds>> open;  // by row: the ends of calls that are around the next
    for (const std::uint32_t i : order) {
        const domain::RecordedCall& call = record.calls[i];
        const auto has_room = [&](std::vector<Seconds>& ends) {
            while (!ends.empty() && ends.back() <= call.begin) {
                ends.pop_back();
            }
            return ends.empty() || ends.back() >= call.end;
        };
        auto row = std::ranges::find_if(open, has_room);
        if (row == open.end()) {
            row = open.insert(open.end(), std::vector<Seconds>());
        }
        row->push_back(call.end);
        rows[i] = static_cast<std::uint32_t>(row - open.begin());
    }
    return rows;
}

}  // namespace hora::trace
