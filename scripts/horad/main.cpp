// The `horad` daemon: reads its command line, makes sure that it is the only one, and runs.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "config.h"
#include "libplanner/base/written_output.hpp"
#include "plugins/slurm/start.hpp"
#include "scripts/hora/command/command.hpp"
#include "scripts/horad/daemon.hpp"
#include "scripts/horad/failover/instance.hpp"

namespace {

using namespace hora;

struct Options {
    std::string settings;
    bool is_once = false;
};

int report(const Error& error) {
    std::fprintf(stderr, "horad: %s\n", error.message.c_str());
    return 1;
}

// Else the next file that is opened takes the place of a closed one, and gets what is logged.
void fill_standard_descriptors() {
    int file = ::open("/dev/null", O_RDWR);
    while (file >= 0 && file <= STDERR_FILENO) {
        file = ::open("/dev/null", O_RDWR);
    }
    if (file >= 0) {
        ::close(file);
    }
}

int run(const Options& options) {
    if (!options.settings.empty()) {
        ::setenv("HORA_CONF", options.settings.c_str(), 1);
    }
    auto site = horad::load_site();
    if (!site) {
        return report(site.error());
    }
    auto instance = horad::Instance::claim(site->settings.get<std::string>("horad.state"));
    if (!instance) {
        return report(instance.error());
    }
    if (const auto started = slurm::start("horad"); !started) {
        return report(started.error());
    }
    auto signals = horad::Signals::block();
    if (!signals) {
        return report(signals.error());
    }
    horad::Log log;
    horad::Daemon daemon(*std::move(site), *std::move(instance), log);
    if (options.is_once) {
        return daemon.run_once() ? 0 : 1;
    }
    return daemon.run(*signals) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    fill_standard_descriptors();
    CLI::App app{"Watches the cluster for Hora, on the host of slurmctld.", "horad"};
    Options options;
    app.set_version_flag("--version", std::string("horad ") + PACKAGE_VERSION);
    app.add_option("--settings", options.settings, "The settings' file, in place of hora.toml")
        ->type_name("FILE");
    app.add_flag("--once", options.is_once, "One round, then end; 1 if it could not be done");
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::ParseError& error) {
        const bool is_asked_for = error.get_exit_code() == 0;  // --help, --version
        if (!is_asked_for) {
            return static_cast<int>(scripts::report(app, error));
        }
        app.exit(error);
        return is_output_written("horad") ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "horad: %s; this is a bug\n", error.what());
        return 1;
    }
}
