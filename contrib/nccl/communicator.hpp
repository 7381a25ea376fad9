// Sums and copies between GPUs, by NCCL.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <memory>

#include "contrib/nccl/tcp_exchange.hpp"
#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Every function but wait() is called by all ranks together, and adds to what a stream does. None
// is called after one has failed.
class Communicator {
  public:
    // Rank 0 makes the id of the communicator, and hands it to the others by `exchange`. The GPU
    // must be chosen. Fails after `wait`, as NCCL itself waits for ever.
    static Expected<std::unique_ptr<Communicator>> open(TcpExchange& exchange,
                                                        std::chrono::milliseconds wait);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    // Replaces the values by their sums over all ranks.
    Expected<void> sum(double* values, std::size_t count, cudaStream_t stream);
    // Replaces the values by those of rank 0.
    Expected<void> copy_from_first(double* values, std::size_t count, cudaStream_t stream);
    // Until the stream has done all. Fails where NCCL does, or where a rank is lost and so never
    // sends.
    Expected<void> wait(cudaStream_t stream);

  private:
    explicit Communicator(const TcpExchange& exchange) : exchange_(exchange) {}

    Expected<void> settle(ncclResult_t result, Clock::time_point until);
    Expected<void> check() const;
    void abort();

    const TcpExchange& exchange_;
    ncclComm_t communicator_ = nullptr;  // null: there is none, or it was aborted
};

}  // namespace hora::trainer
