// Carries an all-reduce's messages by MPI: the same source for Open MPI and SimGrid SMPI.
#include "plugins/mpi/mpi_transport.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <utility>

#include "libplanner/base/median.hpp"

namespace hora::mpi {
namespace {

constexpr int message_tag = 1;
constexpr std::size_t most_receives = 128;
constexpr std::size_t receive_memory = 64U << 20U;
constexpr std::size_t longest_message = 4U << 20U;

}  // namespace

MpiTransport::MpiTransport(MPI_Comm communicator) : communicator_(communicator) {
    int rank = 0;
    int size = 1;
    PMPI_Comm_rank(communicator_, &rank);
    PMPI_Comm_size(communicator_, &size);
    rank_ = static_cast<std::uint32_t>(rank);
    size_ = static_cast<std::uint32_t>(size);
    const std::size_t receives = std::min<std::size_t>(2 * (size_ - 1), most_receives);
    largest_message_ =
        std::min(longest_message, receive_memory / std::max<std::size_t>(receives, 1));
    requests_.resize(receives, MPI_REQUEST_NULL);
    receiving_.resize(receives);
    for (std::size_t slot = 0; slot < receives; ++slot) {
        expect_message(slot);
    }
}

MpiTransport::~MpiTransport() {
    for (std::size_t slot = 0; slot < receiving_.size(); ++slot) {
        PMPI_Cancel(&requests_[slot]);
        PMPI_Wait(&requests_[slot], MPI_STATUS_IGNORE);
    }
}

void MpiTransport::expect_message(std::size_t slot) {
    if (unused_->empty()) {
        unused_->push_back(std::make_unique_for_overwrite<std::byte[]>(largest_message_));
    }
    receiving_[slot] = std::move(unused_->back());
    unused_->pop_back();
    PMPI_Irecv(receiving_[slot].get(), static_cast<int>(largest_message_), MPI_BYTE, MPI_ANY_SOURCE,
               message_tag, communicator_, &requests_[slot]);
}

std::shared_ptr<Buffer> MpiTransport::take_message(std::size_t slot, std::size_t bytes) {
    const auto give_back = [unused = unused_](Buffer* message) {
        unused->push_back(std::move(message->bytes));
        delete message;
    };
    return {new Buffer{std::move(receiving_[slot]), bytes}, give_back};
}

void MpiTransport::send(std::uint32_t to, std::uint64_t message,
                        std::span<const std::span<const std::byte>> parts) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> addresses;
    for (const std::span<const std::byte> part : parts) {
        MPI_Aint address = 0;
        PMPI_Get_address(part.data(), &address);
        lengths.push_back(static_cast<int>(part.size()));
        addresses.push_back(address);
    }
    MPI_Datatype gathered = MPI_DATATYPE_NULL;
    PMPI_Type_create_hindexed(static_cast<int>(parts.size()), lengths.data(), addresses.data(),
                              MPI_BYTE, &gathered);
    PMPI_Type_commit(&gathered);
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(MPI_BOTTOM, 1, gathered, static_cast<int>(to), message_tag, communicator_, &request);
    PMPI_Type_free(&gathered);
    requests_.push_back(request);
    sending_.push_back(message);
}

void MpiTransport::progress(Handler& handler, Seconds until) {
    completed_.resize(requests_.size());
    statuses_.resize(requests_.size());
    int count = 0;
    const auto requests = static_cast<int>(requests_.size());
    const Worker* const worker = handler.worker();
    if (until == never && worker == nullptr) {
        // One at a time: in SMPI, MPI_Waitsome polls.
        PMPI_Waitany(requests, requests_.data(), completed_.data(), statuses_.data());
        count = completed_.front() == MPI_UNDEFINED ? 0 : 1;
    } else {
        const auto look = [&] {
            PMPI_Testsome(requests, requests_.data(), &count, completed_.data(), statuses_.data());
            count = count == MPI_UNDEFINED ? 0 : count;
        };
        const auto is_over = [&] {
            return now() >= until || (worker != nullptr && worker->has_done());
        };
        for (look(); count == 0 && !is_over(); look()) {
            std::this_thread::yield();
        }
    }
    // Messages are matched with receives in the order in which these were posted, so they have come
    // in that order.
    completed_.resize(static_cast<std::size_t>(count));
    std::vector<std::size_t> order(completed_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [this](std::size_t i) { return completed_[i]; });
    std::vector<std::shared_ptr<Buffer>> messages;
    std::vector<std::uint64_t> sent;
    for (const std::size_t i : order) {
        const auto slot = static_cast<std::size_t>(completed_[i]);
        if (slot >= receiving_.size()) {
            sent.push_back(sending_[slot - receiving_.size()]);
            continue;
        }
        int bytes = 0;
        PMPI_Get_count(&statuses_[i], MPI_BYTE, &bytes);
        messages.push_back(take_message(slot, static_cast<std::size_t>(bytes)));
    }
    remove_completed();
    for (const std::uint64_t message : sent) {
        handler.sent(message);
    }
    for (std::shared_ptr<Buffer>& message : messages) {
        handler.received(std::move(message));
    }
}

