// Which changes to a choice of each group cost least and use up what is left of a capacity?
#include "libplanner/elastic/policies/core_programme.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace hora::elastic {
namespace {

constexpr std::uint32_t no_change = std::numeric_limits<std::uint32_t>::max();

// One group's changes, and by how much they can move the sum.
struct Stage {
    std::span<const OtherChoice> changes;
    std::int64_t least = 0;
    std::int64_t most = 0;
};

std::vector<Stage> stages(const Core& core) {
    std::vector<Stage> result;
    std::size_t first = 0;
    while (first < core.changes.size()) {
        std::size_t end = first;
        Stage stage;
        for (; end < core.changes.size() && core.changes[end].group == core.changes[first].group;
             ++end) {
            stage.least = std::min(stage.least, core.changes[end].weight);
            stage.most = std::max(stage.most, core.changes[end].weight);
        }
        stage.changes = std::span(core.changes).subspan(first, end - first);
        result.push_back(stage);
        first = end;
    }
    // The widest last: the sums before them stay within a narrow band.
    std::stable_sort(result.begin(), result.end(), [](const Stage& a, const Stage& b) {
        return a.most - a.least < b.most - b.least;
    });
    return result;
}

// The sums from `first` on, and what each costs at least.
struct Band {
    std::int64_t first = 0;
    std::vector<double> cost;

    std::int64_t last() const { return first + static_cast<std::int64_t>(cost.size()) - 1; }
    double& at(std::int64_t sum) { return cost[static_cast<std::size_t>(sum - first)]; }
};

class Programme {
  public:
    // Just above the limit is as good as impossible, and saves a comparison for each sum.
    Programme(const Core& core, double limit)
        : core_(core),
          impossible_(std::nextafter(limit, std::numeric_limits<double>::infinity())),
          stages_(stages(core)) {
        // What may stay unused if nothing else costs anything.
        if (!core.is_bound) {
            slack_ = static_cast<std::int64_t>(
                std::min(limit / core.price, static_cast<double>(core.residual)));
        }
        for (const Stage& stage : stages_) {
            still_less_ += stage.least;
            still_more_ += stage.most;
        }
    }

    std::optional<Solution> run() {
        Band band{0, {0}};
        for (const Stage& stage : stages_) {
            band = advance(band, stage);
            if (band.cost.empty()) {
                return std::nullopt;
            }
        }
        return best(band);
    }

  private:
    struct Choices {
        std::int64_t first = 0;
        std::vector<std::uint32_t> change;  // by sum: place in the stage
    };

    Band advance(Band& from, const Stage& stage) {
        still_less_ -= stage.least;
        still_more_ -= stage.most;
        const std::int64_t first =
            std::max(from.first + stage.least, core_.residual - slack_ - still_more_);
        const std::int64_t last = std::min(from.last() + stage.most, core_.residual - still_less_);
        Band to{first, {}};
        if (first > last) {
            return to;
        }
        to.cost.assign(static_cast<std::size_t>(last - first + 1), impossible_);
        Choices choices{first, std::vector<std::uint32_t>(to.cost.size(), no_change)};
        move(from, {no_change, 0, 0, 0}, no_change, to, choices);
        for (std::uint32_t i = 0; i < stage.changes.size(); ++i) {
            move(from, stage.changes[i], i, to, choices);
        }
        choices_.push_back(std::move(choices));
        return to;
    }

    void move(Band& from, const OtherChoice& change, std::uint32_t place, Band& to,
              Choices& choices) {
        const std::int64_t first = std::max(from.first, to.first - change.weight);
        const std::int64_t last = std::min(from.last(), to.last() - change.weight);
        if (first > last) {
            return;
        }
        const double* cost = &from.at(first);
        double* reached = &to.at(first + change.weight);
        std::uint32_t* choice =
            &choices.change[static_cast<std::size_t>(first + change.weight - to.first)];
        for (std::int64_t i = 0; i <= last - first; ++i) {
            const double sum = cost[i] + change.cost;
            if (sum < reached[i]) {
                reached[i] = sum;
                choice[i] = place;
            }
        }
    }

    std::optional<Solution> best(Band& band) const {
        std::int64_t sum = 0;
        double cost = impossible_;
        const std::int64_t first =
            std::max(band.first, core_.is_bound ? core_.residual : band.first);
        for (std::int64_t i = first; i <= std::min(band.last(), core_.residual); ++i) {
            const double unused = static_cast<double>(core_.residual - i);
            const double total = band.at(i) + (unused > 0 ? unused * core_.price : 0);
            if (total < cost) {
                cost = total;
                sum = i;
            }
        }
        if (cost >= impossible_) {
            return std::nullopt;
        }
        return trace(sum, cost);
    }

    Solution trace(std::int64_t sum, double cost) const {
        Solution result{{}, cost};
        for (std::size_t i = stages_.size(); i-- > 0;) {
            const std::uint32_t place =
                choices_[i].change[static_cast<std::size_t>(sum - choices_[i].first)];
            if (place != no_change) {
                result.changes.push_back(stages_[i].changes[place]);
                sum -= result.changes.back().weight;
            }
        }
        return result;
    }

    const Core& core_;
    const double impossible_;
    const std::vector<Stage> stages_;
    std::int64_t slack_ = 0;
    std::int64_t still_less_ = 0;  // by how much the stages ahead can lower the sum
    std::int64_t still_more_ = 0;  // and raise it
    std::vector<Choices> choices_;
};

}  // namespace

std::optional<Solution> solve(const Core& core, double limit) {
    return Programme(core, limit).run();
}

}  // namespace hora::elastic
