// What does the CUDA driver offer, where there is one?
#include "scripts/hora/machine/cuda_driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>

#include "libplanner/read/pci_address.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::scripts {
namespace {

// Looks names up until one is missing.
class Symbols {
  public:
    explicit Symbols(void* library) : library_(library) {}

    template <class Function>
    void find(Function& function, const char* name) {
        void* const symbol = ::dlsym(library_, name);
        if (symbol == nullptr && missing_.empty()) {
            missing_ = name;
        }
        function = reinterpret_cast<Function>(symbol);
    }

    const std::string& missing() const { return missing_; }

  private:
    void* library_;
    std::string missing_;
};

std::string find_all(void* library, CudaCalls& calls) {
    Symbols symbols(library);
    symbols.find(calls.init, "cuInit");
    symbols.find(calls.error_text, "cuGetErrorString");
    symbols.find(calls.count_devices, "cuDeviceGetCount");
    symbols.find(calls.get_device, "cuDeviceGet");
    symbols.find(calls.get_bus_id, "cuDeviceGetPCIBusId");
    symbols.find(calls.can_access, "cuDeviceCanAccessPeer");
    symbols.find(calls.retain_context, "cuDevicePrimaryCtxRetain");
    symbols.find(calls.release_context, "cuDevicePrimaryCtxRelease_v2");
    symbols.find(calls.set_context, "cuCtxSetCurrent");
    symbols.find(calls.enable_access, "cuCtxEnablePeerAccess");
    symbols.find(calls.allocate, "cuMemAlloc_v2");
    symbols.find(calls.release, "cuMemFree_v2");
    symbols.find(calls.copy, "cuMemcpyPeerAsync");
    symbols.find(calls.create_stream, "cuStreamCreate");
    symbols.find(calls.destroy_stream, "cuStreamDestroy_v2");
    symbols.find(calls.create_event, "cuEventCreate");
    symbols.find(calls.destroy_event, "cuEventDestroy_v2");
    symbols.find(calls.record, "cuEventRecord");
    symbols.find(calls.wait, "cuEventSynchronize");
    symbols.find(calls.elapsed, "cuEventElapsedTime");
    return symbols.missing();
}

}  // namespace

Expected<CudaDriver> CudaDriver::load(const char* library) {
    // Never closed: the driver's own threads outlive the last call.
    void* const opened = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr) {
        const char* const reason = ::dlerror();
        return failure(
            fmt::format("there is no CUDA driver here: {}", reason == nullptr ? library : reason));
    }
    CudaDriver driver;
    if (const std::string missing = find_all(opened, driver.calls_); !missing.empty()) {
        return failure(fmt::format("the CUDA driver {} is too old: it has no {}",
                                   read::quoted(library), missing));
    }
    if (const auto started = driver.check(driver.calls_.init(0), "start CUDA"); !started) {
        return unexpected(started.error());
    }
    return driver;
}

Expected<void> CudaDriver::check(CudaCalls::Result result, std::string_view doing) const {
    if (result == 0) {
        return {};
    }
    const char* text = nullptr;
    calls_.error_text(result, &text);
    return failure(fmt::format("cannot {}: CUDA says {} (error {})", doing,
                               read::quoted(text == nullptr ? "unknown" : text), result));
}

Expected<std::vector<domain::PciAddress>> CudaDriver::devices() const {
    int count = 0;
    if (const auto counted = check(calls_.count_devices(&count), "count the GPUs"); !counted) {
        return unexpected(counted.error());
    }
    std::vector<domain::PciAddress> addresses;
    for (int i = 0; i < count; ++i) {
        CudaCalls::Device device = 0;
        std::array<char, 64> text{};
        const CudaCalls::Result found = calls_.get_device(&device, i);
        const CudaCalls::Result named =
            found != 0 ? found
                       : calls_.get_bus_id(text.data(), static_cast<int>(text.size() - 1), device);
        if (const auto good = check(named, fmt::format("ask for GPU {}", i)); !good) {
            return unexpected(good.error());
        }
        const auto address = read::parse_pci_address(text.data());
        if (!address) {
            return failure(
                fmt::format("CUDA gives GPU {} the bus id {}", i, read::quoted(text.data())));
        }
        addresses.push_back(*address);
    }
    return addresses;
}

}  // namespace hora::scripts
