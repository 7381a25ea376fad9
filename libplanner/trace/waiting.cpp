// How long does a step wait for late ranks?
#include "libplanner/trace/waiting.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/median.hpp"

namespace hora::trace {
namespace {

// Between two looks at what the program had done: a step, or some.
struct Interval {
    Seconds begin;  // on the clock of its group
    Seconds end;
    std::uint64_t steps = 0;
    Seconds late;
};

std::vector<Interval> intervals_of(const domain::RankRecord& record, const Clock& clock) {
    std::vector<Interval> intervals;
    const domain::RecordedStep* before = nullptr;
    for (const domain::RecordedStep& step : record.steps) {
        if (before != nullptr && (step.at <= before->at || step.step <= before->step)) {
            continue;
        }
        if (before != nullptr) {
            intervals.push_back({.begin = clock.aligned(before->at),
                                 .end = clock.aligned(step.at),
                                 .steps = step.step - before->step,
                                 .late = {}});
        }
        before = &step;
    }
    return intervals;
}

const domain::RecordedCall& call_of(const Timeline& timeline, const Part& part) {
    return timeline.records[part.record].calls[part.call];
}

std::string_view communicator_of(const Timeline& timeline, const Part& part) {
    return timeline.records[part.record].communicators[call_of(timeline, part).communicator].name;
}

// The marks of the first one's collective; there is one at least.
std::span<const Mark> of_one_collective(const Timeline& timeline, std::span<const Mark> marks) {
    const Part& first = marks.front().part;
    const auto other = std::ranges::find_if(marks, [&](const Mark& mark) {
        return call_of(timeline, mark.part).sequence != call_of(timeline, first).sequence ||
               communicator_of(timeline, mark.part) != communicator_of(timeline, first);
    });
    return marks.first(static_cast<std::size_t>(other - marks.begin()));
}

bool is_late(const Mark& mark) {
    return mark.kind == MarkKind::late;
}

void add_lateness(const Timeline& timeline, std::uint32_t group, std::vector<Interval>& intervals) {
    std::map<std::pair<std::size_t, std::string_view>, Seconds> sums;
    for (std::span<const Mark> left = timeline.marks; !left.empty();) {
        const auto marks = of_one_collective(timeline, left);
        left = left.subspan(marks.size());
        const Mark& late = marks.front();
        const Clock& clock = timeline.alignment.clocks[late.part.record];
        if (clock.group != group || !std::ranges::all_of(marks, is_late)) {
            continue;
        }
        const Seconds begin = clock.aligned(call_of(timeline, late.part).begin);
        const auto of = std::ranges::lower_bound(intervals, begin, {}, &Interval::end);
        if (of == intervals.end() || begin < of->begin) {
            continue;
        }
        Seconds& sum = sums[{static_cast<std::size_t>(of - intervals.begin()),
                             communicator_of(timeline, late.part)}];
        sum = sum + late.by;
        of->late = std::min(std::max(of->late, sum), of->end - of->begin);
    }
}

}  // namespace

std::optional<Seconds> waiting_of_step(const Timeline& timeline) {
    if (!timeline.shows_lateness || missing_records(timeline) > 0) {
        return std::nullopt;
    }
    const auto fullest = std::ranges::max_element(
        timeline.records, {}, [](const domain::RankRecord& record) { return record.steps.size(); });
    const Clock& clock =
        timeline.alignment.clocks[static_cast<std::size_t>(fullest - timeline.records.begin())];
    std::vector<Interval> intervals = intervals_of(*fullest, clock);
    if (intervals.size() < fewest_intervals) {
        return std::nullopt;
    }
    add_lateness(timeline, clock.group, intervals);
    std::vector<Seconds> of_step;
    for (const Interval& one : intervals) {
        of_step.push_back(one.late / static_cast<double>(one.steps));
    }
    return median(of_step);
}

}  // namespace hora::trace
