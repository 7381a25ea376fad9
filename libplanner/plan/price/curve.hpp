// In each mode, what does the best set of each size cost?
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "libplanner/domain/request.hpp"
#include "libplanner/plan/price/free_gpus.hpp"
#include "libplanner/plan/price/pricing.hpp"

namespace hora::plan {

// `units` (single GPUs, or nodes in layout uniform) of `each` GPUs.
struct Size {
    std::uint64_t units = 0;
    std::uint32_t each = 1;

    std::uint64_t members() const { return units * each; }
    // Among sets that are as fast the first one is taken: fewer GPUs, then fewer units.
    auto order() const { return std::pair(members(), units); }
    friend bool operator==(const Size&, const Size&) = default;
};

struct Point {
    domain::Mode mode = domain::Mode::independent;
    Size size;
    Price price;
    double updates = 0;  // async: a second, of all members together; more is better among equals

    auto rank() const { return std::pair(price, -updates); }
};

// Sizes by number of members, then by units.
enum class Sizes { all, smallest_of_each_share };
std::vector<Size> sizes_of_several(const Pricing& pricing, const FreeGpus& free, Sizes which);
bool allows_one(const domain::Request& request);
// By the request's rule for sizes.
bool is_allowed(const domain::Request& request, std::uint64_t members);

// Each gives the best set of a size by ascending size, at most one a number of members; sizes that
// a smaller one matches in time and beats in GPUs may be left out.
std::vector<Point> independent_curve(Pricing& pricing, const FreeGpus& free);
std::vector<Point> sync_curve(Pricing& pricing, const FreeGpus& free);
std::vector<Point> async_curve(Pricing& pricing, const FreeGpus& free);
// `only_fastest`: leaves out whatever cannot be the fastest of all.
std::vector<Point> balanced_curve(Pricing& pricing, const FreeGpus& free, bool only_fastest);

// Shared by the curves.
// What a step of a unit takes. Both outlive it.
class UnitSteps {
  public:
    UnitSteps(Pricing& pricing, const FreeGpus& free);

    // By shape: of a unit of `each` GPUs, infinite where it cannot be had. Until the next call.
    std::span<const Seconds> of(std::uint32_t each, std::uint64_t share, Seconds exchange);
    // No unit costs less; sooner known.
    Price least_price(std::uint64_t share, Seconds exchange);

  private:
    Pricing& pricing_;
    const FreeGpus& free_;
    std::vector<std::uint32_t> devices_;  // that there are, each once
    Seconds least_overhead_;
    std::vector<Seconds> by_device_;
    std::vector<Seconds> by_shape_;
};

// Units of a class that finish within the deadline, their steps given by shape.
std::uint64_t units_within(const Pricing& pricing, const PartClass& part,
                           std::span<const Seconds> steps, Price deadline);
// Keeps the better of two points of the same number of members, in a list by members.
void keep_better(std::vector<Point>& curve, const Point& point);

}  // namespace hora::plan
