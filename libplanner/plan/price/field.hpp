// Can units of one part train the batch within a deadline, each at its own pace?
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// Sizes from `first` to `last` units; all of them when the two are equal.
struct Range {
    std::uint64_t first;
    std::uint64_t last;
    std::uint32_t each;
};

class Field {
  public:
    Field(Pricing& pricing, const FreeGpus& free, const LinkClasses& link, const PartClass& part);

    // Could some size in the range train the batch within the deadline? Exact for a single size.
    bool may_keep(const Range& range, Price deadline);
    // The smallest time within which a single size, that can keep `time`, can train the batch.
    double smallest_time(const Range& size, double time);

  private:
    // GPUs of one type at one overhead, and what they manage within the deadlines still in
    // question.
    struct Bidder {
        Seconds overhead;
        std::uint32_t device = 0;
        Pricing::ShareRange samples;
        std::uint64_t limit = 0;  // within the deadline asked last

        auto key() const { return std::pair(overhead, device); }
        std::uint64_t gap() const { return samples.most - samples.least; }
    };
    struct Offer {
        std::uint64_t samples;
        std::uint64_t units;
    };

    static std::vector<Bidder> bidders_of(const Pricing& pricing, const FreeGpus& free,
                                          const PartClass& part);
    template <class LimitOf>
    static std::uint64_t samples_of(const Shape& shape, std::uint32_t each, LimitOf limit_of);
    Seconds exchange_of(const Range& range) const;
    void keep_below(double time, Seconds exchange);
    std::uint64_t limit_of(std::uint32_t device, Seconds overhead) const;
    bool suffices(const Range& range);
    bool holds_batch(std::uint64_t left);

    Pricing& pricing_;
    const FreeGpus& free_;
    const LinkClasses& link_;
    const PartClass& part_;
    std::vector<Bidder> bidders_;  // by overhead, then by device
    std::vector<Offer> offers_;
};

std::uint64_t ceil_share(std::uint64_t samples, std::uint64_t units);

}  // namespace hora::plan
