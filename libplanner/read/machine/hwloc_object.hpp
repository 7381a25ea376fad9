// What does an object of hwloc say of itself, as far as it can be trusted?
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <string>
#include <vector>

namespace hora::read {

// An untrusted text, printable and short.
std::string printable(const char* text);
// What the object notes under this name; empty where it notes nothing, or is none.
std::string info_of(hwloc_obj_t object, const char* name);
// Of "85"; not_known of anything else.
std::uint32_t number_of(const std::string& text);
// As the system counts, or where it does not, as hwloc does.
std::uint32_t index_of(hwloc_obj_t object);

bool is_filled(hwloc_const_bitmap_t set);
// Ascending; sets without end are cut.
std::vector<std::uint32_t> members_of(hwloc_const_bitmap_t set);

}  // namespace hora::read
