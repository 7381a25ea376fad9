// Does each message arrive once, and do short ones arrive in the order in which they were sent?
// Started alone it starts itself on four ranks.
#include "plugins/mpi/mpi_transport.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::mpi {
namespace {

constexpr const char* mark = "HORA_TRANSPORT_UNDER_MPI";
constexpr std::uint32_t messages_to_each = 400;

// Sends each rank short messages that say from whom they are and which one, two at a time,
// and looks at what comes after any time.
class Correspondent final : private Transport::Handler {
  public:
    explicit Correspondent(Transport& transport)
        : transport_(transport),
          random_(transport.rank()),
          to_(transport.size()),
          from_(transport.size()) {}

    // The number of messages that were not the next of their sender's.
    int run() {
        std::uint32_t others = transport_.size() - 1;
        while (is_sent_ < others * messages_to_each || received_ < others * messages_to_each) {
            send();
            // In the meantime several come.
            std::this_thread::sleep_for(std::chrono::microseconds(random_() % 200));
            transport_.progress(*this, random_() % 2 == 0 ? never : Seconds(0));
        }
        return failures_;
    }

  private:
    struct Letter {
        std::array<std::uint32_t, 2> text;  // sender, number
        std::array<std::byte, 500> filling{};
    };
    struct Peer {
        std::uint32_t number = 0;  // of the next message
        std::uint32_t on_the_way = 0;
        std::array<Letter, 2> letters;
    };

    void send() {
        for (std::uint32_t rank = 0; rank < transport_.size(); ++rank) {
            Peer& peer = to_[rank];
            while (rank != transport_.rank() && peer.number < messages_to_each &&
                   peer.on_the_way < peer.letters.size()) {
                Letter& letter = peer.letters[peer.number % peer.letters.size()];
                letter.text = {transport_.rank(), peer.number};
                const std::array<std::span<const std::byte>, 2> parts = {
                    std::as_bytes(std::span(letter.text)),
                    std::span(letter.filling).first(random_() % letter.filling.size())};
                transport_.send(rank, rank, parts);
                ++peer.number;
                ++peer.on_the_way;
            }
        }
    }

    void received(std::shared_ptr<Buffer> message) override {
        std::array<std::uint32_t, 2> text{};
        std::memcpy(text.data(), message->bytes.get(), sizeof text);
        failures_ += text[0] < from_.size() && from_[text[0]]++ == text[1] ? 0 : 1;
        ++received_;
    }
    void sent(std::uint64_t message) override {
        --to_[message].on_the_way;
        ++is_sent_;
    }

    Transport& transport_;
    std::mt19937 random_;
    std::vector<Peer> to_;
    std::vector<std::uint32_t> from_;
    std::uint32_t is_sent_ = 0;
    std::uint32_t received_ = 0;
    int failures_ = 0;
};

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    if (std::getenv(hora::mpi::mark) == nullptr) {
        return hora::mpi::test::start_on_four_ranks(argc, argv, hora::mpi::mark);
    }
    MPI_Init(&argc, &argv);
    int failures = 0;
    {
        hora::mpi::MpiTransport transport(MPI_COMM_WORLD);
        failures = hora::mpi::Correspondent(transport).run();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        std::printf("%d messages out of order\n", failures);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
}
