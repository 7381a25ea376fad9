// Does a library survive what it is given?
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace hora::read {

struct Survival {
    using Note = std::function<void(std::uint32_t place)>;

    bool is_good = false;
    bool is_out_of_memory = false;  // it ended for want of more than limit_reading() allows
    std::optional<std::uint32_t> place = {};  // the last that the work noted
};

// Runs the work in a process of its own, and says whether it came back with true within ten seconds
// of processor time and the memory that limit_reading() allows, and how far it came. What else it
// leaves behind is lost: a caller that needs it runs the work again itself.
Survival survive(const std::function<bool(const Survival::Note& note)>& work);

}  // namespace hora::read
