// How long do the gradients of a step travel, tensor by tensor or several in one message?
#pragma once

#include <span>
#include <vector>

#include "libplanner/cost/exchange.hpp"

namespace hora::cost {

// P3 (Horovod): the tensors are gathered, in the order in which a backward pass has them, into a
// buffer of at most so many bytes, and each buffer is exchanged as one. A tensor that is larger
// travels alone; with a buffer of 0 bytes each does.
std::vector<Bytes> fused_buffers(std::span<const Bytes> tensors, Bytes buffer);

// One buffer after the other, all tensors being there: so the rounds' latency is paid for each
// buffer and not for each tensor. 0 for one member alone.
//
// Hora's own all-reduce starts a buffer before the one before it is done, and pays the rounds'
// latency about once: that is what the planner counts on, one exchange of all bytes.
Seconds fused_exchange(std::span<const Bytes> tensors, Bytes buffer, domain::Exchange kind,
                       const Members& members);

}  // namespace hora::cost
