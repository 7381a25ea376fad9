// What was the time on one clock when a process's own clock showed this?
#include "libplanner/trace/alignment.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "libplanner/base/median.hpp"
#include "libplanner/trace/robust_line.hpp"

namespace hora::trace {
namespace {

constexpr int rounds = 3;
constexpr auto not_known = std::numeric_limits<double>::quiet_NaN();

class Aligner {
  public:
    Aligner(std::span<const domain::RankRecord> records, const Collectives& collectives);

    Alignment run();

  private:
    // A collective's end on this rank.
    struct End {
        double own = 0;
        std::size_t collective = 0;  // into shared_
    };

    void start_group(std::uint32_t record);
    void take(std::uint32_t record);
    void attach(std::uint32_t record);
    void refine();
    void fit(std::uint32_t record);

    const Collectives& collectives_;
    std::span<const domain::RankRecord> records_;
    std::vector<const Collective*> shared_;  // by two ranks or more, and ending together
    std::vector<double> ends_;               // of shared_, on the group's clock
    std::vector<std::vector<End>> own_;      // by record, ascending
    std::vector<std::size_t> known_;         // by record: how many of its collectives have an end
    std::vector<bool> is_aligned_;
    // Records with known collectives that are not aligned, by how many.
    std::set<std::pair<std::size_t, std::uint32_t>> waiting_;
    std::vector<bool> is_reference_;
    Alignment result_;
};

Aligner::Aligner(std::span<const domain::RankRecord> records, const Collectives& collectives)
    : collectives_(collectives),
      records_(records),
      own_(records.size()),
      known_(records.size()),
      is_aligned_(records.size()),
      is_reference_(records.size()) {
    for (const Collective& one : collectives.all) {
        if (!one.is_together || one.count < 2) {
            continue;
        }
        for (const Part& part : collectives.parts_of(one)) {
            own_[part.record].push_back(
                {records[part.record].calls[part.call].end.count(), shared_.size()});
        }
        shared_.push_back(&one);
    }
    ends_.assign(shared_.size(), not_known);
    for (auto& ends : own_) {
        std::ranges::sort(ends, {}, &End::own);
    }
    result_.clocks.resize(records.size());
}

Alignment Aligner::run() {
    for (std::uint32_t record = 0; record < records_.size(); ++record) {
        if (is_aligned_[record]) {
            continue;
        }
        start_group(record);
        while (!waiting_.empty()) {
            attach(std::prev(waiting_.end())->second);
        }
    }
    for (int i = 0; i < rounds; ++i) {
        refine();
    }
    return std::move(result_);
}

void Aligner::start_group(std::uint32_t record) {
    is_reference_[record] = true;
    result_.clocks[record].group = result_.groups++;
    result_.clocks[record].collectives = own_[record].size();
    take(record);
}

// Its clock is known, and so are the ends of its collectives.
void Aligner::take(std::uint32_t record) {
    is_aligned_[record] = true;
    const Clock& clock = result_.clocks[record];
    for (const End& end : own_[record]) {
        double& on_group = ends_[end.collective];
        if (on_group == on_group) {
            continue;
        }
        on_group = clock.aligned(Seconds(end.own)).count();
        for (const Part& part : collectives_.parts_of(*shared_[end.collective])) {
            if (!is_aligned_[part.record]) {
                waiting_.erase({known_[part.record], part.record});
                waiting_.emplace(++known_[part.record], part.record);
            }
        }
    }
}

void Aligner::attach(std::uint32_t record) {
    waiting_.erase({known_[record], record});
    result_.clocks[record].group = result_.groups - 1;
    fit(record);
    take(record);
}

void Aligner::fit(std::uint32_t record) {
    std::vector<Point> points;
    for (const End& end : own_[record]) {
        if (const double on_group = ends_[end.collective]; on_group == on_group) {
            points.push_back({end.own, on_group - end.own});
        }
    }
    const Line line = fit_line(points);
    Clock& clock = result_.clocks[record];
    clock.about = Seconds(line.middle);
    clock.offset = Seconds(line.height);
    clock.drift = line.slope;
    clock.scatter = Seconds(line.scatter);
    clock.collectives = points.size();
}

// Of one end a single rank's delay is all; the median of many has hardly any.
void Aligner::refine() {
    std::vector<double> ends;
    for (std::size_t i = 0; i < shared_.size(); ++i) {
        ends.clear();
        for (const Part& part : collectives_.parts_of(*shared_[i])) {
            const Seconds own = records_[part.record].calls[part.call].end;
            ends.push_back(result_.clocks[part.record].aligned(own).count());
        }
        ends_[i] = median(ends);
    }
    for (std::uint32_t record = 0; record < records_.size(); ++record) {
        if (!is_reference_[record]) {
            fit(record);
        }
    }
}

}  // namespace

Alignment align(std::span<const domain::RankRecord> records, const Collectives& collectives) {
    return Aligner(records, collectives).run();
}

}  // namespace hora::trace
