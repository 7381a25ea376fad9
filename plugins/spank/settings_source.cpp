// Where do the settings come from, when they are needed at all?
#include "plugins/spank/settings_source.hpp"

#include <string_view>

#include "plugins/spank/slurm_spank.hpp"

namespace hora::spank {

SettingsSource SettingsSource::from_arguments(int count, char** words) {
    SettingsSource source;
    for (int i = 0; i < count; ++i) {
        const std::string_view word = words[i];
        if (word.starts_with("settings=")) {
            source.file = word.substr(9);
        } else if (word.starts_with("helper=")) {
            source.helper = word.substr(7);
        } else if (word.starts_with("watcher=")) {
            source.watcher = word.substr(8);
        } else if (word.starts_with("mpi-library=")) {
            source.mpi_library = word.substr(12);
        } else {
            slurm_error(
                "hora: plugstack.conf: unknown argument \"%s\"; use settings=FILE, "
                "helper=PROGRAM, watcher=PROGRAM or mpi-library=FILE",
                words[i]);
        }
    }
    return source;
}

ComputeSettings SettingsSource::load() const {
    const auto loaded = load_settings(file);
    if (!loaded) {
        slurm_error("hora: %s; the defaults hold", loaded.error().message.c_str());
    }
    ComputeSettings settings = loaded.value_or(ComputeSettings());
    settings.reader = helper.value_or(settings.reader);
    settings.watcher = watcher.value_or(settings.watcher);
    settings.mpi_library = mpi_library.value_or(settings.mpi_library);
    settings.file = file;
    return settings;
}

}  // namespace hora::spank