// The others keep their order; new receives come after them.
void MpiTransport::remove_completed() {
    const std::size_t receives = receiving_.size();
    std::size_t kept = 0;
    for (std::size_t slot = 0; slot < receives; ++slot) {
        if (requests_[slot] != MPI_REQUEST_NULL) {
            std::swap(requests_[kept], requests_[slot]);
            std::swap(receiving_[kept++], receiving_[slot]);
        }
    }
    for (; kept < receives; ++kept) {
        expect_message(kept);
    }
    std::size_t sends = 0;
    for (std::size_t i = 0; i < sending_.size(); ++i) {
        if (requests_[receives + i] != MPI_REQUEST_NULL) {
            requests_[receives + sends] = requests_[receives + i];
            sending_[sends++] = sending_[i];
        }
    }
    requests_.resize(receives + sends);
    sending_.resize(sends);
}

Seconds MpiTransport::now() const {
    return Seconds(PMPI_Wtime());
}

MessageTimes measure_message_times(MPI_Comm communicator) {
    int rank = 0;
    int size = 1;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Comm_size(communicator, &size);
    const int next = (rank + 1) % size;
    const int previous = (rank + size - 1) % size;
    constexpr int most = 4;
    constexpr std::array sizes = {8,     256,   1024,  2048,   4096,   8192,
                                  16384, 32768, 65536, 131072, 262144, 1048576};
    std::vector<std::byte> from(sizes.back());
    std::vector<std::byte> into(most * sizes.back());
    // All ranks send to their successor at once, as in a ring.
    const auto time_of = [&](int bytes, int messages) {
        std::array<MPI_Request, 2 * most> requests;
        PMPI_Barrier(communicator);
        const double begin = PMPI_Wtime();
        for (int i = 0; i < messages; ++i) {
            PMPI_Irecv(into.data() + i * sizes.back(), bytes, MPI_BYTE, previous, 0, communicator,
                       &requests[2 * i]);
            PMPI_Isend(from.data(), bytes, MPI_BYTE, next, 0, communicator, &requests[2 * i + 1]);
        }
        PMPI_Waitall(2 * messages, requests.data(), MPI_STATUSES_IGNORE);
        return PMPI_Wtime() - begin;
    };
    const auto median_of = [&](int bytes, int messages) {
        time_of(bytes, messages);  // the first time sets connections up
        std::array<double, 5> times{};
        std::ranges::generate(times, [&] { return time_of(bytes, messages); });
        return median(times);
    };
    std::vector<double> slowest;
    for (const int bytes : sizes) {
        slowest.push_back(median_of(bytes, 1));
        slowest.push_back(median_of(bytes, most));
    }
    PMPI_Allreduce(MPI_IN_PLACE, slowest.data(), static_cast<int>(slowest.size()), MPI_DOUBLE,
                   MPI_MAX, communicator);
    std::vector<MessageTimes::Point> points;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double one = std::max(slowest[2 * i], 1e-9);
        const double further = std::max((slowest[2 * i + 1] - one) / (most - 1), 0.0);
        points.push_back({Bytes(sizes[i]), Seconds(one), Seconds(further)});
    }
    return MessageTimes(std::move(points));
}

}  // namespace hora::mpi
