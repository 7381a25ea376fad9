// What stands in a TOML file, read strictly: each key is asked for, one that was not is an
// error that names the nearest known key, and each error says file:line:column.
#include "libplanner/read/format/toml_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/format/toml_document.hpp"
#include "libplanner/read/format/toml_value.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {

struct TomlTable::State {
    TomlDocument document;
    const toml::table* table;
    std::string file;
    std::string name;
    std::vector<std::string> known = {};
    std::optional<Error> problem = std::nullopt;

    std::string shown_file() const { return printable(file, file.size()); }
    std::string at(const toml::source_position& position) const {
        return fmt::format("{}:{}:{}", shown_file(), position.line, position.column);
    }
    void reject(const toml::source_position& position, std::string_view message) {
        if (!problem) {
            problem = Error{fmt::format("{}: {}", at(position), message), ErrorKind::wrong_use};
        }
    }
    const toml::node* look_up(std::string_view key) {
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            known.emplace_back(key);
        }
        return table->get(key);
    }
    TomlTable inner(const toml::table& child, std::string child_name) const {
        return TomlTable(
            std::make_shared<State>(State{document, &child, file, std::move(child_name)}));
    }
    // As TomlTable::take(), with what makes a value of the node.
    template <class T>
    bool take(std::string_view key, T& value,
              TomlValue<T> (*value_of)(std::string_view, const toml::node&)) {
        const toml::node* const node = look_up(key);
        if (node == nullptr) {
            return false;
        }
        TomlValue<T> found = value_of(key, *node);
        if (!found) {
            reject(found.error().at, found.error().message);
            return false;
        }
        value = *std::move(found);
        return true;
    }
    void reject_type(std::string_view key, const toml::node& node, std::string_view wanted) {
        const TomlFault fault = wrong_type(key, node, wanted);
        reject(fault.at, fault.message);
    }
};

TomlTable::TomlTable(std::shared_ptr<State> state) : state_(std::move(state)) {}

bool TomlTable::take(std::string_view key, std::string& value) {
    return state_->take(key, value, text_of);
}
bool TomlTable::take(std::string_view key, bool& value) {
    return state_->take(key, value, flag_of);
}
bool TomlTable::take(std::string_view key, std::uint32_t& value) {
    return state_->take(key, value, small_whole_of);
}
bool TomlTable::take(std::string_view key, std::uint64_t& value) {
    return state_->take(key, value, whole_of);
}
bool TomlTable::take(std::string_view key, double& value) {
    return state_->take(key, value, number_of);
}
bool TomlTable::take(std::string_view key, Seconds& value) {
    return state_->take(key, value, quantity_of<Seconds>);
}
bool TomlTable::take(std::string_view key, Bytes& value) {
    return state_->take(key, value, quantity_of<Bytes>);
}
bool TomlTable::take(std::string_view key, Bandwidth& value) {
    return state_->take(key, value, quantity_of<Bandwidth>);
}
bool TomlTable::take(std::string_view key, FlopRate& value) {
    return state_->take(key, value, quantity_of<FlopRate>);
}
bool TomlTable::take(std::string_view key, std::vector<std::uint64_t>& values) {
    return state_->take(key, values, wholes_of);
}
bool TomlTable::take(std::string_view key, std::vector<std::string>& values) {
    return state_->take(key, values, texts_of);
}

std::optional<TomlTable> TomlTable::take_table(std::string_view key) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (!node->is_table()) {
        state_->reject_type(key, *node, "a table");
        return std::nullopt;
    }
    return state_->inner(*node->as_table(), std::string(key));
}

std::vector<TomlTable> TomlTable::take_tables(std::string_view key) {
    std::vector<TomlTable> tables;
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return tables;
    }
    if (!node->is_array()) {
        state_->reject_type(key, *node, fmt::format("a list of tables ([[{}]])", shown_key(key)));
        return tables;
    }
    for (const toml::node& element : *node->as_array()) {
        if (!element.is_table()) {
            state_->reject_type(key, element,
                                fmt::format("a list of tables ([[{}]])", shown_key(key)));
            return {};
        }
        tables.push_back(state_->inner(*element.as_table(), std::string(key)));
    }
    return tables;
}

std::vector<TomlTable> TomlTable::take_tables_in(std::string_view key) {
    std::vector<TomlTable> tables;
    const std::optional<TomlTable> outer = take_table(key);
    if (!outer) {
        return tables;
    }
    for (const std::string& child : outer->keys()) {
        const toml::node& node = *outer->state_->table->get(child);
        if (!node.is_table()) {
            state_->reject_type(child, node, fmt::format("a table ([{}.NAME])", shown_key(key)));
            return {};
        }
        tables.push_back(state_->inner(*node.as_table(), child));
    }
    return tables;
}

bool TomlTable::has(std::string_view key) const {
    return state_->table->contains(key);
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::pair<toml::source_position, std::string>> found;
    for (const auto& [key, node] : *state_->table) {
        found.emplace_back(key.source().begin, std::string(key.str()));
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return a.first < b.first || (a.first == b.first && a.second < b.second);
    });
    std::vector<std::string> names;
    for (auto& [position, name] : found) {
        names.push_back(std::move(name));
    }
    return names;
}

const std::string& TomlTable::name() const {
    return state_->name;
}

std::string TomlTable::where() const {
    return state_->at(state_->table->source().begin);
}

std::string TomlTable::where(std::string_view key) const {
    const toml::node* const node = state_->table->get(key);
    return node == nullptr ? where() : state_->at(node->source().begin);
}

const std::string& TomlTable::file() const {
    return state_->file;
}

std::string TomlTable::shown_file() const {
    return state_->shown_file();
}

void TomlTable::reject(std::string_view key, std::string message) {
    const toml::node* const node = state_->table->get(key);
    state_->reject(node == nullptr ? state_->table->source().begin : node->source().begin, message);
}

void TomlTable::reject_missing(std::string_view key) {
    state_->look_up(key);
    reject(key, fmt::format("\"{}\" is missing here", shown_key(key)));
}

Expected<void> TomlTable::finish() const {
    if (state_->problem) {
        return unexpected(*state_->problem);
    }
    const std::vector<std::string_view> known(state_->known.begin(), state_->known.end());
    for (const std::string& key : keys()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) {
            continue;
        }
        const auto found = state_->table->find(key);
        std::string message = fmt::format("{}: unknown key \"{}\"",
                                          state_->at(found->first.source().begin), shown_key(key));
        const std::string guess = did_you_mean(key, known);
        if (!guess.empty()) {
            message += guess;
        } else if (!known.empty()) {
            message += fmt::format("; known here: {}", fmt::join(known, ", "));
        }
        return wrong_use(std::move(message));
    }
    return {};
}

Expected<TomlTable> read_toml(std::string_view text, std::string_view file) {
    const auto document = parse_toml(text, file);
    if (!document) {
        return unexpected(document.error());
    }
    TomlTable root(std::make_shared<TomlTable::State>(
        TomlTable::State{*document, document->get(), std::string(file), ""}));
    std::uint64_t version = 1;
    root.take("version", version);
    if (version != 1) {
        root.reject("version",
                    fmt::format("version {} is not known; this release reads version 1", version));
    }
    if (root.state_->problem) {
        return unexpected(*root.state_->problem);
    }
    return root;
}

}  // namespace hora::read
