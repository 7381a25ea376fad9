// What has this site, and this call, set?
#include "scripts/hora/site/site.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "config.h"
#include "libplanner/base/nearest.hpp"
#include "libplanner/elastic/policies/policy.hpp"
#include "libplanner/read/cluster/topology.hpp"
#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::scripts {
namespace {

// None at the usual place says nothing.
Expected<std::string> settings_text() {
    const std::string path = settings_path();
    if (std::getenv("HORA_CONF") == nullptr && access(path.c_str(), F_OK) != 0) {
        return std::string();
    }
    return read::read_file(path);
}

Expected<read::Settings> from_file() {
    return settings_text().and_then(
        [](const std::string& text) { return read::read_settings(text, settings_path()); });
}

}  // namespace

std::string settings_path() {
    const char* const path = std::getenv("HORA_CONF");
    return path == nullptr ? HORA_SYSCONFDIR "/hora.toml" : path;
}

Expected<void> check_policy(const read::Settings& settings) {
    constexpr read::SettingKey<std::string> key("elastic.policy");
    const read::Settings::Entry& set = settings.entries()[key.index()];
    const auto policy = elastic::make_policy(std::get<std::string>(set.value));
    return policy ? Expected<void>()
                  : unexpected(policy.error().within("\"elastic.policy\"").within(set.where));
}

Expected<read::SiteNodes> load_site_nodes() {
    return settings_text().and_then([](const std::string& text) {
        return read::read_site_nodes(text, settings_path(), &read::read_topology);
    });
}

Expected<read::SiteNodes> check_site_nodes(std::string_view toml, const std::string& path) {
    auto nodes = read::read_site_nodes(toml, path, &read::read_topology);
    for (std::size_t i = 0; nodes && i < nodes->insides.size(); ++i) {
        const auto& topology = nodes->topologies[i];
        if (topology && !*topology) {
            return unexpected(topology->error().within(nodes->insides[i].where_topology));
        }
    }
    return nodes;
}

std::vector<std::string> stray_variables() {
    std::vector<std::string> known;
    for (const read::Setting& setting : read::setting_table) {
        known.push_back(read::environment_name(setting.name));
    }
    const std::vector<std::string_view> names(known.begin(), known.end());
    std::vector<std::string> remarks;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const std::string_view name = text.substr(0, text.find('='));
        if (name.starts_with("HORA_CONF_") &&
            std::find(names.begin(), names.end(), name) == names.end()) {
            remarks.push_back(
                fmt::format("the environment sets {}, which is no setting's variable{}",
                            read::quoted(name), did_you_mean(name, names)));
        }
    }
    return remarks;
}

Expected<read::Settings> load_settings(const std::vector<std::string>& overrides) {
    auto settings = from_file();
    if (!settings) {
        return settings;
    }
    for (const read::Setting& setting : read::setting_table) {
        const std::string variable = read::environment_name(setting.name);
        const char* const text = std::getenv(variable.c_str());
        if (text == nullptr) {
            continue;
        }
        auto good = settings->set(setting.name, text, read::Origin::environment, variable);
        if (!good) {
            return unexpected(good.error());
        }
    }
    for (const std::string& override : overrides) {
        const std::size_t equals = override.find('=');
        if (equals == std::string::npos) {
            return wrong_use(
                fmt::format("--set \"{}\" has no value; write it like NAME=VALUE", override));
        }
        auto good = settings->set(override.substr(0, equals), override.substr(equals + 1),
                                  read::Origin::command_line, "--set");
        if (!good) {
            return unexpected(good.error());
        }
    }
    return settings;
}

}  // namespace hora::scripts
