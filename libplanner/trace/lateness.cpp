// In which collectives did others wait for one rank, and in which did they go on without it?
#include "libplanner/trace/lateness.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

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
    std::optional<std::uint32_t> record_before(const Part& part, std::span<const Part> parts) const;
    void mark_who_did_not_wait(std::span<const Part> parts,
                               std::optional<std::uint32_t> late_record);
    const domain::RecordedCall& call_of(const Part& part) const {
        return records_[part.record].calls[part.call];
    }
    const domain::RecordedCommunicator& communicator_of(const Part& part) const {
        return records_[part.record].communicators[call_of(part).communicator];
    }
    std::optional<std::uint32_t> look_for_a_late_one(std::span<const Part> parts);

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
        const domain::RecordedCall& call = call_of(part);
        spans_.push_back({part, clock.aligned(call.begin), clock.aligned(call.end), clock.scatter});
    }
    std::ranges::sort(spans_, {}, &Span::begin);
    return true;
}

std::optional<std::uint32_t> Marker::record_before(const Part& part,
                                                   std::span<const Part> parts) const {
    const domain::RecordedCommunicator& own = communicator_of(part);
    const std::uint32_t before = (own.rank + own.ranks - 1) % own.ranks;
    const auto other = std::ranges::find_if(
        parts, [&](const Part& one) { return communicator_of(one).rank == before; });
    return other != parts.end() ? std::optional(other->record) : std::nullopt;
}

void Marker::mark_who_did_not_wait(std::span<const Part> parts,
                                   std::optional<std::uint32_t> late_record) {
    for (const Part& part : parts) {
        if (call_of(part).ahead == 0) {
            continue;
        }
        const bool is_of_late = late_record && late_record != part.record;
        if (const auto other = is_of_late ? late_record : record_before(part, parts)) {
            marks_.push_back({.kind = MarkKind::went_ahead,
                              .part = part,
                              .other = *other,
                              .by = Seconds(0),
                              .pieces = call_of(part).ahead});
        }
    }
}

void Marker::look_at(std::span<const Part> parts) {
    mark_who_did_not_wait(parts, look_for_a_late_one(parts));
}

std::optional<std::uint32_t> Marker::look_for_a_late_one(std::span<const Part> parts) {
    if (parts.size() < 2 || !place(parts)) {
        return std::nullopt;
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
        return std::nullopt;
    }
    marks_.push_back({MarkKind::late, last.part, last.part.record, by, 0});
    for (const Span& span : spans_) {
        if (const Seconds ahead = last.begin - span.end; ahead > least) {
            marks_.push_back({MarkKind::went_ahead, span.part, last.part.record, ahead, 0});
        }
    }
    return last.part.record;
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
