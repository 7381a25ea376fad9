// Which choices are best if weight has a price, and which price just uses the capacity up?
#include "libplanner/elastic/policies/relaxation.hpp"

#include <algorithm>

namespace hora::elastic {
namespace {

// 0: nothing; otherwise 1 + place of an item.
using Corner = std::uint32_t;

Item item_at(const Group& group, Corner corner) {
    return corner == 0 ? Item{} : group[corner - 1];
}

double slope(const Item& from, const Item& to) {
    return (to.value - from.value) / (to.weight - from.weight);
}

// Appends the corners of the upper hull of nothing and the items, from left to right.
void append_hull(const Group& group, std::uint64_t capacity, std::vector<Corner>& corners) {
    const std::size_t first = corners.size();
    corners.push_back(0);
    for (Corner next = 1; next <= group.size() && group[next - 1].weight <= capacity; ++next) {
        const Item& item = group[next - 1];
        while (corners.size() > first + 1) {
            const Item last = item_at(group, corners.back());
            if (slope(item_at(group, corners[corners.size() - 2]), last) > slope(last, item)) {
                break;
            }
            corners.pop_back();
        }
        corners.push_back(next);
    }
}

struct Step {
    double slope = 0;
    std::uint32_t group = 0;
    std::uint32_t weight = 0;
};

bool is_later(const Step& a, const Step& b) {
    return a.slope != b.slope ? a.slope < b.slope : a.group > b.group;
}

class Climb {
  public:
    Climb(std::span<const Group> groups, std::uint64_t capacity) : groups_(groups) {
        starts_.reserve(groups.size() + 1);
        for (const Group& group : groups) {
            starts_.push_back(corners_.size());
            append_hull(group, capacity, corners_);
        }
        starts_.push_back(corners_.size());
        places_.assign(starts_.begin(), starts_.end() - 1);
        for (std::uint32_t i = 0; i < groups.size(); ++i) {
            offer(i);
        }
        std::make_heap(steps_.begin(), steps_.end(), is_later);
    }

    Relaxation until(std::uint64_t capacity, bool is_bound) {
        Relaxation result;
        while (!steps_.empty() && (is_bound || steps_.front().slope > 0)) {
            const Step step = steps_.front();
            result.price = step.slope;
            if (result.weight + step.weight > capacity) {
                break;
            }
            result.weight += step.weight;
            ++places_[step.group];
            std::pop_heap(steps_.begin(), steps_.end(), is_later);
            steps_.pop_back();
            if (offer(step.group)) {
                std::push_heap(steps_.begin(), steps_.end(), is_later);
            }
        }
        if (!is_bound && (steps_.empty() || steps_.front().slope <= 0)) {
            result.price = 0;
        }
        for (const std::size_t place : places_) {
            result.chosen.push_back(corners_[place]);
        }
        return result;
    }

  private:
    // The group's next step along its hull, if it has one.
    bool offer(std::uint32_t group) {
        const std::size_t place = places_[group];
        if (place + 1 >= starts_[group + 1]) {
            return false;
        }
        const Item from = item_at(groups_[group], corners_[place]);
        const Item to = item_at(groups_[group], corners_[place + 1]);
        steps_.push_back({slope(from, to), group, to.weight - from.weight});
        return true;
    }

    std::span<const Group> groups_;
    std::vector<Corner> corners_;      // of all groups, one after the other
    std::vector<std::size_t> starts_;  // in corners_, by group, and their end
    std::vector<std::size_t> places_;  // where each group stands
    std::vector<Step> steps_;          // a heap of each group's next one
};

}  // namespace

Relaxation relax(std::span<const Group> groups, std::uint64_t capacity, bool is_bound) {
    return Climb(groups, capacity).until(capacity, is_bound);
}

}  // namespace hora::elastic
