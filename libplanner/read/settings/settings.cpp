// What did the site decide? The values of all settings, and where each comes from.
// Keys: those of setting_table.hpp, partition.NAME.mode, and gpu.NAME (device_catalog.cpp);
// node[] is left to site_nodes.cpp.
#include "libplanner/read/settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/format/toml_table.hpp"
#include "libplanner/read/machine/device_catalog.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/settings/setting_text.hpp"

namespace hora::read {
namespace {

using domain::Device;

SettingValue initial_value(const Setting& setting) {
    return std::visit(
        [](const auto& value) -> SettingValue {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
                return std::string(value);
            } else {
                return value;
            }
        },
        setting.initial);
}

// "snapshot.max_age" is key max_age of table snapshot; "mode" stands outside any table.
struct Place {
    std::string_view table;
    std::string_view key;
};

Place place_of(std::string_view name) {
    const std::size_t dot = name.find('.');
    return dot == name.npos ? Place{"", name} : Place{name.substr(0, dot), name.substr(dot + 1)};
}

// The value at `key`, of the type that `into` holds; empty when it is not there or is wrong.
std::optional<SettingValue> take_value(TomlTable& table, std::string_view key,
                                       const SettingValue& like) {
    return std::visit(
        [&](auto value) -> std::optional<SettingValue> {
            using T = decltype(value);
            if constexpr (std::is_enum_v<T>) {
                std::string word;
                if (!table.take(key, word)) {
                    return std::nullopt;
                }
                auto parsed = parse_setting(like, word);
                if (!parsed) {
                    table.reject(key, fmt::format("\"{}\" {}", key, parsed.error().message));
                    return std::nullopt;
                }
                return *parsed;
            } else {
                return table.take(key, value) ? std::optional<SettingValue>(value) : std::nullopt;
            }
        },
        like);
}

// The tables of the file that settings may stand in; each is opened once.
class Tables {
  public:
    explicit Tables(TomlTable& root) : root_(root) {}

    TomlTable* find(std::string_view name) {
        if (name.empty()) {
            return &root_;
        }
        const auto [entry, is_new] = opened_.try_emplace(std::string(name));
        if (is_new) {
            entry->second = root_.take_table(name);
        }
        return entry->second ? &*entry->second : nullptr;
    }
    Expected<void> finish() const {
        for (const auto& [name, table] : opened_) {
            if (!table) {
                continue;
            }
            if (auto good = table->finish(); !good) {
                return good;
            }
        }
        return root_.finish();
    }

  private:
    TomlTable& root_;
    std::map<std::string, std::optional<TomlTable>> opened_;
};

void take_settings(Tables& tables, std::array<Settings::Entry, setting_count>& entries) {
    for (std::size_t i = 0; i < setting_count; ++i) {
        const Place place = place_of(setting_table[i].name);
        TomlTable* const table = tables.find(place.table);
        if (table == nullptr) {
            continue;
        }
        auto value = take_value(*table, place.key, entries[i].value);
        if (!value) {
            continue;
        }
        if (auto good = check_setting(setting_table[i], *value); !good) {
            table->reject(place.key, good.error().message);
            continue;
        }
        entries[i] = {std::move(*value), Origin::file, table->where(place.key)};
    }
}

Expected<std::map<std::string, Settings::Entry, std::less<>>> take_partition_modes(
    TomlTable& root) {
    std::map<std::string, Settings::Entry, std::less<>> modes;
    for (TomlTable& table : root.take_tables_in("partition")) {
        auto mode = take_value(table, "mode", OperatingMode::observe);
        if (auto good = table.finish(); !good) {
            return unexpected(good.error());
        }
        if (mode) {
            modes[table.name()] = {std::move(*mode), Origin::file, table.where("mode")};
        }
    }
    return modes;
}

}  // namespace

Settings::Settings() {
    std::transform(std::begin(setting_table), std::end(setting_table), entries_.begin(),
                   [](const Setting& setting) {
                       return Entry{initial_value(setting), {}, {}};
                   });
}

OperatingMode Settings::mode_of(std::string_view partition) const {
    const auto own = partition_modes_.find(partition);
    return own == partition_modes_.end() ? get<OperatingMode>("mode")
                                         : std::get<OperatingMode>(own->second.value);
}

const std::vector<Device>& Settings::devices() const {
    return devices_.empty() ? known_devices() : devices_;
}

Expected<void> Settings::set(std::string_view name, std::string_view text, Origin origin,
                             std::string where) {
    const auto found = std::find_if(std::begin(setting_table), std::end(setting_table),
                                    [&](const Setting& setting) { return setting.name == name; });
    if (found == std::end(setting_table)) {
        std::vector<std::string_view> names;
        for (const Setting& setting : setting_table) {
            names.push_back(setting.name);
        }
        return wrong_use(fmt::format("{}: unknown setting {}{}", where, quoted(name),
                                     did_you_mean(name, names)));
    }
    Entry& entry = entries_[static_cast<std::size_t>(found - std::begin(setting_table))];
    auto value = parse_setting(entry.value, text);
    if (!value) {
        return wrong_use(fmt::format("{}: \"{}\" {}", where, name, value.error().message));
    }
    if (auto good = check_setting(*found, *value); !good) {
        return wrong_use(fmt::format("{}: {}", where, good.error().message));
    }
    if (origin >= entry.origin) {
        entry = {std::move(*value), origin, std::move(where)};
    }
    return {};
}

Expected<Settings> read_settings(std::string_view toml, std::string_view file_name) {
    auto root = read_toml(toml, file_name);
    if (!root) {
        return unexpected(root.error());
    }
    Settings settings;
    Tables tables(*root);
    take_settings(tables, settings.entries_);
    auto modes = take_partition_modes(*root);
    if (!modes) {
        return unexpected(modes.error());
    }
    auto devices = take_devices(*root, known_devices());
    if (!devices) {
        return unexpected(devices.error());
    }
    // Read by site_nodes.cpp, where topology files may be: no plugin needs them.
    static_cast<void>(root->take_tables("node"));
    if (auto good = tables.finish(); !good) {
        return unexpected(good.error());
    }
    settings.partition_modes_ = std::move(*modes);
    settings.devices_ = std::move(*devices);
    return settings;
}

std::string environment_name(std::string_view setting) {
    std::string name = "HORA_CONF_";
    for (const char c : setting) {
        name += c == '.' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return name;
}

domain::CostModel cost_model(const Settings& settings) {
    return {.exchange = settings.get<domain::Exchange>("cost.exchange"),
            .overlap = settings.get<bool>("cost.overlap"),
            .backward_factor = settings.get<double>("cost.backward_factor"),
            .optimizer_states = settings.get<double>("cost.optimizer_states"),
            .master_weights = settings.get<bool>("cost.master_weights"),
            .memory_reserve = settings.get<Bytes>("cost.memory_reserve")};
}

domain::Link network_link(const Settings& settings) {
    return {settings.get<Bandwidth>("network.bandwidth"), settings.get<Seconds>("network.latency")};
}

}  // namespace hora::read
