// How are the stops of a ring and its links' bandwidths written as JSON?
#include "libplanner/report/machine/ring_stops.hpp"

#include <fmt/format.h>

namespace hora::report {

using Json = nlohmann::ordered_json;

std::string name_of(const plan::RingStop& stop) {
    return stop.node.empty() ? fmt::format("{}", stop.gpu)
                             : fmt::format("{}:{}", stop.node, stop.gpu);
}

Json json_of(const plan::RingStop& stop) {
    return stop.node.empty() ? Json(stop.gpu) : Json(name_of(stop));
}

Json order_of(const plan::RingFigures& ring) {
    Json order = Json::array();
    for (const plan::RingStop& stop : ring.stops) {
        order.push_back(json_of(stop));
    }
    return order;
}

Json known(Bandwidth bandwidth) {
    return bandwidth > Bandwidth(0) ? Json(bandwidth.count()) : Json(nullptr);
}

}  // namespace hora::report
