// Mode async: which members train most samples a second around one server?
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "libplanner/cost/server.hpp"
#include "libplanner/plan/price/curve.hpp"

namespace hora::plan {

// The best asynchronous set of one size in one class of parts.
struct AsyncChoice {
    struct Taken {
        std::uint32_t shape = 0;
        std::uint64_t units = 0;
    };
    Price price;
    double updates = 0;  // a second, of all members together
    Seconds overhead;    // no member's is larger
    Seconds fastest;     // compute time of the strongest member; no member's is shorter
    std::vector<Taken> taken;
};
AsyncChoice choose_async(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
                         const PartClass& part, const Size& size);

// Does the class hold a set as good as the point, which is the best over all classes?
bool reaches_async(Pricing& pricing, const FreeGpus& free, const LinkClasses& link,
                   const PartClass& part, const Point& point);

// GPUs of a shape that are not faster than `fastest`, the fastest `each` of them; empty if fewer.
Shape slower_gpus(Pricing& pricing, const Shape& shape, std::uint32_t each, std::uint64_t share,
                  Seconds fastest);

// Members of a set, one entry a type, by speed, the strongest first.
std::vector<cost::Workers> workers_of(Pricing& pricing, std::span<const Kind> members,
                                      std::uint64_t share);
// Of one member's step, infinite where the device cannot hold the share.
Seconds compute_time(Pricing& pricing, std::uint32_t device, std::uint64_t share);
// Updates a second that the members would send undisturbed.
double updates_of(Pricing& pricing, std::span<const Kind> members, std::uint64_t share,
                  const domain::Link& link);
// Samples a second of all of them together.
double rate_of(Pricing& pricing, std::span<const Kind> members, std::uint64_t share,
               const domain::Link& link);

}  // namespace hora::plan
