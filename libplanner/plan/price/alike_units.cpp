// Of units that give so many GPUs each, which ones take the same step?
#include "libplanner/plan/price/alike_units.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <tuple>

namespace hora::plan {

namespace {

constexpr std::uint32_t too_small = std::numeric_limits<std::uint32_t>::max();

// By shape the first one whose units take the same step, or too_small.
std::vector<std::uint32_t> first_alike(std::span<const Shape> shapes, std::uint32_t each) {
    std::map<std::uint32_t, std::uint32_t> first_of;  // by device
    std::vector<std::uint32_t> first(shapes.size(), too_small);
    for (std::uint32_t i = 0; i < shapes.size(); ++i) {
        std::uint64_t gpus = 0;
        for (const Kind& kind : shapes[i]) {
            gpus += kind.count;
        }
        if (gpus >= each) {
            first[i] =
                shapes[i].size() == 1 ? first_of.emplace(shapes[i][0].device, i).first->second : i;
        }
    }
    return first;
}

struct Units {
    std::uint32_t shape = 0;
    Seconds overhead;
    std::uint64_t count = 0;

    auto order() const { return std::pair(shape, overhead); }
};

std::vector<Group> merged(std::span<const Group> groups, std::span<const std::uint32_t> first,
                          SearchLimit& limit) {
    std::vector<Units> all;
    for (const Group& group : groups) {
        std::uint64_t before = 0;
        for (const Run& run : group.runs) {
            limit.count();
            if (first[group.shape] != too_small) {
                all.push_back({first[group.shape], run.overhead, run.upto - before});
            }
            before = run.upto;
        }
    }
    std::ranges::sort(all, {}, &Units::order);
    std::vector<Group> result;
    for (const Units& units : all) {
        if (result.empty() || result.back().shape != units.shape) {
            result.push_back({units.shape, {}});
        }
        result.back().add(units.overhead, units.count);
    }
    return result;
}

std::vector<PartClass> merged(std::span<const PartClass> classes,
                              std::span<const std::uint32_t> first, SearchLimit& limit) {
    std::vector<PartClass> result;
    for (const PartClass& part : classes) {
        PartClass alike{merged(part.groups, first, limit), 0, {}, part.only};
        alike.units = units_of(alike.groups);
        if (alike.units > 0) {
            result.push_back(std::move(alike));
        }
    }
    std::ranges::stable_sort(result, std::greater<>(), &PartClass::units);
    return result;
}

std::vector<LinkClasses> merged(const FreeGpus& free, std::span<const std::uint32_t> first,
                                SearchLimit& limit) {
    std::vector<LinkClasses> result;
    for (const LinkClasses& link : free.links()) {
        std::vector<PartClass> classes = merged(link.classes, first, limit);
        if (!classes.empty()) {
            result.push_back({static_cast<const PartLink&>(link), std::move(classes)});
        }
    }
    return result;
}

}  // namespace

std::vector<LinkClasses> alike_units(const FreeGpus& free, std::uint32_t each, SearchLimit& limit) {
    return merged(free, first_alike(free.shapes(), each), limit);
}

std::span<const LinkClasses> UnitClasses::of(std::uint32_t each) {
    if (pricing_->request().layout == domain::Layout::any) {
        return free_->links();  // a unit is one GPU: no two groups are alike
    }
    const auto [known, is_new] = by_each_.try_emplace(each);
    if (is_new) {
        const auto [alike, is_first] = by_alike_.try_emplace(first_alike(free_->shapes(), each));
        if (is_first) {
            alike->second = merged(*free_, alike->first, pricing_->limit());
        }
        known->second = alike->second;
    }
    return known->second;
}

}  // namespace hora::plan
