// The `hora` command: finds the subcommand and turns what it found into an exit code.
#include <cstdio>
#include <exception>
#include <string>

#include "config.h"
#include "libplanner/base/written_output.hpp"
#include "scripts/hora/command/command.hpp"
#include "scripts/hora/elastic/elastic.hpp"
#include "scripts/hora/machine/calibrate.hpp"
#include "scripts/hora/site/cluster.hpp"
#include "scripts/hora/site/config.hpp"
#ifdef HAVE_SLURM
#include "scripts/hora/jobs/explain.hpp"
#include "scripts/hora/jobs/relax.hpp"
#include "scripts/hora/jobs/resize.hpp"
#endif
#include "scripts/hora/elastic/replay.hpp"
#include "scripts/hora/elastic/simulate.hpp"
#include "scripts/hora/history/history.hpp"
#include "scripts/hora/history/report.hpp"
#include "scripts/hora/jobs/status.hpp"
#include "scripts/hora/machine/ring.hpp"
#include "scripts/hora/machine/topology.hpp"
#include "scripts/hora/plan/model.hpp"
#include "scripts/hora/plan/plan.hpp"
#include "scripts/hora/timeline/timeline.hpp"

namespace {

using hora::scripts::Exit;
using hora::scripts::Outcome;

int flushed(Exit exit) {
    return static_cast<int>(hora::is_output_written("hora") ? exit : Exit::failed);
}

int run(int argc, char** argv) {
    CLI::App app{"Plans deep-learning training on a Slurm cluster, and explains it.", "hora"};
    app.set_version_flag("--version", std::string("hora ") + PACKAGE_VERSION);
    app.require_subcommand(1);
    Outcome outcome;
    hora::scripts::add_model_commands(app, outcome);
    hora::scripts::add_calibrate_command(app, outcome);
    hora::scripts::add_config_commands(app, outcome);
    hora::scripts::add_elastic_command(app, outcome);
    hora::scripts::add_history_command(app, outcome);
    hora::scripts::add_plan_command(app, outcome);
    hora::scripts::add_report_command(app, outcome);
    hora::scripts::add_replay_command(app, outcome);
    hora::scripts::add_ring_command(app, outcome);
    hora::scripts::add_simulate_command(app, outcome);
    hora::scripts::add_status_command(app, outcome);
    hora::scripts::add_timeline_command(app, outcome);
    hora::scripts::add_topology_command(app, outcome);
#ifdef HAVE_SLURM
    hora::scripts::add_explain_command(app, outcome);
    hora::scripts::add_relax_command(app, outcome);
    hora::scripts::add_resize_command(app, outcome);
    hora::scripts::add_cluster_commands(app, outcome);
#endif
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            app.exit(error);
            return flushed(Exit::done);
        }
        return static_cast<int>(hora::scripts::report(app, error));
    }
    return flushed(outcome.exit);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hora: %s; this is a bug\n", error.what());
        return static_cast<int>(Exit::failed);
    }
}
