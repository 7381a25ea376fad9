// What has this site, and this call, set?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/read/cluster/site_nodes.hpp"
#include "libplanner/read/settings/settings.hpp"

namespace hora::scripts {

// The file that HORA_CONF names, else hora.toml of the system.
std::string settings_path();

// That file (none at the usual place means defaults; none where HORA_CONF says is an error), then
// the environment (HORA_CONF_SUBMIT_BUDGET=...), then `overrides` ("submit.budget=5 ms").
Expected<read::Settings> load_settings(const std::vector<std::string>& overrides = {});

// Whether elastic.policy is one that there is; the message says where it is set.
Expected<void> check_policy(const read::Settings& settings);

// What that file says of the inside of nodes, with the topology files that it names.
Expected<read::SiteNodes> load_site_nodes();
// The same of a text; a topology file that cannot be used is an error here.
Expected<read::SiteNodes> check_site_nodes(std::string_view toml, const std::string& path);

// A remark on each variable HORA_CONF_... that is no setting's; empty where all are.
std::vector<std::string> stray_variables();

}  // namespace hora::scripts
