// Does a call succeed within a time, though it may hang for much longer?
#pragma once

#include <chrono>
#include <functional>

namespace hora::horad {

// Made in a child of this process, so no other thread of it may use what the call uses. What the
// call changes in memory, or says, is lost.
bool succeeds_within(std::chrono::milliseconds limit, const std::function<bool()>& call);

}  // namespace hora::horad
