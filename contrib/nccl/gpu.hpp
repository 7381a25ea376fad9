// The GPU of this rank: which one it is, its memory, and the order of what it does.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "contrib/nccl/arrays.hpp"
#include "libplanner/base/error.hpp"

namespace hora::trainer {

// An error of CUDA's in its own words, within what was to be done.
Expected<void> checked(cudaError_t error, std::string_view what);

// Where several GPUs are visible the rank takes that of its number on the node. Fails, in one line,
// where there is none.
Expected<void> choose_gpu(int local_rank);

// Memory on the GPU, and on the host where the GPU copies from, given back with the object.
class GpuMemory {
  public:
    GpuMemory() = default;
    ~GpuMemory();
    GpuMemory(const GpuMemory&) = delete;
    GpuMemory& operator=(const GpuMemory&) = delete;

    // Zeroed.
    template <class T>
    Expected<void> make(T*& pointer, std::size_t count) {
        void* made = nullptr;
        auto outcome = make_bytes(made, count * sizeof(T));
        pointer = static_cast<T*>(made);
        return outcome;
    }
    template <class T>
    Expected<void> make_on_host(T*& pointer, std::size_t count) {
        void* made = nullptr;
        auto outcome = make_host_bytes(made, count * sizeof(T));
        pointer = static_cast<T*>(made);
        return outcome;
    }

  private:
    Expected<void> make_bytes(void*& pointer, std::size_t size);
    Expected<void> make_host_bytes(void*& pointer, std::size_t size);

    std::vector<void*> device_;
    std::vector<void*> host_;
};

Expected<void> make_gpu_arrays(GpuMemory& memory, Arrays& arrays, std::size_t images,
                               std::size_t samples);

template <class T>
Expected<void> copy_to_gpu(T* to, std::span<const T> from) {
    return checked(cudaMemcpy(to, from.data(), from.size_bytes(), cudaMemcpyHostToDevice),
                   "copy to the GPU");
}
template <class T>
Expected<void> copy_from_gpu(std::span<T> to, const T* from) {
    return checked(cudaMemcpy(to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost),
                   "copy from the GPU");
}

class Stream {
  public:
    Stream() = default;
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    Expected<void> make();
    cudaStream_t get() const { return stream_; }

  private:
    cudaStream_t stream_ = nullptr;
};

// What one stream waits for in another.
class Event {
  public:
    Event() = default;
    ~Event();
    Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event& operator=(Event&&) = delete;

    Expected<void> make();
    // `later` goes on once `earlier` has done what it has been given so far.
    Expected<void> order(cudaStream_t earlier, cudaStream_t later) const;

  private:
    cudaEvent_t event_ = nullptr;
};

}  // namespace hora::trainer
