// How is a predicted ring shown to people and to programs?
#include "libplanner/report/machine/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/slurm/hostlist.hpp"
#include "libplanner/report/machine/ring_stops.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

// What a ring comes to, beside its order and links.
void add_figures(Json& object, const plan::RingFigures& ring) {
    object["bus_bandwidth"] = known(all_reduce_at_most(ring));
    if (ring.set && ring.set->channels > 0) {
        object["channels"] = ring.set->channels;
        object["exact"] = ring.set->is_exact;
    }
    if (ring.crossings) {
        object["nodes"] = ring.nodes;
        object["crossings"] = *ring.crossings;
    }
}

// Consecutive stops on one node: [first, last].
using Run = std::pair<std::size_t, std::size_t>;

std::vector<Run> runs_of(const plan::RingFigures& ring) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < ring.stops.size(); ++i) {
        if (i == 0 || ring.stops[i].node != ring.stops[i - 1].node) {
            runs.emplace_back(i, i);
        }
        runs.back().second = i;
    }
    return runs;
}

std::string mark(const plan::RingFigures& ring, Bandwidth bandwidth) {
    return is_slowest(ring, bandwidth) ? "   slowest" : "";
}

std::string link_lines(const plan::RingFigures& ring) {
    std::string text;
    for (const plan::RingLink& link : ring.links) {
        fmt::format_to(std::back_inserter(text), "  {:>3} - {:<3}  {:<6}  {:>10}{}\n",
                       name_of(ring.stops[link.a]), name_of(ring.stops[link.b]), link.kind,
                       speed_text(link.bandwidth), mark(ring, link.bandwidth));
    }
    return text;
}

std::string link_text(const plan::RingFigures& ring, const plan::RingLink* link) {
    return link == nullptr ? "-"
                           : fmt::format("{} {}{}", link->kind, speed_text(link->bandwidth),
                                         mark(ring, link->bandwidth));
}

// "n1    0-1-2-3  sys 6 GB/s          net 1.25 GB/s   slowest"
std::string node_lines(const plan::RingFigures& ring) {
    std::vector<std::array<std::string, 4>> rows{{"node", "gpus", "inside", "to the next"}};
    for (const auto& [first, last] : runs_of(ring)) {
        std::string gpus;
        const plan::RingLink* slowest = nullptr;
        for (std::size_t i = first; i <= last; ++i) {
            gpus += fmt::format("{}{}", i == first ? "" : "-", ring.stops[i].gpu);
            if (i < last && (slowest == nullptr || ring.links[i].bandwidth < slowest->bandwidth)) {
                slowest = &ring.links[i];
            }
        }
        rows.push_back({ring.stops[first].node, gpus, link_text(ring, slowest),
                        link_text(ring, &ring.links[std::min(last, ring.links.size() - 1)])});
    }
    std::array<std::size_t, 3> widths{};
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const auto& row : rows) {
        fmt::format_to(std::back_inserter(text), "  {:<{}}  {:<{}}  {:<{}}  {}\n", row[0],
                       widths[0], row[1], widths[1], row[2], widths[2], row[3]);
    }
    return text;
}

// Where not all sets of channels could be looked at.
bool is_bound(const plan::RingFigures& ring) {
    return ring.set && !ring.set->is_exact;
}

std::string worth_text(const plan::RingFigures& ring) {
    std::string text = fmt::format("slowest link {}", speed_text(ring.bottleneck));
    if (const Bandwidth most = all_reduce_at_most(ring); most > Bandwidth(0)) {
        text += fmt::format(", all-reduce at {} {}", is_bound(ring) ? "least" : "most",
                            speed_text(most));
    }
    if (ring.set && ring.set->channels > 1) {
        text +=
            fmt::format(" in {} channels of {}", ring.set->channels, speed_text(ring.set->channel));
    }
    if (ring.crossings && ring.nodes.size() > 1) {
        text += fmt::format(", {} between switches", counted(*ring.crossings, "crossing"));
    }
    return text;
}

bool is_same_order(const plan::RingFigures& a, const plan::RingFigures& b) {
    return std::equal(a.stops.begin(), a.stops.end(), b.stops.begin(), b.stops.end(),
                      [](const plan::RingStop& x, const plan::RingStop& y) {
                          return x.node == y.node && x.gpu == y.gpu;
                      });
}

}  // namespace

bool is_even(const plan::RingFigures& ring) {
    return std::all_of(ring.links.begin(), ring.links.end(), [&](const plan::RingLink& link) {
        return link.bandwidth == ring.bottleneck;
    });
}

bool is_slowest(const plan::RingFigures& ring, Bandwidth bandwidth) {
    return ring.bottleneck > Bandwidth(0) && bandwidth == ring.bottleneck && !is_even(ring);
}

std::string speed_text(Bandwidth bandwidth) {
    return bandwidth > Bandwidth(0) ? fmt::format("{:.4g} GB/s", bandwidth.count() / 1e9)
                                    : "unknown";
}

Bandwidth all_reduce_at_most(const plan::RingFigures& ring) {
    return ring.set ? ring.set->bandwidth : ring.pace.value_or(Bandwidth(0));
}

std::string order_text(const plan::RingFigures& ring) {
    if (ring.nodes.size() > 1) {
        return read::fold_hostlist(ring.nodes);
    }
    std::string text;
    for (const plan::RingStop& stop : ring.stops) {
        text += (text.empty() ? "" : "-") + name_of(stop);
    }
    return text;
}

std::string to_json(const plan::PredictedRing& ring) {
    Json links = Json::array();
    for (const plan::RingLink& link : ring.best.links) {
        links.push_back({{"a", json_of(ring.best.stops[link.a])},
                         {"b", json_of(ring.best.stops[link.b])},
                         {"kind", link.kind},
                         {"bandwidth", known(link.bandwidth)}});
    }
    Json plain{{"order", order_of(ring.plain)}, {"bottleneck", known(ring.plain.bottleneck)}};
    add_figures(plain, ring.plain);
    Json object{{"version", 1},
                {"order", order_of(ring.best)},
                {"bottleneck", known(ring.best.bottleneck)},
                {"links", std::move(links)}};
    add_figures(object, ring.best);
    object["plain"] = std::move(plain);
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_table(const plan::PredictedRing& ring) {
    const plan::RingFigures& best = ring.best;
    const std::size_t gpus = best.stops.size();
    const bool is_wide = best.nodes.size() > 1;
    std::string text = is_wide
                           ? fmt::format("ring of {} GPUs on {} nodes", gpus, best.nodes.size())
                           : fmt::format("ring of {} {}", counted(gpus, "GPU"), order_text(best));
    if (best.links.empty()) {
        return text + "   no link\n";
    }
    text += fmt::format("   {}\n", worth_text(best));
    text += is_wide ? node_lines(best) : link_lines(best);
    if (is_wide) {
        text += fmt::format("  order of nodes  {}\n", read::fold_hostlist(best.nodes));
    }
    text += is_same_order(best, ring.plain)
                ? "  the plain order is this one\n"
                : fmt::format("  plain order  {}\n", worth_text(ring.plain));
    return text;
}

}  // namespace hora::report
