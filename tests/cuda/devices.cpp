// CUDA and NCCL without a GPU, for tests of the NCCL trainer: kernels run on this CPU, and ranks
// meet in shared memory. What a stream was given is done late and in any order that its events
// allow, drawn from STUB_SEED, so that a missing event shows. STUB_GPUS is how many there are (4);
// STUB_WRONG makes sums wrong, nan no numbers; STUB_FAILS_TO_START is a rank whose GPU takes no
// parameters to start with; STUB_LOG is a file that rank 0 writes as NCCL's log.
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <nccl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "contrib/nccl/gpu_queue.hpp"
#include "contrib/nccl/host_queue.hpp"

// CUDA's own names for what it hands out.
struct CUstream_st {
    std::deque<std::function<bool()>> work;  // each: whether it is done
};
struct CUevent_st {
    std::uint64_t recorded = 0;
    std::uint64_t reached = 0;
};

namespace {

constexpr std::size_t most_ranks = 8;
constexpr std::size_t most_values = 8192;

std::vector<CUstream_st*> streams;

std::mt19937_64& random_order() {
    static std::mt19937_64 random = [] {
        const char* const seed = std::getenv("STUB_SEED");
        return std::mt19937_64(seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10));
    }();
    return random;
}

void work_on_some() {
    for (int turn = 0; turn < 64 && !streams.empty(); ++turn) {
        auto& work = streams[random_order()() % streams.size()]->work;
        if (!work.empty() && work.front()()) {
            work.pop_front();
        }
    }
}

cudaError_t give(cudaStream_t stream, std::function<bool()> work) {
    if (stream == nullptr) {
        return work() ? cudaSuccess : cudaErrorUnknown;
    }
    stream->work.push_back(std::move(work));
    return cudaSuccess;
}

bool is_wrong() {
    return std::getenv("STUB_WRONG") != nullptr;
}

// What the ranks of a communicator share.
struct Shared {
    std::atomic<std::uint64_t> attached;
    std::atomic<std::uint64_t> given[most_ranks];
    std::atomic<std::uint64_t> taken[most_ranks];
    double values[most_ranks][most_values];
};

}  // namespace

struct ncclComm {
    Shared* shared = nullptr;
    std::string name;
    std::size_t rank = 0;
    std::size_t size = 0;
    std::uint64_t calls = 0;
    bool is_unlinked = false;
    bool is_aborted = false;

    bool have_all(const std::atomic<std::uint64_t>* counts, std::uint64_t least) const {
        for (std::size_t i = 0; i < size; ++i) {
            if (counts[i] < least) {
                return false;
            }
        }
        return true;
    }
};

namespace {

using Reduce = std::function<double(const Shared&, std::size_t)>;

// One collective call: first everyone gives, then everyone takes.
ncclResult_t call(ncclComm* communicator, double* values, std::size_t count, cudaStream_t stream,
                  const Reduce& reduce) {
    const std::uint64_t number = ++communicator->calls;
    give(stream, [=, is_given = false]() mutable {
        if (communicator->is_aborted) {
            return true;
        }
        Shared& shared = *communicator->shared;
        if (!is_given) {
            if (!communicator->have_all(shared.taken, number - 1)) {
                return false;
            }
            std::memcpy(shared.values[communicator->rank], values, count * sizeof *values);
            shared.given[communicator->rank] = number;
            is_given = true;
        }
        if (!communicator->have_all(shared.given, number)) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            values[i] = reduce(shared, i);
        }
        shared.taken[communicator->rank] = number;
        return true;
    });
    return ncclSuccess;
}

void write_log(std::size_t rank) {
    const char* const name = std::getenv("NCCL_DEBUG_FILE");
    const char* const source = std::getenv("STUB_LOG");
    if (name == nullptr) {
        return;
    }
    std::string path = name;
    path.replace(path.find("%h"), 2, "here");
    path.replace(path.find("%p"), 2, std::to_string(getpid()));
    std::ofstream log(path);
    log << "here:1:1 [0] NCCL INFO comm of a stub\n";
    if (rank == 0 && source != nullptr) {
        log << std::ifstream(source).rdbuf();
    }
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    const char* const set = std::getenv("STUB_GPUS");
    *count = set == nullptr ? 4 : std::atoi(set);
    return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}
