// The settings of a run of the trainer: its options, and the environment where those are silent.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "libplanner/base/error.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace hora::trainer {

struct Settings {
    std::string program{};
    std::string data{};  // a file
    std::uint64_t epochs = 20;
    std::uint64_t batch = 64;  // HORA_BATCH; of all ranks together
    // HORA_BATCH_MIN: the batch that the learning rate was chosen for; set where the batch may
    // change at a restart.
    std::optional<std::uint64_t> smallest_batch{};
    double rate = 0.05;
    std::uint64_t seed = 1;
    std::uint64_t report_steps = 1;        // between two progress lines
    std::uint64_t checkpoint_epochs = 1;   // between two unrequested checkpoints; 0 = never
    std::string checkpoints{};             // HORA_CHECKPOINT_DIR; empty = none are written
    double ready_wait = 60;                // seconds to wait to be ended after READY
    std::string brake{};                   // while this file exists, steps are slow; empty = never
    std::string progress{};                // HORA_PROGRESS; empty = none is written
    std::string restart_count = "0";       // SLURM_RESTART_COUNT
    std::optional<std::uint64_t> share{};  // HORA_SHARE: this rank's samples of a batch
    std::string help{};                    // asked for: print this and do nothing else
};

// What differs between the trainers.
struct Program {
    const char* name;
    const char* description;
    const char* data;     // what the file of data is
    Settings defaults{};  // where neither options nor environment say otherwise
    std::function<void(CLI::App&)> add_options = [](CLI::App&) {};  // of its own
};

// What the number of an option may be: as CLI::Range, but not "nan", which that one takes.
CLI::Validator number_range(double least, double most);

Expected<Settings> read_settings(int argc, char** argv, const Program& program);

// Prints the help that was asked for; the exit code of the program, which has nothing else to do.
int print_help(const Settings& settings);

}  // namespace hora::trainer
