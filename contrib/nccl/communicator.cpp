// Sums and copies between GPUs, by NCCL.
#include "contrib/nccl/communicator.hpp"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "contrib/nccl/gpu.hpp"

namespace hora::trainer {
namespace {

using namespace std::chrono_literals;

// A step takes less, so that it does not pay for sleeping.
constexpr auto longest_spin = 10ms;
constexpr auto pause = 1ms;
// Of one call that NCCL finishes by itself.
constexpr auto longest_call = 60s;

tl::unexpected<Error> nccl_failure(ncclResult_t result, ncclComm_t communicator) {
    const char* const detail = ncclGetLastError(communicator);
    const bool has_detail = detail != nullptr && *detail != '\0';
    return failure(fmt::format("NCCL says \"{}\"{}{}; NCCL_DEBUG=INFO shows more",
                               ncclGetErrorString(result), has_detail ? ": " : "",
                               has_detail ? detail : ""));
}

}  // namespace

Expected<std::unique_ptr<Communicator>> Communicator::open(TcpExchange& exchange,
                                                           std::chrono::milliseconds wait) {
    ncclUniqueId id{};
    const ncclResult_t made = exchange.is_first() ? ncclGetUniqueId(&id) : ncclSuccess;
    const auto is_made = exchange.copy_from_first(std::uint64_t{made == ncclSuccess});
    if (!is_made) {
        return unexpected(is_made.error());
    }
    if (*is_made == 0) {
        return made != ncclSuccess ? nccl_failure(made, nullptr)
                                   : failure("rank 0 has no id of a communicator");
    }
    if (auto copied = exchange.copy_from_first(std::as_writable_bytes(std::span(&id, 1)));
        !copied) {
        return unexpected(copied.error());
    }
    std::unique_ptr<Communicator> communicator(new Communicator(exchange));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;  // so that a rank that is lost is noticed
    const ncclResult_t begun = ncclCommInitRankConfig(&communicator->communicator_, exchange.size(),
                                                      id, exchange.rank(), &config);
    if (auto ready = communicator->settle(begun, Clock::now() + wait); !ready) {
        return unexpected(ready.error().within("cannot connect the GPUs"));
    }
    return communicator;
}

Communicator::~Communicator() {
    if (communicator_ != nullptr) {
        ncclCommDestroy(communicator_);
    }
}

// At once: a kernel that waits for a lost rank ends by this alone, and to free memory of the GPU is
// to wait for it.
void Communicator::abort() {
    if (communicator_ != nullptr) {
        ncclCommAbort(std::exchange(communicator_, nullptr));
    }
}

Expected<void> Communicator::sum(double* values, std::size_t count, cudaStream_t stream) {
    return settle(ncclAllReduce(values, values, count, ncclDouble, ncclSum, communicator_, stream),
                  Clock::now() + longest_call);
}

Expected<void> Communicator::copy_from_first(double* values, std::size_t count,
                                             cudaStream_t stream) {
    return settle(ncclBroadcast(values, values, count, ncclDouble, 0, communicator_, stream),
                  Clock::now() + longest_call);
}

// NCCL answers at once, and goes on by itself.
Expected<void> Communicator::settle(ncclResult_t result, Clock::time_point until) {
    while (result == ncclInProgress) {
        if (auto all = exchange_.check(); !all) {
            abort();
            return all;
        }
        if (Clock::now() >= until) {
            abort();
            return failure("NCCL does not finish; NCCL_DEBUG=INFO shows what it waits for");
        }
        std::this_thread::sleep_for(pause);
        if (ncclCommGetAsyncError(communicator_, &result) != ncclSuccess) {
            result = ncclInternalError;
        }
    }
    if (result != ncclSuccess) {
        auto said = nccl_failure(result, communicator_);
        abort();
        return said;
    }
    return {};
}

Expected<void> Communicator::wait(cudaStream_t stream) {
    const Clock::time_point spin_until = Clock::now() + longest_spin;
    cudaError_t state = cudaStreamQuery(stream);
    while (state == cudaErrorNotReady) {
        if (Clock::now() < spin_until) {
            std::this_thread::yield();
        } else {
            if (auto all = check(); !all) {
                abort();
                return all;
            }
            std::this_thread::sleep_for(pause);
        }
        state = cudaStreamQuery(stream);
    }
    if (state != cudaSuccess) {
        abort();
    }
    return checked(state, "finish what the GPU was given");
}

Expected<void> Communicator::check() const {
    ncclResult_t result = ncclSuccess;
    if (ncclCommGetAsyncError(communicator_, &result) != ncclSuccess || result != ncclSuccess) {
        return nccl_failure(result, communicator_);
    }
    return exchange_.check();
}

}  // namespace hora::trainer
