// How are measured bandwidths written down?
#include "libplanner/report/machine/measured_links.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "libplanner/read/pci_address.hpp"

namespace hora::report {

std::string to_json(std::span<const MeasuredLink> links) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const MeasuredLink& link : links) {
        list.push_back({{"a", read::format_pci_address(link.a)},
                        {"b", read::format_pci_address(link.b)},
                        {"bandwidth", link.bandwidth.count()}});
    }
    const nlohmann::ordered_json object{{"version", 1}, {"links", std::move(list)}};
    return object.dump(2) + "\n";
}

}  // namespace hora::report
