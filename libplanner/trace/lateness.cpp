// In which collectives did others wait for one rank, and in which did they go on without it?
#include "libplanner/trace/lateness.hpp"

#include <algorithm>
#include <cstddef>

#include "libplanner/base/median.hpp"

namespace hora::trace {
namespace {

using namespace literals;

// As far as ends of one collective lie apart on a network of today.
constexpr Seconds least_lateness = 50_us;
constexpr double scatters = 4;

struct Span {
    Part part;
    Seconds begin;
    Seconds end;
    Seconds scatter;
};

class Marker {
  public:
    Marker(std::span<const domain::RankRecord> records, const Alignment& alignment)
        : records_(records), alignment_(alignment) {}

    void look_at(std::span<const Part> parts);
    std::vector<Mark> take() { return std::move(marks_); }

  private:
    bool place(std::span<const Part> parts);

    std::span<const domain::RankRecord> records_;
    const Alignment& alignment_;
    std::vector<Span> spans_;  // ascending by begin
    std::vector<double> values_;
    std::vector<Mark> marks_;
};

// False where they are not on one clock.
bool Marker::place(std::span<const Part> parts) {
    spans_.clear();
    for (const Part& part : parts) {
        const Clock& clock = alignment_.clocks[part.record];
        if (clock.group != alignment_.clocks[parts.front().record].group) {
            return false;
        }
        const domain::RecordedCall& call = records_[part.record].calls[part.call];
        spans_.push_back({part, clock.aligned(call.begin), clock.aligned(call.end), clock.scatter});
    }
    std::ranges::sort(spans_, {}, &Span::begin);
    return true;
}

void Marker::look_at(std::span<const Part> parts) {
    if (parts.size() < 2 || !place(parts)) {
        return;
    }
    const Span last = spans_.back();
    spans_.pop_back();
    const auto median_of = [&](auto value) {
        values_.clear();
        for (const Span& span : spans_) {
            values_.push_back(value(span).count());
        }
        return Seconds(median(values_));
    };
    const Seconds by = last.begin - median_of([](const Span& span) { return span.begin; });
    const Seconds spent = median_of([](const Span& span) { return span.end - span.begin; });
    const Seconds scatter =
        std::max(last.scatter, median_of([](const Span& span) { return span.scatter; }));
    const Seconds least = std::max(least_lateness, scatter * scatters);
    if (by < least || by < spent * 0.5) {
        return;
    }
    marks_.push_back({MarkKind::late, last.part, last.part.record, by});
    for (const Span& span : spans_) {
        if (const Seconds ahead = last.begin - span.end; ahead > least) {
            marks_.push_back({MarkKind::went_ahead, span.part, last.part.record, ahead});
        }
    }
}

}  // namespace

std::vector<Mark> find_marks(std::span<const domain::RankRecord> records,
                             const Collectives& collectives, const Alignment& alignment) {
    Marker marker(records, alignment);
    for (const Collective& one : collectives.all) {
        if (one.is_together && one.is_complete) {
            marker.look_at(collectives.parts_of(one));
        }
    }
    return marker.take();
}

}  // namespace hora::trace
