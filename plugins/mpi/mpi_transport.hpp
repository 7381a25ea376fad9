// Carries an all-reduce's messages by MPI: the same source for Open MPI and SimGrid SMPI.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "plugins/mpi/allreduce/route.hpp"
#include "plugins/mpi/allreduce/transport.hpp"

namespace hora::mpi {

// On a communicator that nothing else uses, and that outlives it. As many receives stand ready as
// the other ranks may have messages on their way (Settings::window), up to 128: a long message goes
// nowhere until one does. Their memory is at most 64 MiB.
class MpiTransport : public Transport {
  public:
    explicit MpiTransport(MPI_Comm communicator);
    ~MpiTransport() override;
    MpiTransport(const MpiTransport&) = delete;
    MpiTransport& operator=(const MpiTransport&) = delete;

    std::uint32_t rank() const override { return rank_; }
    std::uint32_t size() const override { return size_; }
    std::size_t largest_message() const override { return largest_message_; }
    void send(std::uint32_t to, std::uint64_t message,
              std::span<const std::span<const std::byte>> parts) override;
    void progress(Handler& handler, Seconds until) override;
    Seconds now() const override;

  private:
    // Memory of messages is used again: fresh pages cost as much as the copy into them.
    using Pool = std::vector<std::unique_ptr<std::byte[]>>;

    void expect_message(std::size_t slot);
    void remove_completed();
    std::shared_ptr<Buffer> take_message(std::size_t slot, std::size_t bytes);

    MPI_Comm communicator_;
    std::size_t largest_message_ = 0;
    std::uint32_t rank_ = 0;
    std::uint32_t size_ = 1;

    // First the receives as they were posted, then the sends; an element of each belongs to one
    // request.
    std::vector<MPI_Request> requests_;
    std::vector<std::unique_ptr<std::byte[]>> receiving_;
    std::shared_ptr<Pool> unused_ = std::make_shared<Pool>();
    std::vector<std::uint64_t> sending_;
    std::vector<int> completed_;
    std::vector<MPI_Status> statuses_;
};

// What a message takes between neighbours in the ring of ranks, on the slowest pair of them; all
// ranks get the same. Called by all of them together; takes some milliseconds on a fast network.
MessageTimes measure_message_times(MPI_Comm communicator);

}  // namespace hora::mpi
