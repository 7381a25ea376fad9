// How is the inside of a machine shown as a tree?
#include "libplanner/report/topology.hpp"

namespace hora::report {

std::string topology_tree(const domain::Topology&) {
    return "";
}

}  // namespace hora::report
