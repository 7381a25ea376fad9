// How are the settings shown: to people, to programs, and in the manual?
#include "libplanner/report/plan/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config.h"
#include "libplanner/read/settings/setting_text.hpp"
#include "libplanner/report/text/text_table.hpp"

namespace hora::report {
namespace {

using Json = nlohmann::ordered_json;
using read::Setting;
using read::Settings;

std::string quoted_if_text(const read::SettingValue& value) {
    const bool is_number = std::holds_alternative<bool>(value) ||
                           std::holds_alternative<std::uint64_t>(value) ||
                           std::holds_alternative<double>(value);
    return is_number ? read::to_text(value) : fmt::format("\"{}\"", read::to_text(value));
}

std::string source_of(const Settings::Entry& entry) {
    return entry.where.empty() ? std::string(read::name_of(entry.origin)) : entry.where;
}

// Times in seconds, sizes in bytes, words as words.
Json to_json(const read::SettingValue& value) {
    return std::visit(
        [&](const auto& held) -> Json {
            if constexpr (requires { held.count(); }) {
                return held.count();
            } else if constexpr (std::is_enum_v<std::decay_t<decltype(held)>>) {
                return read::to_text(value);
            } else {
                return held;
            }
        },
        value);
}

Json to_json(const Settings::Entry& entry) {
    Json json;
    json["value"] = to_json(entry.value);
    const std::string_view unit = read::unit_of(entry.value);
    json["unit"] = unit.empty() ? Json() : Json(unit);
    json["source"] = read::name_of(entry.origin);
    json["where"] = entry.where.empty() ? Json() : Json(entry.where);
    return json;
}

// What the build decides is not the same in every manual.
std::string manual_value(const read::SettingValue& value) {
    const std::string text = read::to_text(value);
    if (text.starts_with(HORA_STATEDIR) || text.starts_with(HORA_LIBEXECDIR) ||
        text.starts_with(HORA_SYSCONFDIR)) {
        return "set when Hora was built";
    }
    return text.empty() ? "empty" : "default " + text;
}

// Hyphens and backslashes as they stand, for people who copy from the page.
std::string roff(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '-' ? "\\-" : c == '\\' ? "\\e" : std::string(1, c);
    }
    return result;
}

}  // namespace

std::string settings_table(const Settings& settings) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < read::setting_count; ++i) {
        const Settings::Entry& entry = settings.entries()[i];
        rows.push_back({std::string(read::setting_table[i].name), quoted_if_text(entry.value),
                        source_of(entry)});
    }
    for (const auto& [partition, entry] : settings.partition_modes()) {
        rows.push_back({fmt::format("partition.{}.mode", partition), quoted_if_text(entry.value),
                        source_of(entry)});
    }
    return text_table({{""}, {""}, {""}}, rows);
}

std::string settings_json(const Settings& settings) {
    Json json;
    json["version"] = 1;
    json["settings"] = Json::array();
    for (std::size_t i = 0; i < read::setting_count; ++i) {
        Json row;
        row["name"] = read::setting_table[i].name;
        row.update(to_json(settings.entries()[i]));
        row["help"] = read::setting_table[i].help;
        json["settings"].push_back(std::move(row));
    }
    json["partitions"] = Json::array();
    for (const auto& [partition, entry] : settings.partition_modes()) {
        json["partitions"].push_back({{"name", partition},
                                      {"mode", read::to_text(entry.value)},
                                      {"source", read::name_of(entry.origin)},
                                      {"where", entry.where}});
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string settings_manual() {
    const Settings defaults;
    std::string text;
    for (std::size_t i = 0; i < read::setting_count; ++i) {
        const Setting& setting = read::setting_table[i];
        const read::SettingValue& value = defaults.entries()[i].value;
        text += fmt::format(".TP\n.B {}\n{} ({}, {}).\n", roff(setting.name), roff(setting.help),
                            read::type_of(value), roff(manual_value(value)));
    }
    return text;
}

}  // namespace hora::report
