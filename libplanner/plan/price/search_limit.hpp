// When has a search taken too long? Its caller's clock says so: the planner has none.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

namespace hora::plan {

// What a search throws that is over its limit. choose_within() makes a value of it; that each of
// the loops of a search handed the end on would cost more lines than the search.
struct SearchOver {};

class SearchLimit {
  public:
    SearchLimit() = default;  // none
    explicit SearchLimit(std::function<bool()> is_over) : is_over_(std::move(is_over)) {}

    // One step of the search: a set is priced, or a size is looked at.
    void count() {
        if (++steps_ % steps_between_looks == 0 && is_over_ && is_over_()) {
            throw SearchOver();
        }
    }

    // Some microseconds, beside which a look at a clock is little.
    static constexpr std::uint64_t steps_between_looks = 256;

  private:
    std::function<bool()> is_over_;
    std::uint64_t steps_ = 0;
};

}  // namespace hora::plan
