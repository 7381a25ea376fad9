// Which of srun's options were typed, as far as they matter for where its tasks run?
#include "plugins/spank/srun/srun_words.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "libplanner/read/settings/job_options.hpp"

namespace hora::spank {
namespace {

enum class Argument { none, required, optional };
// What an option says of the step: nothing, how many, where its tasks run, on which CPUs, or both
// of these.
enum class Meaning {
    nothing,
    nodes,
    tasks,
    tasks_per_node,
    cpus_per_task,
    job,
    shapes,
    binds,
    shapes_and_binds
};

struct Option {
    std::string_view name;
    char letter = 0;  // 0: none
    Argument argument = Argument::none;
    Meaning meaning = Meaning::nothing;
};

constexpr Argument required = Argument::required;
constexpr Argument optional_value = Argument::optional;

// Of srun(1), from 22.05 on; what is missing here is not known.
constexpr Option known_options[] = {
    {"nodes", 'N', required, Meaning::nodes},
    {"ntasks", 'n', required, Meaning::tasks},
    {"ntasks-per-node", 0, required, Meaning::tasks_per_node},
    {"cpus-per-task", 'c', required, Meaning::cpus_per_task},
    {"jobid", 0, required, Meaning::job},
    {"gres", 0, required},
    {"gpus", 'G', required},
    {"gpus-per-node", 0, required},
    {"gpus-per-socket", 0, required},
    {"gpus-per-task", 0, required},
    {"mem", 0, required},
    {"mem-per-cpu", 0, required},
    {"mem-per-gpu", 0, required},
    {"distribution", 'm', required, Meaning::shapes_and_binds},
    {"hint", 0, required, Meaning::shapes_and_binds},
    {"extra-node-info", 'B', required, Meaning::shapes_and_binds},
    {"sockets-per-node", 0, required, Meaning::shapes_and_binds},
    {"cores-per-socket", 0, required, Meaning::shapes_and_binds},
    {"threads-per-core", 0, required, Meaning::shapes_and_binds},
    {"ntasks-per-core", 0, required, Meaning::shapes_and_binds},
    {"ntasks-per-socket", 0, required, Meaning::shapes_and_binds},
    {"overcommit", 'O', Argument::none, Meaning::shapes_and_binds},
    {"cpu-bind", 0, required, Meaning::binds},
    {"mem-bind", 0, required, Meaning::binds},
    {"nodelist", 'w', required, Meaning::shapes},
    {"nodefile", 'F', required, Meaning::shapes},
    {"exclude", 'x', required, Meaning::shapes},
    {"relative", 'r', required, Meaning::shapes},
    {"constraint", 'C', required, Meaning::shapes},
    {"contiguous", 0, Argument::none, Meaning::shapes},
    {"het-group", 0, required, Meaning::shapes},
    {"multi-prog", 0, Argument::none, Meaning::shapes},
    {"ntasks-per-gpu", 0, required, Meaning::shapes},
    {"hora-off", 0, Argument::none, Meaning::shapes_and_binds},
    {"partition", 'p', required},
    {"qos", 'q', required},
    {"reservation", 0, required},
    {"licenses", 'L', required},
    {"account", 'A', required},
    {"acctg-freq", 0, required},
    {"bcast", 0, optional_value},
    {"bcast-exclude", 0, optional_value},
    {"chdir", 'D', required},
    {"comment", 0, required},
    {"compress", 0, optional_value},
    {"container", 0, required},
    {"cpu-freq", 0, required},
    {"disable-status", 'X'},
    {"epilog", 0, required},
    {"error", 'e', required},
    {"exact", 0},
    {"exclusive", 0, optional_value},
    {"export", 0, required},
    {"gpu-bind", 0, required},
    {"gpu-freq", 0, required},
    {"gres-flags", 0, required},
    {"immediate", 'I', optional_value},
    {"input", 'i', required},
    {"job-name", 'J', required},
    {"kill-on-bad-exit", 'K', optional_value},
    {"label", 'l'},
    {"mpi", 0, required},
    {"msg-timeout", 0, required},
    {"network", 0, required},
    {"no-kill", 'k', optional_value},
    {"open-mode", 0, required},
    {"output", 'o', required},
    {"overlap", 0},
    {"profile", 0, required},
    {"prolog", 0, required},
    {"propagate", 0, optional_value},
    {"pty", 0, optional_value},
    {"quiet", 'Q'},
    {"quit-on-interrupt", 0},
    {"resv-ports", 0, optional_value},
    {"send-libs", 0, optional_value},
    {"signal", 0, required},
    {"slurmd-debug", 0, required},
    {"task-epilog", 0, required},
    {"task-prolog", 0, required},
    {"threads", 'T', required},
    {"time", 't', required},
    {"unbuffered", 'u'},
    {"verbose", 'v'},
    {"wait", 'W', required},
    {"wckey", 0, required},
    {"whole", 0},
    // Of pyxis, which training jobs often use.
    {"container-image", 0, required},
    {"container-mounts", 0, required},
    {"container-workdir", 0, required},
    {"container-name", 0, required},
    {"container-save", 0, required},
    {"container-env", 0, required},
    {"container-mount-home"},
    {"no-container-mount-home"},
    {"container-remap-root"},
    {"no-container-remap-root"},
    {"container-entrypoint"},
    {"no-container-entrypoint"},
    {"container-entrypoint-log"},
    {"container-writable"},
    {"container-readonly"},
};

std::optional<Option> find_long(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(known_options), std::end(known_options),
                     [name](const Option& option) { return option.name == name; });
    if (found != std::end(known_options)) {
        return *found;
    }
    const auto hora = read::job_options();
    const auto ours = std::find_if(hora.begin(), hora.end(), [name](const read::JobOption& option) {
        return option.name == name;
    });
    if (ours == hora.end()) {
        return std::nullopt;
    }
    return Option{ours->name, 0, ours->argument.empty() ? Argument::none : required,
                  Meaning::nothing};
}

std::optional<Option> find_letter(char letter) {
    const auto* const found =
        std::find_if(std::begin(known_options), std::end(known_options),
                     [letter](const Option& option) { return option.letter == letter; });
    return found == std::end(known_options) ? std::nullopt : std::optional(*found);
}

void note(SrunWords& noted, const Option& option, std::string_view value) {
    switch (option.meaning) {
        case Meaning::nothing:
            break;
        case Meaning::shapes:
            noted.shapes_layout = true;
            break;
        case Meaning::binds:
            noted.binds_cpus = true;
            break;
        case Meaning::shapes_and_binds:
            noted.shapes_layout = true;
            noted.binds_cpus = true;
            break;
        case Meaning::nodes:
            noted.nodes = value;
            break;
        case Meaning::tasks:
            noted.tasks = value;
            break;
        case Meaning::tasks_per_node:
            noted.tasks_per_node = value;
            break;
        case Meaning::cpus_per_task:
            noted.cpus_per_task = value;
            break;
        case Meaning::job:
            noted.job = value;
            break;
    }
}

// Each takes the words that the option at the front is made of; false: not known, or incomplete.
bool take_long(std::span<const std::string>& words, SrunWords& noted) {
    const std::string_view word = std::string_view(words.front()).substr(2);
    words = words.subspan(1);
    const std::size_t equals = word.find('=');
    const auto option = find_long(word.substr(0, equals));
    if (!option || (equals != word.npos && option->argument == Argument::none)) {
        return false;
    }
    noted.has_hora_option = noted.has_hora_option || option->name.starts_with("hora-");
    std::string_view value = equals == word.npos ? std::string_view() : word.substr(equals + 1);
    if (equals == word.npos && option->argument == required) {
        if (words.empty()) {
            return false;
        }
        value = words.front();
        words = words.subspan(1);
    }
    note(noted, *option, value);
    return true;
}

bool take_letters(std::span<const std::string>& words, SrunWords& noted) {
    std::string_view letters = std::string_view(words.front()).substr(1);
    words = words.subspan(1);
    while (!letters.empty()) {
        const auto option = find_letter(letters.front());
        letters.remove_prefix(1);
        if (!option) {
            return false;
        }
        if (option->argument == Argument::none) {
            note(noted, *option, {});
            continue;
        }
        std::string_view value = letters;
        if (option->argument == optional_value &&
            value.find_first_not_of("0123456789") != value.npos) {
            return false;  // a value, or more letters: releases differ
        }
        if (value.empty() && option->argument == required) {
            if (words.empty()) {
                return false;
            }
            value = words.front();
            words = words.subspan(1);
        }
        note(noted, *option, value);
        break;  // the rest of the word was the value
    }
    return true;
}

}  // namespace

std::optional<SrunWords> read_srun_words(std::span<const std::string> words) {
    SrunWords noted;
    words = words.empty() ? words : words.subspan(1);
    while (!words.empty() && words.front().size() > 1 && words.front().front() == '-') {
        if (words.front() == "--") {
            words = words.subspan(1);
            break;
        }
        const bool is_long = words.front().starts_with("--");
        if (!(is_long ? take_long(words, noted) : take_letters(words, noted))) {
            return std::nullopt;
        }
    }
    // A lone colon parts the components of a heterogeneous step.
    if (words.empty() || std::find(words.begin(), words.end(), ":") != words.end()) {
        return std::nullopt;
    }
    return noted;
}

std::optional<std::vector<std::string>> own_words() {
    constexpr std::size_t longest = std::size_t{1} << 20;
    // Of a file of /proc nobody knows the size beforehand.
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::string text(longest + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    if (text.size() > longest) {
        return std::nullopt;
    }
    std::vector<std::string> words;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\0', start), text.size());
        words.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return words;
}

}  // namespace hora::spank
