// The GPU of this rank: which one it is, its memory, and the order of what it does.
#include "contrib/nccl/gpu.hpp"

#include <fmt/format.h>

namespace hora::trainer {

Expected<void> checked(cudaError_t error, std::string_view what) {
    if (error == cudaSuccess) {
        return {};
    }
    return failure(fmt::format("cannot {}: CUDA says \"{}\" (error {})", what,
                               cudaGetErrorString(error), static_cast<int>(error)));
}

Expected<void> choose_gpu(int local_rank) {
    int count = 0;
    int driver = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        // What CUDA says where there is no driver at all is that it is too old.
        const bool is_absent = cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0;
        return failure(fmt::format(
            "no GPU to train on: {}; contrib/mpi has a trainer for CPUs",
            is_absent ? "there is no CUDA driver here"
                      : fmt::format(
                            "CUDA says \"{}\"",
                            cudaGetErrorString(error == cudaSuccess ? cudaErrorNoDevice : error))));
    }
    // A task that may see its own GPU only has it as number 0.
    const int device = count == 1 ? 0 : local_rank;
    if (device >= count) {
        return failure(
            fmt::format("LOCAL_RANK is {}, but CUDA shows {} GPUs here; start one task a "
                        "GPU",
                        local_rank, count));
    }
    return checked(cudaSetDevice(device), fmt::format("use GPU {}", device));
}

GpuMemory::~GpuMemory() {
    for (void* const pointer : device_) {
        cudaFree(pointer);
    }
    for (void* const pointer : host_) {
        cudaFreeHost(pointer);
    }
}

Expected<void> GpuMemory::make_bytes(void*& pointer, std::size_t size) {
    if (auto made = checked(cudaMalloc(&pointer, size),
                            fmt::format("take {} bytes of the GPU's memory", size));
        !made || size == 0) {
        return made;
    }
    device_.push_back(pointer);
    return checked(cudaMemset(pointer, 0, size), "clear the GPU's memory");
}

Expected<void> GpuMemory::make_host_bytes(void*& pointer, std::size_t size) {
    auto made = checked(cudaMallocHost(&pointer, size),
                        fmt::format("take {} bytes of pinned memory", size));
    if (made) {
        host_.push_back(pointer);
    }
    return made;
}

Expected<void> make_gpu_arrays(GpuMemory& memory, Arrays& arrays, std::size_t images,
                               std::size_t samples) {
    Expected<void> outcome;
    make_arrays(arrays, images, samples, [&](auto*& pointer, std::size_t count) {
        outcome = outcome ? memory.make(pointer, count) : outcome;
    });
    return outcome;
}

Stream::~Stream() {
    if (stream_ != nullptr) {
        cudaStreamDestroy(stream_);
    }
}

Expected<void> Stream::make() {
    return checked(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
}

Event::~Event() {
    if (event_ != nullptr) {
        cudaEventDestroy(event_);
    }
}

Expected<void> Event::make() {
    return checked(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "make an event");
}

Expected<void> Event::order(cudaStream_t earlier, cudaStream_t later) const {
    auto recorded = checked(cudaEventRecord(event_, earlier), "record an event");
    return recorded ? checked(cudaStreamWaitEvent(later, event_, 0), "wait for an event")
                    : recorded;
}

}  // namespace hora::trainer
