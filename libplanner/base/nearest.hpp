// Which known name did the writer mean?
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace hora {

// The known name at the smallest edit distance, or empty when none is within a third of the
// name's length (at least 2): a far-fetched guess is no help.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

// `; did you mean "h100"?`, or an empty string when nothing is near. A short name stands for the few
// known ones that go on behind it, but not with its own word: "bert" for "bert-base" and "bert-large".
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known);

}  // namespace hora