const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "something else";
}
cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}
cudaError_t cudaMalloc(void** pointer, std::size_t size) {
    *pointer = std::malloc(size);
    return cudaSuccess;
}
// Once the GPU has done all that it was given.
cudaError_t cudaFree(void* pointer) {
    while (std::any_of(streams.begin(), streams.end(),
                       [](const CUstream_st* it) { return !it->work.empty(); })) {
        work_on_some();
    }
    std::free(pointer);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** pointer, std::size_t size) {
    return cudaMalloc(pointer, size);
}
cudaError_t cudaFreeHost(void* pointer) {
    return cudaFree(pointer);
}
cudaError_t cudaMemset(void* pointer, int value, std::size_t size) {
    std::memset(pointer, value, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind kind) {
    static int left = 3;  // pixels, labels, first weights
    const char* const failing = std::getenv("STUB_FAILS_TO_START");
    const char* const rank = std::getenv("RANK");
    if (failing != nullptr && rank != nullptr && std::strcmp(failing, rank) == 0 &&
        kind == cudaMemcpyHostToDevice && left-- == 0) {
        return cudaErrorUnknown;
    }
    std::memcpy(to, from, size);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind,
                            cudaStream_t stream) {
    return give(stream, [=] {
        std::memcpy(to, from, size);
        return true;
    });
}
cudaError_t cudaDeviceSynchronize() {
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    streams.push_back(*stream = new CUstream_st);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    // It goes on with its work.
    if (stream->work.empty()) {
        std::erase(streams, stream);
        delete stream;
    }
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    work_on_some();
    return stream->work.empty() ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return give(stream, [=, number = ++event->recorded] {
        event->reached = number;
        return true;
    });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return give(stream, [=, number = event->recorded] { return event->reached >= number; });
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
    std::snprintf(id->internal, sizeof id->internal, "/hora-stub-%d", static_cast<int>(getpid()));
    return ncclSuccess;
}
ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int size, ncclUniqueId id, int rank,
                                    ncclConfig_t*) {
    auto* const communicator = new ncclComm;
    communicator->name = id.internal;
    communicator->rank = static_cast<std::size_t>(rank);
    communicator->size = static_cast<std::size_t>(size);
    const int file = shm_open(id.internal, O_RDWR | O_CREAT, 0600);
    if (file < 0 || communicator->size > most_ranks || ftruncate(file, sizeof(Shared)) != 0) {
        return ncclSystemError;
    }
    communicator->shared = static_cast<Shared*>(
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    ++communicator->shared->attached;
    write_log(communicator->rank);
    *made = communicator;
    return ncclInProgress;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
    const bool are_all_here = communicator->shared->attached >= communicator->size;
    if (are_all_here && !std::exchange(communicator->is_unlinked, true)) {
        shm_unlink(communicator->name.c_str());
    }
    *error = are_all_here ? ncclSuccess : ncclInProgress;
    return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t) {
    return "an error of a stub";
}
const char* ncclGetLastError(ncclComm_t) {
    return "";
}
ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
    munmap(communicator->shared, sizeof(Shared));
    delete communicator;
    return ncclSuccess;
}
// It is not deleted: what streams were given ends by seeing it.
ncclResult_t ncclCommAbort(ncclComm_t communicator) {
    communicator->is_aborted = true;
    return ncclSuccess;
}
ncclResult_t ncclAllReduce(const void*, void* values, std::size_t count, ncclDataType_t,
                           ncclRedOp_t, ncclComm_t communicator, cudaStream_t stream) {
    const std::size_t size = communicator->size;
    return call(communicator, static_cast<double*>(values), count, stream,
                [size](const Shared& shared, std::size_t i) {
                    double sum = is_wrong() ? 1 : 0;
                    for (std::size_t rank = 0; rank < size; ++rank) {
                        sum += shared.values[rank][i];
                    }
                    return sum;
                });
}
ncclResult_t ncclBroadcast(const void*, void* values, std::size_t count, ncclDataType_t, int,
                           ncclComm_t communicator, cudaStream_t stream) {
    const double off = is_wrong() && communicator->rank == 1 ? 1 : 0;
    return call(communicator, static_cast<double*>(values), count, stream,
                [off](const Shared& shared, std::size_t i) { return shared.values[0][i] + off; });
}
}

namespace hora::trainer {

template <class Operation>
void GpuQueue::for_each(std::size_t count, const Operation& operation) {
    error = give(stream, [=] {
        HostQueue().for_each(count, operation);
        return true;
    });
}

template <class Term>
void GpuQueue::sum_each(std::size_t samples, const Term& term, double* sums) {
    error = give(stream, [=] {
        HostQueue().sum_each(samples, term, sums);
        sums[0] += is_wrong() ? 1e-6 * std::atof(std::getenv("STUB_WRONG")) : 0;
        return true;
    });
}

template void forward(GpuQueue&, const Arrays&, std::size_t);
template void lose(GpuQueue&, const Arrays&, std::size_t);
template void backward(GpuQueue&, const Arrays&, std::size_t, Layer);
template void descend(GpuQueue&, const Arrays&, double, double);
template void recognise(GpuQueue&, const Arrays&, std::size_t);

}  // namespace hora::trainer
