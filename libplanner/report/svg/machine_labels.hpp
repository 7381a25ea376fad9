// What do the boxes in the picture of a machine say?
#pragma once

#include <string>
#include <vector>

#include "libplanner/domain/topology.hpp"
#include "libplanner/report/svg/machine_boxes.hpp"

namespace hora::report {

struct BoxLabel {
    std::vector<std::string> lines;  // at most three, the first one its heading
    std::string title;               // all that is known of it
};

BoxLabel label_of(const domain::Topology& topology, const MachineBox& box);

// "gpu8 (DGXA100)"
std::string machine_name(const domain::Topology& topology);
// "2 x Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", "8 x Tesla T4", ...
std::vector<std::string> contents_of(const domain::Topology& topology);

}  // namespace hora::report
