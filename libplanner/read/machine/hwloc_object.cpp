// What does an object of hwloc say of itself, as far as it can be trusted?
#include "libplanner/read/machine/hwloc_object.hpp"

#include <algorithm>
#include <charconv>

#include "libplanner/domain/topology.hpp"

namespace hora::read {

std::string printable(const char* text) {
    constexpr std::size_t longest = 64;
    std::string result(text == nullptr ? "" : text);
    result.resize(std::min(result.size(), longest));
    std::replace_if(
        result.begin(), result.end(), [](char one) { return one < ' ' || one > '~'; }, '?');
    return result;
}

std::string info_of(hwloc_obj_t object, const char* name) {
    return object == nullptr ? "" : printable(hwloc_obj_get_info_by_name(object, name));
}

std::uint32_t number_of(const std::string& text) {
    std::uint32_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, value);
    constexpr std::uint32_t most = 1 << 16;
    return problem == std::errc() && stop == end && value < most ? value : domain::not_known;
}

std::uint32_t index_of(hwloc_obj_t object) {
    return object->os_index == HWLOC_UNKNOWN_INDEX ? object->logical_index : object->os_index;
}

bool is_filled(hwloc_const_bitmap_t set) {
    return set != nullptr && hwloc_bitmap_iszero(set) == 0;
}

std::vector<std::uint32_t> members_of(hwloc_const_bitmap_t set) {
    std::vector<std::uint32_t> result;
    constexpr int most = 1 << 16;
    for (int i = -1; set != nullptr && (i = hwloc_bitmap_next(set, i)) >= 0 && i < most;) {
        result.push_back(static_cast<std::uint32_t>(i));
    }
    return result;
}

}  // namespace hora::read
