// `hora config check` and `hora config show`: is the set-up right, and what does it say?
#include "scripts/hora/site/config.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config.h"
#include "libplanner/read/file.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/report/plan/settings.hpp"
#include "scripts/hora/site/site.hpp"
#include "scripts/hora/site/state_files.hpp"
#ifdef HAVE_SLURM
#include "plugins/slurm/store/snapshot_file.hpp"
#endif

namespace hora::scripts {
namespace {

void remark_on_environment() {
    for (const std::string& remark : stray_variables()) {
        print_remark(remark);
    }
}

// Each would replace the other, or set it aside as damaged.
Expected<void> check_files(const read::Settings& settings) {
    const std::string& folder = settings.get<std::string>("horad.state");
    const std::pair<std::string, std::string> files[] = {
        {"\"snapshot.path\"", settings.get<std::string>("snapshot.path")},
        {"\"history.path\"", settings.get<std::string>("history.path")},
        {"\"horad.metrics\"", settings.get<std::string>("horad.metrics")},
        {"horad's status", path_of(StateFile::status, folder)},
        {"horad's journal", path_of(StateFile::journal, folder)},
    };
    std::map<std::filesystem::path, std::string> names;
    for (const auto& [name, path] : files) {
        if (path.empty()) {
            continue;
        }
        const auto [first, is_new] =
            names.emplace(std::filesystem::path(path).lexically_normal(), name);
        if (!is_new) {
            return wrong_use(fmt::format("{} and {} are the same file, {}; name another path",
                                         first->second, name, read::quoted(path)));
        }
    }
    return {};
}

// Those beyond the last port are not used: a range that is cut was not meant so.
Expected<void> check_ports(const read::Settings& settings) {
    constexpr std::uint64_t last = 65535;
    constexpr read::SettingKey<std::uint64_t> base("master.port_base");
    constexpr read::SettingKey<std::uint64_t> range("master.port_range");
    const std::uint64_t first = settings.get<std::uint64_t>(base);
    const std::uint64_t count = settings.get<std::uint64_t>(range);
    if (first + count - 1 <= last) {
        return {};
    }
    const std::string& of_base = settings.entries()[base.index()].where;
    const std::string& where = of_base.empty() ? settings.entries()[range.index()].where : of_base;
    return wrong_use(fmt::format(
        "{}: \"master.port_base\" {} and \"master.port_range\" {} reach beyond port {}; "
        "let the range be {} at most, or begin lower",
        read::printable(where, where.size()), first, count, last, last + 1 - first));
}

Expected<void> check_all(const read::Settings& settings) {
    return check_policy(settings).and_then([&] { return check_files(settings); }).and_then([&] {
        return check_ports(settings);
    });
}

Expected<std::string> check(const std::string& path) {
    const auto text = read::read_file(path);
    if (!text) {
        return unexpected(text.error());
    }
    return read::read_settings(*text, path)
        .and_then(check_all)
        .and_then([&] { return check_site_nodes(*text, path); })
        .map([&](const read::SiteNodes&) {
            return fmt::format("{}: OK\n", read::printable(path, path.size()));
        });
}

// Is it a file that slurmctld acts on? Which user SlurmUser is, slurm.conf alone says.
Expected<void> check_trust([[maybe_unused]] const std::string& path) {
#ifdef HAVE_SLURM
    struct stat status {};
    const uid_t owner = ::stat(path.c_str(), &status) == 0 ? status.st_uid : 0;
    if (const auto text = slurm::read_trusted_file(path, owner); !text) {
        return failure(fmt::format("slurmctld does not take {}, which {}", read::quoted(path),
                                   text.error().message));
    }
    if (owner != 0) {
        print_remark(
            fmt::format("{} belongs to user {}; slurmctld takes it only where that is its "
                        "SlurmUser",
                        read::printable(path, path.size()), owner));
    }
#endif
    return {};
}

// With what the environment says besides, as the daemon takes it.
Expected<std::string> check_in_use() {
    const std::string path = settings_path();
    const bool is_there = std::getenv("HORA_CONF") != nullptr || ::access(path.c_str(), F_OK) == 0;
    auto checked =
        is_there ? check(path) : fmt::format("{}: there is none, so the defaults hold\n", path);
    if (const auto all = checked ? load_settings().and_then(check_all) : Expected<void>(); !all) {
        return unexpected(all.error());
    }
    if (const auto trust = is_there && checked ? check_trust(path) : Expected<void>(); !trust) {
        return unexpected(trust.error());
    }
    return checked;
}

Expected<std::string> show(const std::vector<std::string>& overrides, bool is_json) {
    return load_settings(overrides).map([&](const read::Settings& settings) {
        return is_json ? report::settings_json(settings) : report::settings_table(settings);
    });
}

void add_check(CLI::App& config, Outcome& outcome) {
    const auto path = std::make_shared<std::string>();
    CLI::App* const command =
        config.add_subcommand("check", "Read a settings file and say what is wrong with it");
    command->add_option("file", *path, "Settings file; without it the one in use")
        ->type_name("FILE")
        ->check(&not_empty);
    command->callback([&outcome, path] {
        remark_on_environment();
        outcome.exit = print(path->empty() ? check_in_use() : check(*path));
    });
}

void add_show(CLI::App& config, Outcome& outcome) {
    const auto overrides = std::make_shared<std::vector<std::string>>();
    const auto is_json = std::make_shared<bool>(false);
    CLI::App* const command =
        config.add_subcommand("show", "Print every setting, its value and where it comes from");
    command->add_option("--set", *overrides, "Override a setting")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    command->add_flag("--json", *is_json, "Print one JSON object");
    command->callback([&outcome, overrides, is_json] {
        remark_on_environment();
        outcome.exit = print(show(*overrides, *is_json));
    });
}

}  // namespace

void add_config_commands(CLI::App& app, Outcome& outcome) {
    CLI::App* const config =
        app.add_subcommand("config", "Check and show the settings of hora.toml");
    config->require_subcommand(1);
    add_check(*config, outcome);
    add_show(*config, outcome);
    // For the manual page: no group hides it from --help.
    config->add_subcommand("man", "Print the list of settings for hora.toml(5)")
        ->group("")
        ->callback([&outcome] { outcome.exit = print(report::settings_manual()); });
}

}  // namespace hora::scripts
