// Does a library survive what it is given?
#pragma once

#include <functional>

namespace hora::read {

// Runs the work in a process of its own, and says whether it came back with true within ten seconds
// of processor time. What else it leaves behind is lost: who needs it then runs the work himself.
bool survives(const std::function<bool()>& work);

}  // namespace hora::read
