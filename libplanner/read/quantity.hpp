// What does "100 Mbit/s" come to, and how is a quantity written back?
#pragma once

#include <string>
#include <string_view>

#include "libplanner/base/error.hpp"
#include "libplanner/base/units.hpp"

namespace hora::read {

// A number, a unit, at most one run of blanks between them. SI prefixes are powers of 1000,
// binary ones (Ki, Mi ...) of 1024; bit and B (byte) differ. Bandwidths and rates must be above
// zero, times and sizes may be zero; none may be negative or infinite.
// On failure: a message that quotes the text and shows how such a quantity is written.
template <class Q>
Expected<Q> parse_quantity(std::string_view text);

template <>
Expected<Seconds> parse_quantity<Seconds>(std::string_view text);
template <>
Expected<Bytes> parse_quantity<Bytes>(std::string_view text);
template <>
Expected<Bandwidth> parse_quantity<Bandwidth>(std::string_view text);
template <>
Expected<FlopRate> parse_quantity<FlopRate>(std::string_view text);

// The text with the largest unit that parse_quantity reads back as exactly the same value.
std::string format_quantity(Seconds value);
std::string format_quantity(Bytes value);
std::string format_quantity(Bandwidth value);
std::string format_quantity(FlopRate value);

// To four digits, which are more than any measurement is worth, in the largest unit of which there
// is one at least.
std::string format_rounded(Seconds value);
std::string format_rounded(Bandwidth value);
std::string format_rounded(FlopRate value);

// How a quantity of this kind is written, for messages: "100 Mbit/s".
template <class Q>
std::string_view quantity_example();
template <>
std::string_view quantity_example<Seconds>();
template <>
std::string_view quantity_example<Bytes>();
template <>
std::string_view quantity_example<Bandwidth>();
template <>
std::string_view quantity_example<FlopRate>();

}  // namespace hora::read
