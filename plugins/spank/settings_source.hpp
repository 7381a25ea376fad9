// Where do the settings come from, when they are needed at all?
#pragma once

#include <optional>
#include <string>

#include "config.h"
#include "plugins/spank/job/compute_settings.hpp"

namespace hora::spank {

struct SettingsSource {
    std::string file = HORA_SYSCONFDIR "/hora.toml";
    std::optional<std::string> helper;       // in place of the setting model.reader
    std::optional<std::string> mpi_library;  // that tasks preload
    std::optional<std::string> watcher;      // stands beside batch scripts; empty: none does

    // From the arguments in plugstack.conf; an unknown one is logged.
    static SettingsSource from_arguments(int count, char** words);

    // A file that is wrong is logged, and the defaults hold.
    ComputeSettings load() const;
};

}  // namespace hora::spank
