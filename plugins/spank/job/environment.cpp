// The variables of a task: what they are, and what shall become of them.
#include "plugins/spank/job/environment.hpp"

#include <utility>

namespace hora::spank {

const std::string* Environment::find(std::string_view name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
}

void Environment::set(std::string_view name, std::string value) {
    changes_.insert_or_assign(std::string(name), value);
    variables_.insert_or_assign(std::string(name), std::move(value));
}

void Environment::unset(std::string_view name) {
    const auto found = variables_.find(name);
    if (found == variables_.end()) {
        return;
    }
    variables_.erase(found);
    changes_.insert_or_assign(std::string(name), std::nullopt);
}

std::string text_of(const Environment& environment, std::string_view name) {
    const std::string* const found = environment.find(name);
    return found == nullptr ? std::string() : *found;
}

Variables read_variables(const char* const* entries) {
    Variables variables;
    for (; entries != nullptr && *entries != nullptr; ++entries) {
        const std::string_view entry = *entries;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && equals > 0) {
            // As getenv() does it, the first of two entries counts.
            variables.try_emplace(std::string(entry.substr(0, equals)), entry.substr(equals + 1));
        }
    }
    return variables;
}

}  // namespace hora::spank
