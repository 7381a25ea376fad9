// The operations on a GPU, in the order of one stream: a thread an element, and a block a sum.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "contrib/nccl/passes.hpp"

namespace hora::trainer {

struct GpuQueue {
    cudaStream_t stream = nullptr;
    cudaError_t error = cudaSuccess;  // the first one; nothing is launched after it

    // Both are defined where a compiler for GPUs sees them, in passes.cu.
    template <class Operation>
    void for_each(std::size_t count, const Operation& operation);
    template <class Term>
    void sum_each(std::size_t samples, const Term& term, double* sums);
};

extern template void forward(GpuQueue&, const Arrays&, std::size_t);
extern template void lose(GpuQueue&, const Arrays&, std::size_t);
extern template void backward(GpuQueue&, const Arrays&, std::size_t, Layer);
extern template void descend(GpuQueue&, const Arrays&, double, double);
extern template void recognise(GpuQueue&, const Arrays&, std::size_t);

}  // namespace hora::trainer
