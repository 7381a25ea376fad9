// The operations on a GPU, in the order of one stream: a thread an element, and a block a sum.
#include "contrib/nccl/gpu_queue.hpp"

namespace hora::trainer {
namespace {

constexpr unsigned threads = 128;

template <class Operation>
__global__ void run_each(std::size_t count, Operation operation) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        operation(i);
    }
}

// In the same order each time, so that the same run gives the same bits again.
template <class Term>
__global__ void run_sum(std::size_t terms, Term term, double* sums) {
    __shared__ double parts[threads];
    double sum = 0;
    for (std::size_t i = threadIdx.x; i < terms; i += threads) {
        sum += term(blockIdx.x, i);
    }
    parts[threadIdx.x] = sum;
    for (unsigned half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            parts[threadIdx.x] += parts[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = parts[0];
    }
}

}  // namespace

template <class Operation>
void GpuQueue::for_each(std::size_t count, const Operation& operation) {
    if (count == 0 || error != cudaSuccess) {  // a grid has at least one block
        return;
    }
    const auto blocks = static_cast<unsigned>((count + threads - 1) / threads);
    run_each<<<blocks, threads, 0, stream>>>(count, operation);
    error = cudaGetLastError();
}

template <class Term>
void GpuQueue::sum_each(std::size_t samples, const Term& term, double* sums) {
    if (error != cudaSuccess) {
        return;
    }
    run_sum<<<static_cast<unsigned>(Term::parameters), threads, 0, stream>>>(
        samples * Term::terms_of_sample, term, sums);
    error = cudaGetLastError();
}

template void forward(GpuQueue&, const Arrays&, std::size_t);
template void lose(GpuQueue&, const Arrays&, std::size_t);
template void backward(GpuQueue&, const Arrays&, std::size_t, Layer);
template void descend(GpuQueue&, const Arrays&, double, double);
template void recognise(GpuQueue&, const Arrays&, std::size_t);

}  // namespace hora::trainer
