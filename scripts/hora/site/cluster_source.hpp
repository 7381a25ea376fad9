// Where does a command's --cluster FILE come from: a cluster file, or a snapshot?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/measured.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::scripts {

// It starts as JSON does; anything else is a cluster file.
bool is_snapshot(std::string_view text);

// GPUs of a snapshot's unusable nodes are not free. On failure: the file and what is wrong there.
// Where `measured` is given, it gets what a snapshot knows of earlier runs.
Expected<domain::Cluster> load_cluster(const std::string& path, const read::Settings& settings,
                                       std::vector<domain::MeasuredSpeed>* measured = nullptr);

}  // namespace hora::scripts
