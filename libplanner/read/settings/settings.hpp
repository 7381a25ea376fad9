// What did the site decide? The values of all settings, and where each comes from.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/cluster.hpp"
#include "libplanner/domain/device.hpp"
#include "libplanner/domain/request.hpp"
#include "libplanner/read/settings/setting_table.hpp"

namespace hora::read {

using SettingValue =
    std::variant<bool, std::uint64_t, double, Seconds, Bytes, Bandwidth, std::string, OperatingMode,
                 domain::Objective, domain::Exchange, WithoutPlan, domain::LimitKind>;

// From the weakest to the strongest.
enum class Origin { initial, file, environment, command_line };

std::string_view name_of(Origin origin);         // "default", "file", ...
std::string_view name_of(OperatingMode mode);    // "observe" ...
std::string to_text(const SettingValue& value);  // as hora.toml has it, without quotes

// The row of a setting of type T, found while compiling: a name that is none, or is of another
// type, does not compile.
template <class T>
class SettingKey {
  public:
    consteval SettingKey(const char* name) {
        while (setting_table[index_].name != name) {
            ++index_;
        }
        static_cast<void>(std::get<Declared>(setting_table[index_].initial));
    }
    constexpr std::size_t index() const { return index_; }

  private:
    using Declared = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;
    std::size_t index_ = 0;
};

// A value: copy it, keep it. A default-constructed one holds the defaults.
class Settings {
  public:
    struct Entry {
        SettingValue value;
        Origin origin = Origin::initial;
        std::string where;  // "/etc/hora/hora.toml:3:8", "HORA_CONF_MODE"; empty for a default
    };

    Settings();

    // settings.get<Seconds>("submit.budget")
    template <class T>
    const T& get(std::type_identity_t<SettingKey<T>> key) const {
        return std::get<T>(entries_[key.index()].value);
    }
    // In the order of setting_table.
    const std::array<Entry, setting_count>& entries() const { return entries_; }

    // The mode for jobs of this partition: its own ([partition.NAME] mode), else the general one.
    OperatingMode mode_of(std::string_view partition) const;
    const std::map<std::string, Entry, std::less<>>& partition_modes() const {
        return partition_modes_;
    }
    // The shipped GPUs with the site's [gpu.NAME] tables applied.
    const std::vector<domain::Device>& devices() const;

    // Sets one value from a text such as "5 ms"; what it had before is forgotten if the origin is
    // as strong or stronger. On failure nothing is changed, and the message names the setting.
    Expected<void> set(std::string_view name, std::string_view text, Origin origin,
                       std::string where);

  private:
    friend Expected<Settings> read_settings(std::string_view toml, std::string_view file_name);

    std::array<Entry, setting_count> entries_;
    std::map<std::string, Entry, std::less<>> partition_modes_;
    std::vector<domain::Device> devices_;  // empty: the shipped ones
};

// hora.toml over the defaults. On failure: file:line:column and what is wrong there.
Expected<Settings> read_settings(std::string_view toml, std::string_view file_name);

// The environment variable that overrides a setting: HORA_CONF_SUBMIT_BUDGET.
std::string environment_name(std::string_view setting);

// What the settings say of how a step is priced, and of the network between nodes.
domain::CostModel cost_model(const Settings& settings);
domain::Link network_link(const Settings& settings);

}  // namespace hora::read
