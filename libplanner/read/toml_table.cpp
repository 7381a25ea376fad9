// What stands in a TOML file, read strictly: each key is asked for, what nobody asked for is an
// error that names the nearest known key, and each error says file:line:column.
#include "libplanner/read/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/quantity.hpp"

// Compiled into this one file: a plugin then loads no further library. Version 3.3 asserts where a
// file is wrong ("[," is enough), which would end slurmctld: its assertions throw here instead, and
// without NDEBUG, where they would become assumptions of the optimiser.
namespace hora::read {
namespace {
struct ParserGaveUp {};
[[noreturn]] void give_up() {
    throw ParserGaveUp();
}
}  // namespace
}  // namespace hora::read
#undef NDEBUG
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ASSERT(expression) ((expression) ? static_cast<void>(0) : hora::read::give_up())
#include <toml++/toml.h>

namespace hora::read {
namespace {

std::string_view kind_of(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "a list";
        case toml::node_type::string:
            return "a string";
        case toml::node_type::integer:
        case toml::node_type::floating_point:
            return "a number";
        case toml::node_type::boolean:
            return "true or false";
        default:
            return "a date or time";
    }
}

// Keys and values come from anybody: a long one is cut and unprintable bytes are replaced.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 64;
    std::string result(text.substr(0, longest));
    for (char& c : result) {
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
            c = '?';
        }
    }
    return text.size() > longest ? result + "..." : result;
}

using Document = std::shared_ptr<const toml::table>;

}  // namespace

struct TomlTable::State {
    Document document;
    const toml::table* table;
    std::string file;
    std::string name;
    std::vector<std::string> known = {};
    std::optional<Error> problem = std::nullopt;

    std::string at(const toml::source_position& position) const {
        return fmt::format("{}:{}:{}", file, position.line, position.column);
    }
    void reject(const toml::source_position& position, std::string_view message) {
        if (!problem) {
            problem = Error{fmt::format("{}: {}", at(position), message), ErrorKind::wrong_use};
        }
    }
    void reject_type(std::string_view key, const toml::node& node, std::string_view wanted) {
        reject(node.source().begin,
               fmt::format("\"{}\" must be {}, not {}", shown(key), wanted, kind_of(node)));
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

    std::optional<std::uint64_t> whole(std::string_view key, const toml::node& node,
                                       std::uint64_t most);
    template <class Q>
    bool quantity(std::string_view key, Q& value);
};

std::optional<std::uint64_t> TomlTable::State::whole(std::string_view key, const toml::node& node,
                                                     std::uint64_t most) {
    const auto* const integer = node.as_integer();
    if (integer == nullptr) {
        reject_type(key, node, "a whole number");
        return std::nullopt;
    }
    if (integer->get() < 0 || static_cast<std::uint64_t>(integer->get()) > most) {
        reject(node.source().begin, fmt::format("\"{}\" must lie in 0 to {}, not be {}", shown(key),
                                                most, integer->get()));
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(integer->get());
}

template <class Q>
bool TomlTable::State::quantity(std::string_view key, Q& value) {
    const toml::node* const node = look_up(key);
    if (node == nullptr) {
        return false;
    }
    if (node->is_number()) {
        reject(node->source().begin, fmt::format("\"{}\" needs a unit; write it like \"{}\"",
                                                 shown(key), quantity_example<Q>()));
        return false;
    }
    if (!node->is_string()) {
        reject_type(key, *node, fmt::format("a string like \"{}\"", quantity_example<Q>()));
        return false;
    }
    const auto parsed = parse_quantity<Q>(node->as_string()->get());
    if (!parsed) {
        reject(node->source().begin, fmt::format("\"{}\": {}", shown(key), parsed.error().message));
        return false;
    }
    value = *parsed;
    return true;
}

TomlTable::TomlTable(std::shared_ptr<State> state) : state_(std::move(state)) {}

bool TomlTable::take(std::string_view key, std::string& value) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    if (!node->is_string()) {
        state_->reject_type(key, *node, "a string");
        return false;
    }
    value = node->as_string()->get();
    return true;
}

bool TomlTable::take(std::string_view key, bool& value) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    if (!node->is_boolean()) {
        state_->reject_type(key, *node, "true or false");
        return false;
    }
    value = node->as_boolean()->get();
    return true;
}

bool TomlTable::take(std::string_view key, std::uint32_t& value) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    const auto found = state_->whole(key, *node, std::numeric_limits<std::uint32_t>::max());
    if (found) {
        value = static_cast<std::uint32_t>(*found);
    }
    return found.has_value();
}

