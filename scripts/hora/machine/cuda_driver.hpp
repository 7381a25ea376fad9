// What does the CUDA driver offer, where there is one? It is loaded at run time; nothing of CUDA is
// needed to build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "libplanner/base/error.hpp"
#include "libplanner/domain/topology.hpp"

namespace hora::scripts {

// Our own declarations of the driver's interface; its names and numbers are fixed since CUDA 7.
struct CudaCalls {
    using Result = int;  // 0 is success
    using Device = int;
    using Context = struct CudaContext*;
    using Stream = struct CudaStream*;
    using Event = struct CudaEvent*;
    using Address = std::uint64_t;  // of memory on a GPU

    Result (*init)(unsigned flags) = nullptr;
    Result (*error_text)(Result error, const char** text) = nullptr;
    Result (*count_devices)(int* count) = nullptr;
    Result (*get_device)(Device* device, int ordinal) = nullptr;
    Result (*get_bus_id)(char* text, int length, Device device) = nullptr;
    Result (*can_access)(int* can, Device device, Device peer) = nullptr;
    Result (*retain_context)(Context* context, Device device) = nullptr;
    Result (*release_context)(Device device) = nullptr;
    Result (*set_context)(Context context) = nullptr;
    Result (*enable_access)(Context peer, unsigned flags) = nullptr;
    Result (*allocate)(Address* memory, std::size_t size) = nullptr;
    Result (*release)(Address memory) = nullptr;
    Result (*copy)(Address to, Context at, Address from, Context there, std::size_t size,
                   Stream stream) = nullptr;
    Result (*create_stream)(Stream* stream, unsigned flags) = nullptr;
    Result (*destroy_stream)(Stream stream) = nullptr;
    Result (*create_event)(Event* event, unsigned flags) = nullptr;
    Result (*destroy_event)(Event event) = nullptr;
    Result (*record)(Event event, Stream stream) = nullptr;
    Result (*wait)(Event event) = nullptr;
    Result (*elapsed)(float* milliseconds, Event start, Event end) = nullptr;
};

class CudaDriver {
  public:
    // Loads the library and starts it. On failure: why there is no CUDA here.
    static Expected<CudaDriver> load(const char* library = "libcuda.so.1");

    const CudaCalls& calls() const { return calls_; }
    // Success, or what was being done and the driver's own words.
    Expected<void> check(CudaCalls::Result result, std::string_view doing) const;
    // The GPUs that this process may use, by CUDA's number.
    Expected<std::vector<domain::PciAddress>> devices() const;

  private:
    CudaCalls calls_;
};

}  // namespace hora::scripts
