// What else was weighed, what would it have cost, and what ruled it out?
#include "libplanner/plan/rejected.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "libplanner/base/counted.hpp"
#include "libplanner/cost/formats.hpp"
#include "libplanner/cost/memory.hpp"
#include "libplanner/plan/place.hpp"
#include "libplanner/plan/second_choice.hpp"
#include "libplanner/read/slurm/hostlist.hpp"

namespace hora::plan {

namespace {

using domain::Alternative;
using domain::Mode;

constexpr std::size_t most_alternatives = 12;

bool is_same(const Point& a, const Point& b) {
    return a.mode == b.mode && a.size.members() == b.size.members();
}

bool is_allowed(const Curve& curve, const Point& point) {
    return std::any_of(curve.allowed.begin(), curve.allowed.end(),
                       [&](const Point& one) { return is_same(one, point); });
}

// Three digits, thousands apart: "1.02", "34.5", "1,017".
std::string three_digits(double value) {
    const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
    std::string text = value < 1e15 ? fmt::format("{:.{}f}", value, decimals) : "1e15";
    for (std::size_t at = text.find('.') == std::string::npos ? text.size() : 0; at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

// The chosen one is slower, as the objective allows.
std::string faster(const domain::Request& request, const Point& point, const Point& chosen) {
    return request.objective == domain::Objective::time
               ? fmt::format("as good: {:.1f} % shorter, for {} times the GPU-seconds",
                             100 * (1 - point.price.time / chosen.price.time),
                             three_digits(gpu_seconds(point) / gpu_seconds(chosen)))
               : "costs more GPU-seconds";
}

std::string slower(double ratio) {
    if (ratio >= 1.005) {
        return fmt::format("{} times as long", three_digits(ratio));
    }
    return ratio > 1 ? "within 1 % of the best" : "no faster";
}

std::string reason(const domain::Request& request, const Curve& curve, const Point& point,
                   const Point& chosen) {
    if (curve.is_dropped && curve.mode == Mode::sync) {
        return fmt::format("members too unequal for sync: rates vary by {:.2f}, at most {:.2f}",
                           curve.variation.value_or(0), request.async_threshold);
    }
    if (curve.is_dropped) {
        return fmt::format(
            "members too equal for async: rates vary by {:.2f}, more than {:.2f} asked",
            curve.variation.value_or(0), request.async_threshold);
    }
    if (!is_allowed(curve, point)) {
        return fmt::format(
            "scaling efficiency of more GPUs is below {:.0f} % (plan.min_efficiency)",
            100 * request.min_efficiency);
    }
    return point.price.time < chosen.price.time ? faster(request, point, chosen)
                                                : slower(point.price.time / chosen.price.time);
}

void sort_and_cut(std::vector<Alternative>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Alternative& a, const Alternative& b) {
        return a.seconds < b.seconds;
    });
    all.resize(std::min(all.size(), most_alternatives));
}

class List {
  public:
    List(Pricing& pricing, const FreeGpus& free, const Point& chosen)
        : pricing_(pricing), free_(free), chosen_(chosen) {}

    void add(const Curve& curve, const Point& point) {
        const bool is_known = std::any_of(noted_.begin(), noted_.end(),
                                          [&](const Point& one) { return is_same(one, point); });
        if (is_known || is_same(point, chosen_) || noted_.size() >= most_alternatives) {
            return;
        }
        noted_.push_back(point);
        const auto members = place(pricing_, free_, point, Placing::quick);
        all_.push_back({point.mode, static_cast<std::uint32_t>(members.size()),
                        describe(pricing_.cluster(), members), Seconds(point.price.time),
                        reason(pricing_.request(), curve, point, chosen_)});
    }

    // The same over a slower link.
    void add(const SecondChoice& other) {
        all_.push_back({chosen_.mode, static_cast<std::uint32_t>(other.members.size()),
                        describe(pricing_.cluster(), other.members, other.across),
                        Seconds(other.price.time), slower(other.price.time / chosen_.price.time)});
    }

