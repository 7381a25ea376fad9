// How is it reported whether NCCL built the predicted ring?
#include "libplanner/report/machine/ring_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "libplanner/base/counted.hpp"
#include "libplanner/read/index_ranges.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/machine/ring.hpp"
#include "libplanner/report/machine/ring_stops.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_links_shown = 8;

Json figures_json(const plan::RingFigures& ring) {
    Json object{{"order", order_of(ring)},
                {"bottleneck", known(ring.bottleneck)},
                {"bus_bandwidth", known(ring.pace.value_or(Bandwidth(0)))}};
    if (ring.crossings) {
        object["crossings"] = *ring.crossings;
    }
    return object;
}

Json links_json(const plan::RingFigures& ring, const std::vector<plan::RingLink>& links) {
    Json all = Json::array();
    for (const plan::RingLink& link : links) {
        all.push_back({{"a", json_of(ring.stops[link.a])},
                       {"b", json_of(ring.stops[link.b])},
                       {"kind", link.kind},
                       {"bandwidth", known(link.bandwidth)}});
    }
    return all;
}

std::string links_text(const plan::RingFigures& ring, const std::vector<plan::RingLink>& links) {
    std::string text;
    for (std::size_t i = 0; i < std::min(links.size(), most_links_shown); ++i) {
        text += fmt::format("{}{} - {} ({} {})", i == 0 ? "" : ", ",
                            name_of(ring.stops[links[i].a]), name_of(ring.stops[links[i].b]),
                            links[i].kind, speed_text(links[i].bandwidth));
    }
    return links.size() <= most_links_shown
               ? text
               : text + fmt::format(" and {} more", links.size() - most_links_shown);
}

template <class Value>
std::string change(std::string_view what, const Value& predicted, const Value& found) {
    return predicted == found ? std::string()
                              : fmt::format("; {} {} in place of {}", what, found, predicted);
}

std::string cost_text(const plan::RingFigures& predicted, const plan::RingFigures& found) {
    const auto speed = [](const std::optional<Bandwidth>& pace) {
        return speed_text(pace.value_or(Bandwidth(0)));
    };
    const std::string text =
        change("slowest link", speed_text(predicted.bottleneck), speed_text(found.bottleneck)) +
        change("all-reduce at most", speed(predicted.pace), speed(found.pace)) +
        change("crossings between switches", predicted.crossings.value_or(0),
               found.crossings.value_or(0));
    return text.empty() ? "costs nothing: no link is slower" : text.substr(2);
}

std::string ring_text(const plan::RingVerdict& verdict, const plan::FoundRing& ring) {
    const std::string channels =
        fmt::format("channel{} {}", plural(ring.channels.size()), read::fold_ranges(ring.channels));
    if (ring.is_same) {
        return fmt::format("  {}: the predicted ring\n", channels);
    }
    return fmt::format("  {}: another ring{}, {}\n    has      {}\n    and not  {}\n    {}\n",
                       channels, ring.is_as_fast ? ", as fast" : "", order_text(ring.figures),
                       links_text(ring.figures, ring.instead),
                       links_text(verdict.predicted, ring.missing),
                       cost_text(verdict.predicted, ring.figures));
}

}  // namespace

std::string to_json(std::span<const plan::RingVerdict> verdicts) {
    Json communicators = Json::array();
    for (const plan::RingVerdict& verdict : verdicts) {
        Json rings = Json::array();
        for (const plan::FoundRing& found : verdict.found) {
            Json ring = figures_json(found.figures);
            ring["channels"] = found.channels;
            ring["same"] = found.is_same;
            ring["as_fast"] = found.is_same || found.is_as_fast;
            ring["missing"] = links_json(verdict.predicted, found.missing);
            ring["instead"] = links_json(found.figures, found.instead);
            rings.push_back(std::move(ring));
        }
        communicators.push_back({{"id", verdict.communicator},
                                 {"ranks", verdict.predicted.stops.size()},
                                 {"predicted", figures_json(verdict.predicted)},
                                 {"rings", std::move(rings)},
                                 {"untold", verdict.torn}});
    }
    const bool is_good =
        std::all_of(verdicts.begin(), verdicts.end(),
                    [](const plan::RingVerdict& verdict) { return verdict.is_good(); });
    const Json object{
        {"version", 1}, {"same", is_good}, {"communicators", std::move(communicators)}};
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_text(std::span<const plan::RingVerdict> verdicts) {
    std::string text;
    for (const plan::RingVerdict& verdict : verdicts) {
        text += fmt::format(
            "communicator{} of {}   predicted {}   slowest link {}\n",
            verdict.communicator.empty() ? "" : " " + read::quoted(verdict.communicator),
            counted(verdict.predicted.stops.size(), "rank"), order_text(verdict.predicted),
            speed_text(verdict.predicted.bottleneck));
        for (const plan::FoundRing& ring : verdict.found) {
            text += ring_text(verdict, ring);
        }
        if (verdict.torn > 0) {
            text += fmt::format(
                "  {} channel{} cut short in the log; NCCL_DEBUG_SUBSYS=INIT,GRAPH shows all\n",
                verdict.torn, verdict.torn == 1 ? " is" : "s are");
        }
    }
    return text;
}

}  // namespace hora::report
