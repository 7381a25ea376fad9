// How long do the gradients of a step travel, tensor by tensor or several in one message?
#include "libplanner/cost/fusion.hpp"

namespace hora::cost {

std::vector<Bytes> fused_buffers(std::span<const Bytes> tensors, Bytes buffer) {
    std::vector<Bytes> buffers;
    for (const Bytes tensor : tensors) {
        if (!buffers.empty() && buffers.back() + tensor <= buffer) {
            buffers.back() += tensor;
        } else {
            buffers.push_back(tensor);
        }
    }
    return buffers;
}

Seconds fused_exchange(std::span<const Bytes> tensors, Bytes buffer, domain::Exchange kind,
                       const Members& members) {
    Seconds sum;
    for (const Bytes each : fused_buffers(tensors, buffer)) {
        sum += exchange_time(kind, each, members);
    }
    return sum;
}

}  // namespace hora::cost