    std::vector<Alternative> cheapest_first() && {
        sort_and_cut(all_);
        return std::move(all_);
    }

  private:
    Pricing& pricing_;
    const FreeGpus& free_;
    const Point& chosen_;
    std::vector<Point> noted_;
    std::vector<Alternative> all_;
};

// The least that one of so many members of a type takes.
std::string too_large(const Pricing& pricing, const domain::Device& device, std::uint32_t members) {
    using namespace literals;
    const domain::Request& request = pricing.request();
    const Bytes least =
        cost::memory_needed(request.workload, pricing.share_of(members), request.cost);
    return fmt::format("does not fit: {:.1f} GiB > {:.1f} GiB", least / 1_GiB,
                       device.memory / 1_GiB);
}

// The GPUs of a type, and the most of those free that the request could have.
struct OfType {
    std::uint32_t device = 0;
    std::uint32_t total = 0;
    std::uint32_t free = 0;
    std::uint32_t usable = 0;
};

OfType gpus_of_type(const Pricing& pricing, std::uint32_t device) {
    const domain::Request& request = pricing.request();
    OfType gpus{.device = device};
    for (const domain::Gpu& gpu : pricing.cluster().gpus) {
        gpus.total += gpu.device == device ? 1 : 0;
        gpus.free += gpu.device == device && gpu.is_free ? 1 : 0;
    }
    gpus.usable = std::min(gpus.free, request.mode == Mode::independent ? 1 : request.max_gpus);
    return gpus;
}

std::string why_not(const Pricing& pricing, const OfType& gpus) {
    const domain::Request& request = pricing.request();
    const domain::Device& type = pricing.cluster().devices[gpus.device];
    const std::uint64_t largest = pricing.largest_share(gpus.device);
    const std::uint32_t members = std::max(1U, gpus.usable);
    const auto format = request.workload.data_type.value_or(domain::DataType::fp32);
    if (type.peak_for(format) <= FlopRate(0)) {
        return "its speed is not known";
    }
    if (!cost::can_compute(request.workload, type)) {
        return fmt::format("has no {}", domain::info(format).name);
    }
    if (gpus.free == 0) {
        return fmt::format("all {} are busy", gpus.total);
    }
    if (largest < request.batch && largest < pricing.share_of(members)) {
        return too_large(pricing, type, members);
    }
    if (gpus.free < request.min_gpus) {
        return fmt::format("only {} of {} free, {} wanted", gpus.free, gpus.total,
                           request.min_gpus);
    }
    if (request.batch < request.min_gpus) {
        return fmt::format("only {} in the batch, {} wanted", counted(request.batch, "sample"),
                           counted(request.min_gpus, "GPU"));
    }
    if (request.mode == Mode::independent && request.min_gpus > 1) {
        return fmt::format("independent is one GPU, --gpus starts at {}", request.min_gpus);
    }
    return fmt::format("{} of {} free, no set of them keeps to the request", gpus.free, gpus.total);
}

// Nothing fits: each type by itself says why.
std::vector<Alternative> why_nothing_fits(const Pricing& pricing) {
    const domain::Cluster& cluster = pricing.cluster();
    const domain::Request& request = pricing.request();
    const auto mode = [&](std::uint32_t gpus) {
        return request.mode.value_or(std::max(gpus, request.min_gpus) > 1 ? Mode::sync
                                                                          : Mode::independent);
    };
    std::vector<Alternative> all;
    for (std::uint32_t device = 0; device < cluster.devices.size(); ++device) {
        const OfType gpus = gpus_of_type(pricing, device);
        if (gpus.total == 0 || all.size() >= most_alternatives) {
            continue;
        }
        all.push_back({mode(gpus.usable),
                       gpus.usable,
                       fmt::format("{} x {}", gpus.usable, cluster.devices[device].name),
                       {},
                       why_not(pricing, gpus)});
    }
    if (all.empty()) {
        all.push_back({mode(0), 0, "0 GPUs", {}, "the cluster has no GPU of a known type"});
    }
    return all;
}

// A plan at another rate than the chosen one.
std::string shorter(const domain::Request& request, const domain::Plan& other,
                    const domain::Plan& chosen) {
    const double ratio = other.length() / chosen.length();
    if (request.objective == domain::Objective::time) {
        return fmt::format("as good: {:.1f} % shorter, with fewer rows a step", 100 * (1 - ratio));
    }
    const double gpus =
        static_cast<double>(other.members.size()) / static_cast<double>(chosen.members.size());
    return fmt::format("{:.1f} % shorter, for {} times the GPU-seconds", 100 * (1 - ratio),
                       three_digits(gpus * ratio));
}

}  // namespace

std::string describe(const domain::Cluster& cluster, std::span<const domain::Member> members,
                     std::string_view across) {
    std::map<std::uint32_t, std::size_t> types;
    std::vector<std::string> names;
    for (const domain::Member& member : members) {
        const domain::Gpu& gpu = cluster.gpus[member.gpu];
        ++types[gpu.device];
        if (names.empty() || names.back() != cluster.nodes[gpu.node].name) {
            names.push_back(cluster.nodes[gpu.node].name);
        }
    }
    std::string text;
    for (const auto& [device, count] : types) {
        text += fmt::format("{}{} x {}", text.empty() ? "" : " + ", count,
                            cluster.devices[device].name);
    }
    if (!across.empty()) {
        text += fmt::format(" across {}", across);
    }
    return fmt::format("{} on {}", text, read::fold_hostlist(names));
}

std::vector<Alternative> rejected(Pricing& pricing, const FreeGpus& free,
                                  std::span<const Curve> curves, const std::optional<Point>& chosen,
                                  const std::vector<domain::Member>& members) {
    if (!chosen) {
        return why_nothing_fits(pricing);
    }
    List list(pricing, free, *chosen);
    const domain::Request& request = pricing.request();
    if (const auto other = second_choice(pricing, free, *chosen, members)) {
        list.add(*other);
    }
    for (const Curve& curve : curves) {  // the best of each mode
        const auto best = best_of(curve.allowed.empty() ? curve.points : curve.allowed, request);
        if (best) {
            list.add(curve, *best);
        }
        if (const auto fastest = fastest_of(curve.allowed); fastest && !curve.is_dropped) {
            list.add(curve, *fastest);
        }
    }
    for (const Curve& curve : curves) {  // sizes, by doubling
        std::uint64_t next = 2;
        for (const Point& point : curve.points) {
            if (point.mode == chosen->mode && point.size.members() >= next) {
                list.add(curve, point);
                next = 2 * point.size.members();
            }
        }
    }
    return std::move(list).cheapest_first();
}

void add_other_rates(domain::Plan& chosen, std::span<const domain::Plan> others,
                     const domain::Request& request, const domain::Cluster& cluster) {
    const auto shortest = std::ranges::min_element(others, {}, &domain::Plan::length);
    for (auto other = others.begin(); other != others.end(); ++other) {
        const double rate = other->exchange.sample_rate;
        // One GPU alone exchanges nothing, and is among the other sizes.
        if (other->members.size() < 2 || (other != shortest && rate < 1)) {
            continue;
        }
        const double ratio = other->length() / chosen.length();
        chosen.rejected.push_back(
            {.mode = other->mode,
             .gpus = static_cast<std::uint32_t>(other->members.size()),
             .where = fmt::format("{}, {}", describe(cluster, other->members),
                                  rate < 1 ? fmt::format("rate {}", rate) : "all gradients"),
             .seconds = other->length(),
             .reason = ratio < 1 ? shorter(request, *other, chosen) : slower(ratio)});
    }
    sort_and_cut(chosen.rejected);
}

}  // namespace hora::plan
