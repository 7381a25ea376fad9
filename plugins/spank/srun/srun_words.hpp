// Which of srun's options were typed, as far as they matter for where its tasks run?
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hora::spank {

// Values as typed; nothing where an option was not given.
struct SrunWords {
    std::optional<std::string> nodes = std::nullopt;
    std::optional<std::string> tasks = std::nullopt;
    std::optional<std::string> tasks_per_node = std::nullopt;
    std::optional<std::string> cpus_per_task = std::nullopt;
    std::optional<std::string> job = std::nullopt;
    bool shapes_layout = false;  // says otherwise where tasks run: -m, -w, -x, -r, --multi-prog ...
    bool binds_cpus = false;     // says on which CPUs: --cpu-bind, --hint, -m ...
    bool has_hora_option = false;

    friend bool operator==(const SrunWords&, const SrunWords&) = default;
};

// Goes by getopt's rules up to the program's name. Nothing on an option that is shortened or not
// known, and where the words describe several components.
std::optional<SrunWords> read_srun_words(std::span<const std::string> words);

// The command line of this process, program first. Nothing where it cannot be read or is longer
// than 1 MiB.
std::optional<std::vector<std::string>> own_words();

}  // namespace hora::spank
