// Where Slurm enters the SPANK plugin "hora".
//
// plugstack.conf: optional .../spank_hora.so [settings=FILE] [helper=PROGRAM] [watcher=PROGRAM]
//   [mpi-library=FILE]
//   settings  hora.toml, default SYSCONFDIR/hora/hora.toml
//   helper    program that reads a model, in place of the setting model.reader
//   watcher   program that stands beside a batch script, default LIBEXECDIR/hora/hora-watch-job;
//             empty: none does
//   mpi-library  what tasks with --hora-allreduce preload, default PKGLIBDIR/libhora_mpi.so
//   stub      accepts the options and ignores them: for a cluster from which Hora was removed
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "libplanner/read/settings/job_options.hpp"
#include "plugins/spank/compute_side.hpp"
#include "plugins/spank/guard.hpp"
#include "plugins/spank/rank_order.hpp"
#include "plugins/spank/submit_side.hpp"

extern "C" {
// A const object has internal linkage in C++ unless it was declared extern first.
extern const char plugin_name[];
extern const char plugin_type[];
extern const unsigned int plugin_version;
extern const unsigned int spank_plugin_version;
SPANK_PLUGIN(hora, 1)
}

namespace hora::spank {
namespace {

// Slurm gives its callbacks nothing to hold on to, so this is the one object that lives between
// them.
struct Plugin {
    SubmitSide submit;
    ComputeSide compute;
    std::string ignored;  // by the stub: the last option that was given
};

Plugin& plugin() {
    static Plugin the_plugin;
    return the_plugin;
}

// Null for an index that is none of ours, and on a node: there a job never fails, as its options
// were checked on submit.
const read::JobOption* given_option(int index, int is_remote) {
    const auto options = read::job_options();
    const bool is_known =
        is_remote == 0 && index >= 0 && static_cast<std::size_t>(index) < options.size();
    return is_known ? &options[static_cast<std::size_t>(index)] : nullptr;
}

int take_option(int index, const char* value, int is_remote) {
    return guard("option", [&] {
        const read::JobOption* const option = given_option(index, is_remote);
        return option == nullptr ||
                       plugin().submit.take(option->name, value == nullptr ? "" : value)
                   ? 0
                   : -1;
    });
}

int ignore_option(int index, const char* /*value*/, int is_remote) {
    return guard("option", [&] {
        if (const read::JobOption* const option = given_option(index, is_remote);
            option != nullptr) {
            plugin().ignored = option->name;
        }
        return 0;
    });
}

bool is_stub(int count, char** words) {
    const std::span<char*> arguments(words, static_cast<std::size_t>(count));
    return std::any_of(arguments.begin(), arguments.end(),
                       [](std::string_view word) { return word == "stub"; });
}

template <class Body>
int unless_stub(int count, char** words, const char* where, Body body) noexcept {
    return is_stub(count, words) ? 0 : guard(where, body);
}

void register_options(spank_t spank, spank_opt_cb_f take) {
    int index = 0;
    for (const read::JobOption& option : read::job_options()) {
        // Slurm copies them.
        std::string name(option.name);
        std::string argument(option.argument);
        std::string help(option.help);
        spank_option registered{name.data(), argument.empty() ? nullptr : argument.data(),
                                help.data(), argument.empty() ? 0 : 1,
                                index++,     take};
        if (spank_option_register(spank, &registered) != ESPANK_SUCCESS) {
            slurm_error("hora: --%s is taken by another plugin", name.c_str());
        }
    }
}

}  // namespace
}  // namespace hora::spank

extern "C" int slurm_spank_init(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return guard("init", [&] {
        const spank_context_t context = spank_context();
        if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE) {
            return 0;
        }
        if (is_stub(count, words)) {
            register_options(spank, ignore_option);
            return 0;
        }
        register_options(spank, take_option);
        if (context != S_CTX_REMOTE) {
            const bool is_step = context == S_CTX_LOCAL && std::getenv("SLURM_JOB_ID") != nullptr;
            const SettingsSource source = SettingsSource::from_arguments(count, words);
            plugin().submit.start(source, !is_step);
            if (context == S_CTX_LOCAL) {
                prepare_srun(source, is_step);
            }
        }
        return 0;
    });
}

extern "C" int slurm_spank_init_post_opt(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return guard("options", [&] {
        if (spank_context() == S_CTX_REMOTE) {
            return 0;
        }
        if (!is_stub(count, words)) {
            plugin().submit.finish(spank);
        } else if (!plugin().ignored.empty()) {
            slurm_info(
                "hora: this cluster runs without Hora: --%s and the like are ignored; "
                "specify GPUs with --gpus or --gres",
                plugin().ignored.c_str());
        }
        return 0;
    });
}

extern "C" int slurm_spank_local_user_init(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return unless_stub(count, words, "srun", [&] {
        std::uint32_t job = 0;
        std::uint32_t step = 0;
        if (spank_get_item(spank, S_JOB_ID, &job) == ESPANK_SUCCESS &&
            spank_get_item(spank, S_JOB_STEPID, &step) == ESPANK_SUCCESS) {
            tell_layout(job, step, plugin().submit.has_options());
        }
        return 0;
    });
}

extern "C" int slurm_spank_user_init(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return unless_stub(count, words, "step", [&] {
        plugin().compute.learn(spank, SettingsSource::from_arguments(count, words));
        return 0;
    });
}

extern "C" int slurm_spank_task_init(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return unless_stub(count, words, "task", [&] {
        plugin().compute.set_up(spank);
        return 0;
    });
}

extern "C" int slurm_spank_task_exit(spank_t spank, int count, char** words) {
    using namespace hora::spank;
    return unless_stub(count, words, "end", [&] {
        plugin().compute.see_out(spank);
        return 0;
    });
}
