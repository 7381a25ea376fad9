// What is next for a job that was requeued to be resized, until it runs again?
#pragma once

#include "scripts/horad/resize/resize_context.hpp"

namespace hora::horad {

// Gives it its size, and a priority above what waits beside it.
ResizeStep updating_step(const ResizeContext& context);

// Lets it begin when its last run is cleaned up.
ResizeStep waiting_step(const ResizeContext& context);

}  // namespace hora::horad