bool TomlTable::take(std::string_view key, std::uint64_t& value) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    const auto found = state_->whole(key, *node, std::numeric_limits<std::int64_t>::max());
    value = found.value_or(value);
    return found.has_value();
}

bool TomlTable::take(std::string_view key, double& value) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    const std::optional<double> found = node->value<double>();
    if (!node->is_number() || !found) {
        state_->reject_type(key, *node, "a number");
        return false;
    }
    if (!std::isfinite(*found)) {
        reject(key, fmt::format("\"{}\" must be a finite number", shown(key)));
        return false;
    }
    value = *found;
    return true;
}

bool TomlTable::take(std::string_view key, Seconds& value) {
    return state_->quantity(key, value);
}
bool TomlTable::take(std::string_view key, Bytes& value) {
    return state_->quantity(key, value);
}
bool TomlTable::take(std::string_view key, Bandwidth& value) {
    return state_->quantity(key, value);
}
bool TomlTable::take(std::string_view key, FlopRate& value) {
    return state_->quantity(key, value);
}

bool TomlTable::take(std::string_view key, std::vector<std::uint64_t>& values) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    std::vector<std::uint64_t> found;
    const auto add = [&](const toml::node& element) {
        const auto number = state_->whole(key, element, std::numeric_limits<std::int64_t>::max());
        found.push_back(number.value_or(0));
        return number.has_value();
    };
    if (const toml::array* const list = node->as_array()) {
        if (!std::all_of(list->begin(), list->end(), add)) {
            return false;
        }
    } else if (!add(*node)) {
        return false;
    }
    values = std::move(found);
    return true;
}

bool TomlTable::take(std::string_view key, std::vector<std::string>& values) {
    const toml::node* const node = state_->look_up(key);
    if (node == nullptr) {
        return false;
    }
    std::vector<std::string> found;
    const auto add = [&](const toml::node& element) {
        if (!element.is_string()) {
            state_->reject_type(key, element, "a string or a list of strings");
            return false;
        }
        found.push_back(element.as_string()->get());
        return true;
    };
    if (const toml::array* const list = node->as_array()) {
        if (!std::all_of(list->begin(), list->end(), add)) {
            return false;
        }
    } else if (!add(*node)) {
        return false;
    }
    values = std::move(found);
    return true;
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
        state_->reject_type(key, *node, fmt::format("a list of tables ([[{}]])", shown(key)));
        return tables;
    }
    for (const toml::node& element : *node->as_array()) {
        if (!element.is_table()) {
            state_->reject_type(key, element, fmt::format("a list of tables ([[{}]])", shown(key)));
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
            state_->reject_type(child, node, fmt::format("a table ([{}.NAME])", shown(key)));
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

void TomlTable::reject(std::string_view key, std::string message) {
    const toml::node* const node = state_->table->get(key);
    state_->reject(node == nullptr ? state_->table->source().begin : node->source().begin, message);
}

void TomlTable::reject_missing(std::string_view key) {
    state_->look_up(key);
    reject(key, fmt::format("\"{}\" is missing here", shown(key)));
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
                                          state_->at(found->first.source().begin), shown(key));
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

namespace {

// Where the parser gave up without a word: at the first '[' that no name follows.
std::string place_of_bad_header(std::string_view text) {
    std::size_t line = 1;
    while (!text.empty()) {
        const std::string_view row = text.substr(0, text.find('\n'));
        const std::size_t open = row.find_first_not_of(" \t");
        const std::size_t name = row.find_first_not_of(" \t[", open);
        constexpr std::string_view starts =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\"'";
        if (open != row.npos && row[open] == '[' &&
            (name == row.npos || starts.find(row[name]) == starts.npos)) {
            return fmt::format("{}:{}", line, std::min(name, row.size()) + 1);
        }
        text.remove_prefix(std::min(row.size() + 1, text.size()));
        ++line;
    }
    return "1:1";
}

Expected<Document> parse(std::string_view text, std::string_view file) {
    try {
        return std::make_shared<const toml::table>(toml::parse(text));
    } catch (const toml::parse_error& error) {
        return wrong_use(fmt::format("{}:{}:{}: {}", file, error.source().begin.line,
                                     error.source().begin.column, error.description()));
    } catch (const ParserGaveUp&) {
        return wrong_use(fmt::format("{}:{}: expected the name of a table here", file,
                                     place_of_bad_header(text)));
    }
}

}  // namespace

Expected<TomlTable> read_toml(std::string_view text, std::string_view file) {
    const auto document = parse(text, file);
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
