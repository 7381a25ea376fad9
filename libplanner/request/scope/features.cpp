// Which nodes does a constraint (-C) allow, and which feature stands for a type of GPU?
#include "libplanner/request/scope/features.hpp"

#include <algorithm>

namespace hora::request {
namespace {

constexpr int deepest_nesting = 32;

// Recursive descent: sequence = item { ('&' | '|') item }, item = name | '(' sequence ')'. No
// operator binds before the other.
class Constraint {
  public:
    Constraint(std::string_view text, std::span<const std::string> features)
        : rest_(text), features_(features) {}

    Expected<bool> holds() {
        const bool result = sequence(0);
        if (is_strange_ || !rest_.empty()) {
            return failure("the constraint is of a kind that ties nodes to each other");
        }
        return result;
    }

  private:
    bool take(char wanted) {
        // Slurm reads ',' as '&'.
        const bool is_there =
            !rest_.empty() && (rest_.front() == wanted || (wanted == '&' && rest_.front() == ','));
        if (is_there) {
            rest_.remove_prefix(1);
        }
        return is_there;
    }

    bool sequence(int depth) {
        bool result = item(depth);
        while (!is_strange_) {
            const bool is_and = take('&');
            if (!is_and && !take('|')) {
                break;
            }
            const bool next = item(depth);
            result = is_and ? result && next : result || next;
        }
        return result;
    }

    bool item(int depth) {
        if (depth > deepest_nesting) {
            is_strange_ = true;
            return false;
        }
        if (take('(')) {
            const bool result = sequence(depth + 1);
            is_strange_ = is_strange_ || !take(')');
            return result;
        }
        const std::size_t end = std::min(rest_.find_first_of("&|,()[]*"), rest_.size());
        const std::string_view name = rest_.substr(0, end);
        rest_.remove_prefix(end);
        is_strange_ = is_strange_ || name.empty();
        return std::find(features_.begin(), features_.end(), name) != features_.end();
    }

    std::string_view rest_;
    std::span<const std::string> features_;
    bool is_strange_ = false;
};

// What decides how a constraint may stand beside another.
struct Form {
    bool is_choice = false;        // '|' outside of parentheses
    bool has_parentheses = false;  // so it cannot be put in some itself
    bool is_strange = false;
};

Form form_of(std::string_view constraint) {
    Form form;
    form.is_strange = !satisfies(constraint, {}).has_value();
    int depth = 0;
    for (const char letter : constraint) {
        depth += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        form.is_choice = form.is_choice || (letter == '|' && depth == 0);
        form.has_parentheses = form.has_parentheses || depth > 0;
        form.is_strange = form.is_strange || depth > 1;
    }
    return form;
}

// Behind "…&": what is a choice needs parentheses there.
bool can_follow(const Form& form) {
    return !form.is_choice || !form.has_parentheses;
}

std::string as_item(std::string_view constraint, const Form& form) {
    return form.is_choice ? "(" + std::string(constraint) + ")" : std::string(constraint);
}

// Before "&…" Slurm needs none, which reads from left to right; a reader is helped by some.
std::string as_first(std::string_view constraint, const Form& form) {
    return form.has_parentheses ? std::string(constraint) : as_item(constraint, form);
}

bool has(const domain::NodeState& state, std::string_view feature) {
    return std::find(state.features.begin(), state.features.end(), feature) != state.features.end();
}

}  // namespace

Expected<bool> satisfies(std::string_view constraint, std::span<const std::string> features) {
    return constraint.empty() ? true : Constraint(constraint, features).holds();
}

std::optional<std::string> both(std::string_view constraint, std::string_view other) {
    if (constraint.empty() || other.empty()) {
        return std::string(constraint) + std::string(other);
    }
    const Form one = form_of(constraint);
    const Form two = form_of(other);
    if (one.is_strange || two.is_strange) {
        return std::nullopt;
    }
    if (can_follow(two)) {
        return as_first(constraint, one) + "&" + as_item(other, two);
    }
    if (can_follow(one)) {
        return as_first(other, two) + "&" + as_item(constraint, one);
    }
    return std::nullopt;
}

std::string feature_of(const std::vector<domain::NodeState>& states,
                       std::span<const std::uint32_t> wanted, std::span<const std::uint32_t> all,
                       std::string_view preferred) {
    if (wanted.empty()) {
        return {};
    }
    std::string found;
    for (const std::string& feature : states[wanted.front()].features) {
        const auto carries = [&](std::uint32_t node) { return has(states[node], feature); };
        const auto count = std::count_if(all.begin(), all.end(), carries);
        const bool means_it = std::all_of(wanted.begin(), wanted.end(), carries) &&
                              static_cast<std::size_t>(count) == wanted.size();
        if (means_it && feature == preferred) {
            return feature;
        }
        if (means_it && (found.empty() || feature < found)) {
            found = feature;
        }
    }
    return found;
}

}  // namespace hora::request
