// What is next for a job that waits and gets another size?
#pragma once

#include "scripts/horad/resize/resize_context.hpp"

namespace hora::horad {

ResizeStep pending_step(const ResizeContext& context);

}  // namespace hora::horad
