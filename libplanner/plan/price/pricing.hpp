// What does one member of a set cost, and how do two costs compare?
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "libplanner/cost/exchange.hpp"
#include "libplanner/cost/step.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/plan/price/search_limit.hpp"

namespace hora::plan {

// Seconds of the run; or of one step, and then the overhead decides between equals.
struct Price {
    double time = std::numeric_limits<double>::infinity();
    double tie = 0;

    friend auto operator<=>(const Price&, const Price&) = default;
};

// The largest price that is smaller than `price`, for prices as Pricing makes them.
Price just_below(Price price);

struct PricingTerms {
    double memory = 1;       // a share fits that needs no more than so many times what a device has
    double sample_rate = 1;  // domain::ExchangeUse::sample_rate
};

// Prices members of one request, and remembers the steps it has worked out.
class Pricing {
  public:
    // The limit is the search's, which every price that it asks for is a step of.
    Pricing(const domain::Request& request, const domain::Cluster& cluster, SearchLimit& limit,
            const PricingTerms& terms = {});

    const domain::Request& request() const { return *request_; }
    const domain::Cluster& cluster() const { return *cluster_; }
    SearchLimit& limit() const { return *limit_; }

    // Samples that the device can hold, at most the batch; 0: it cannot train this at all.
    std::uint64_t largest_share(std::uint32_t device) const { return largest_share_[device]; }
    // Of any device, for the same request and cluster.
    bool holds_more_than(const Pricing& other) const {
        return largest_share_ != other.largest_share_;
    }
    double sample_rate() const { return sample_rate_; }
    Bytes gradient() const { return gradient_; }
    std::uint64_t share_of(std::uint64_t members) const;
    Seconds exchange(const cost::Members& members) const;
    // Of all gradients; not automatic.
    domain::Exchange exchange_kind(const cost::Members& members) const;

    const cost::Step& step(std::uint32_t device, std::uint64_t share);
    // A member's step over the share; infinite where the device cannot hold it.
    Seconds step_time(std::uint32_t device, std::uint64_t share, Seconds exchange);
    // No more than that, sooner known.
    Seconds step_time_at_least(std::uint32_t device, std::uint64_t share, Seconds exchange);
    // The step's time of each device.
    std::vector<Seconds> step_times(std::uint64_t share, Seconds exchange);
    struct ShareRange {
        std::uint64_t least = 0;
        std::uint64_t most = 0;

        friend bool operator==(const ShareRange&, const ShareRange&) = default;
    };
    // The most samples that a member finishes within the deadline, known to be in the range.
    std::uint64_t share_within(Price deadline, std::uint32_t device, Seconds overhead,
                               Seconds exchange, ShareRange range);
    ShareRange all_shares(std::uint32_t device) const { return {0, largest_share_[device]}; }

    Price price(Seconds step, Seconds overhead) const {
        limit_->count();
        return has_steps_ ? Price{step.count() * steps_ + overhead.count(), 0}
                          : Price{step.count(), overhead.count()};
    }
    // `rate` in samples a second of all members together.
    Price price_at_rate(double rate, Seconds overhead) const {
        return price(Seconds(static_cast<double>(request_->batch) / rate), overhead);
    }

  private:
    cost::PricedExchange priced(Bytes size, const cost::Members& members) const;

    const domain::Request* request_;
    const domain::Cluster* cluster_;
    SearchLimit* limit_;
    bool has_steps_;
    double steps_;
    double sample_rate_;
    bool counts_hierarchy_;
    cost::SentGradient sent_;
    Bytes gradient_;                            // all that is sent
    std::vector<std::uint64_t> largest_share_;  // by device
    // Shares up to `few` are looked up by index, others by hash. Most searches ask for a small part
    // of them, so there are pointers only: little enough for malloc not to map it anew each time.
    static constexpr std::uint64_t few = 4096;
    // Many parts ask the same one after the other.
    struct Question {
        Price deadline;
        Seconds overhead;
        Seconds exchange;
        ShareRange range;

        friend bool operator==(const Question&, const Question&) = default;
    };
    // So do many members.
    struct Timed {
        std::uint64_t share = 0;
        Seconds exchange;
        Seconds time;
    };
    struct Steps {
        std::optional<Question> asked;
        std::uint64_t answer = 0;
        std::optional<Timed> timed;
        std::shared_ptr<const cost::StepTable> table;
        std::vector<std::unique_ptr<const cost::Step>> of_few;
        std::unordered_map<std::uint64_t, cost::Step> of_many;
    };
    std::vector<Steps> steps_of_;  // by device
};

}  // namespace hora::plan
