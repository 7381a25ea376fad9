// What has the site set for the daemon?
#include "scripts/horad/observe/site.hpp"

#include <utility>

#include "libplanner/elastic/policies/policy.hpp"
#include "scripts/hora/site/site.hpp"

namespace hora::horad {
namespace {

// Jobs may be half way through a resize when a newer horad starts: it is not to refuse its work for
// a policy that has ended since.
Expected<std::string> replace_ended_policy(read::Settings& settings) {
    const auto good = scripts::check_policy(settings);
    const auto successor = elastic::successor_of(settings.get<std::string>("elastic.policy"));
    if (good || successor.empty()) {
        return good.map([] { return std::string(); });
    }
    constexpr read::SettingKey<std::string> key("elastic.policy");
    const read::Settings::Entry set = settings.entries()[key.index()];
    return settings.set("elastic.policy", successor, set.origin, set.where).map([&] {
        return good.error().message + "; horad takes that until then";
    });
}

}  // namespace

Expected<Site> load_site() {
    auto settings = scripts::load_settings();
    auto nodes = settings ? scripts::load_site_nodes() : unexpected(settings.error());
    if (!nodes) {
        return unexpected(nodes.error());
    }
    auto warning = replace_ended_policy(*settings);
    if (!warning) {
        return unexpected(warning.error());
    }
    slurm::SiteFacts facts{settings->devices(), read::network_link(*settings), *std::move(nodes)};
    return Site{*std::move(settings), std::move(facts), *std::move(warning)};
}

}  // namespace hora::horad
