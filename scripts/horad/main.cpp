// The `horad` daemon: reads its command line, makes sure that it is the only one, and runs.
#include <fcntl.h>
#include <fmt/format.h>
#include <slurm/slurm.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "config.h"
#include "libplanner/base/written_output.hpp"
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

extern "C" void give_up(int) {
    constexpr std::string_view message =
        "horad: found no configuration of Slurm; is SLURM_CONF right?\n";
    static_cast<void>(!::write(STDERR_FILENO, message.data(), message.size()));
    ::_exit(1);
}

// libslurm looks for its configuration for a minute, and then ends the process with few words.
Expected<void> start_slurm() {
    constexpr unsigned patience = 30;
    const char* const named = std::getenv("SLURM_CONF");
    if (named != nullptr && ::access(named, R_OK) != 0) {
        return failure(fmt::format("cannot read \"{}\", which SLURM_CONF names", named));
    }
    std::signal(SIGALRM, give_up);
    ::alarm(patience);
    slurm_init(nullptr);
    ::alarm(0);
    return {};
}

int run(const Options& options) {
    if (!options.settings.empty()) {
        ::setenv("HORA_CONF", options.settings.c_str(), 1);
    }
    auto site = horad::load_site();
    if (!site) {
        return report(site.error());
    }
    const auto instance = horad::Instance::claim(site->settings.get<std::string>("horad.state"));
    if (!instance) {
        return report(instance.error());
    }
    if (const auto started = start_slurm(); !started) {
        return report(started.error());
    }
    auto signals = horad::Signals::block();
    if (!signals) {
        return report(signals.error());
    }
    horad::Log log;
    horad::Daemon daemon(*std::move(site), log);
    if (options.is_once) {
        return daemon.run_once() ? 0 : 1;
    }
    daemon.run(*signals);
    return 0;
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
