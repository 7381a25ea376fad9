// A CUDA driver without a GPU, for tests: four GPUs in two pairs, whose copies take a fixed time.
// STUB_CUDA=none has no GPU, one shows a single one, two shows the first pair, foreign has other
// bus ids, staged has no peer access, full has no memory. STUB_CUDA_FAILS=N: call N of those behind
// stub_cuda_restart() fails, but for those that give something back. STUB_CUDA_MILLISECONDS=X: any
// copy takes so long. STUB_CUDA_BUS_ID=TEXT: any GPU's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

namespace {

constexpr int no_memory = 2;
constexpr int no_device = 100;
constexpr int no_peer_access = 217;
constexpr int already_enabled = 704;
constexpr int unknown = 999;

double now = 0;  // milliseconds
std::map<std::pair<int, int>, int> copies;
std::map<std::pair<int, int>, bool> is_enabled;
long held = 0;  // memory, streams, events and contexts that were not given back

struct Context {
    int device;
} contexts[4] = {{0}, {1}, {2}, {3}};
Context* current = nullptr;

bool is(const char* mode) {
    const char* const set = std::getenv("STUB_CUDA");
    return set != nullptr && std::strcmp(set, mode) == 0;
}

double bytes_a_millisecond(int from, int to) {
    const bool is_near = from / 2 == to / 2;
    return is_near ? 11e6 : from > to ? 5e6 : 5.5e6;
}

long calls = 0;

bool fails() {
    const char* const set = std::getenv("STUB_CUDA_FAILS");
    return ++calls == (set != nullptr ? std::atol(set) : 0);
}

struct CheckAtEnd {
    ~CheckAtEnd() {
        if (held != 0) {
            std::fprintf(stderr, "stub CUDA: %ld things were not given back\n", held);
            std::_Exit(99);
        }
    }
} check_at_end;

}  // namespace

extern "C" {

// How much is not given back.
long stub_cuda_restart() {
    calls = 0;
    return held;
}

int cuInit(unsigned) {
    return is("none") ? no_device : 0;
}
int cuGetErrorString(int error, const char** text) {
    *text = error == no_device   ? "no CUDA-capable device is detected"
            : error == no_memory ? "out of memory"
                                 : "something else";
    return 0;
}
int cuDeviceGetCount(int* count) {
    if (fails()) {
        return unknown;
    }
    *count = is("one") ? 1 : is("two") ? 2 : 4;
    return 0;
}
int cuDeviceGet(int* device, int ordinal) {
    if (fails()) {
        return unknown;
    }
    *device = ordinal;
    return 0;
}
int cuDeviceGetPCIBusId(char* text, int length, int device) {
    if (fails()) {
        return unknown;
    }
    const char* const set = std::getenv("STUB_CUDA_BUS_ID");
    const char* const ids[] = {"0000:03:00.0", "0000:04:00.0", "0000:83:00.0", "0000:84:00.0"};
    std::snprintf(text, static_cast<std::size_t>(length), "%s",
                  set != nullptr                 ? set
                  : is("foreign") && device == 3 ? "0000:99:00.0"
                                                 : ids[device]);
    return 0;
}
int cuDeviceCanAccessPeer(int* can, int, int) {
    if (fails()) {
        return unknown;
    }
    *can = is("staged") ? 0 : 1;
    return 0;
}
int cuDevicePrimaryCtxRetain(Context** context, int device) {
    if (fails()) {
        return unknown;
    }
    *context = &contexts[device];
    ++held;
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
    --held;
    return 0;
}
int cuCtxSetCurrent(Context* context) {
    current = context;
    return 0;
}
int cuCtxEnablePeerAccess(Context* peer, unsigned) {
    if (fails()) {
        return unknown;
    }
    if (is("staged")) {
        return no_peer_access;
    }
    bool& enabled = is_enabled[{current->device, peer->device}];
    return std::exchange(enabled, true) ? already_enabled : 0;
}
int cuMemAlloc_v2(std::uint64_t* memory, std::size_t) {
    if (fails()) {
        return unknown;
    }
    if (is("full")) {
        return no_memory;
    }
    *memory = 0x1000;
    ++held;
    return 0;
}
int cuMemFree_v2(std::uint64_t) {
    --held;
    return 0;
}
// The first two copies of a pair are slow, and so is each fourth one after them.
int cuMemcpyPeerAsync(std::uint64_t, Context* to, std::uint64_t, Context* from, std::size_t size,
                      void*) {
    if (fails()) {
        return unknown;
    }
    const int count = copies[{from->device, to->device}]++;
    const double slowness = count < 2 ? 10 : count % 4 == 3 ? 3 : 1;
    now += slowness * static_cast<double>(size) / bytes_a_millisecond(from->device, to->device);
    return 0;
}
int cuStreamCreate(void** stream, unsigned) {
    if (fails()) {
        return unknown;
    }
    *stream = &now;
    ++held;
    return 0;
}
int cuStreamDestroy_v2(void*) {
    --held;
    return 0;
}
int cuEventCreate(double** event, unsigned) {
    if (fails()) {
        return unknown;
    }
    *event = new double(0);
    ++held;
    return 0;
}
int cuEventDestroy_v2(double* event) {
    delete event;
    --held;
    return 0;
}
int cuEventRecord(double* event, void*) {
    if (fails()) {
        return unknown;
    }
    *event = now;
    return 0;
}
int cuEventSynchronize(double*) {
    if (fails()) {
        return unknown;
    }
    return 0;
}
int cuEventElapsedTime(float* milliseconds, const double* start, const double* end) {
    if (fails()) {
        return unknown;
    }
    const char* const set = std::getenv("STUB_CUDA_MILLISECONDS");
    *milliseconds = set != nullptr ? std::strtof(set, nullptr) : static_cast<float>(*end - *start);
    return 0;
}
}
