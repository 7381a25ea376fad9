// What has the site set for the daemon?
#include "scripts/horad/observe/site.hpp"

#include <utility>

#include "scripts/hora/site/site.hpp"

namespace hora::horad {

Expected<Site> load_site() {
    auto settings = scripts::load_settings();
    auto nodes = settings ? scripts::load_site_nodes() : unexpected(settings.error());
    if (!nodes) {
        return unexpected(nodes.error());
    }
    if (const auto good = scripts::check_policy(*settings); !good) {
        return unexpected(good.error());
    }
    slurm::SiteFacts facts{settings->devices(), read::network_link(*settings), *std::move(nodes)};
    return Site{*std::move(settings), std::move(facts)};
}

}  // namespace hora::horad
