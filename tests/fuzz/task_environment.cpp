// Does any environment break what prepares a batch script or a task, or is anything of the user's
// replaced?
//
// The first line says what starts: a script, a task or a launcher. A further one is NAME=value, or
// --NAME=value for an option of Hora's.
#include "plugins/spank/variables/task_environment.hpp"

#include <cstdlib>

#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/variables/watch_call.hpp"
#include "tests/fuzz/lines.hpp"
#include "tests/unit/spank/machine.hpp"

namespace {

using namespace hora::spank;

struct Start {
    Variables variables;
    TaskFacts facts;
};

Start start_of(std::string_view text) {
    Start start;
    TaskFacts& facts = start.facts;
    facts.job = 17;
    facts.tasks = 3;
    facts.uid = 1001;
    facts.user = "ada";
    facts.work_directory = "/home/ada/run";
    facts.master = "n1";
    facts.topology = hora::spank::two_pairs();
    facts.cpus = {0, 1, 2, 3, 4, 5, 6, 7};
    const std::string_view kind = hora::fuzz::take_until(text, '\n');
    facts.is_batch = facts.is_batch_script = kind == "script";
    facts.is_launcher = kind == "launcher";
    for (std::string_view line : hora::fuzz::lines_of(text)) {
        const std::string name(hora::fuzz::take_until(line, '='));
        if (name.starts_with("--")) {
            facts.options.emplace_back(name.substr(2), line);
        } else {
            start.variables.insert_or_assign(name, line);
        }
    }
    return start;
}

// Without a record nothing in the environment is Hora's but what it keeps for itself.
bool may_change(const std::string& name) {
    return name.starts_with("SLURM_SPANK_") || name.starts_with("_SLURM_SPANK_OPTION_hora_") ||
           name == "CUDA_VISIBLE_DEVICES" || name == "ROCR_VISIBLE_DEVICES" ||
           name == "SLURM_HOSTFILE" || name == "SLURM_DISTRIBUTION" || name == "LD_PRELOAD";
}

void check_changes(const Prepared& prepared, const Variables& given) {
    for (const auto& [name, value] : prepared.environment.changes()) {
        if (given.contains(name) && !may_change(name)) {
            std::abort();
        }
    }
}

void check_record(const Prepared& prepared) {
    const std::string* const text = prepared.environment.find(record_variable);
    if (text == nullptr) {
        return;
    }
    const auto record = read_job_record(*text);
    if (text->size() < 100'000 && (!record || to_text(*record) != *text)) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Start start = start_of(hora::fuzz::text_of(data, size));
    const Environment given(start.variables);
    ComputeSettings settings;
    settings.acts = true;
    const Prepared prepared = prepare(given, start.facts, settings);
    if (!start.variables.contains(record_variable)) {
        check_changes(prepared, start.variables);
    }
    check_record(prepared);
    static_cast<void>(first_node(given, start.facts.is_batch));
    const std::string folder = named_folder(given, start.facts, settings);
    static_cast<void>(
        watch_call(prepared.environment, start.facts, settings, prepared.allowed_restarts, 1));
    static_cast<void>(clear_call(prepared.environment, start.facts, settings, folder, 0));
    static_cast<void>(step_call(prepared, start.facts, settings, 1));
    return 0;
}
