// Are the sums of MPI_Iallreduce right however its requests are completed, in any company?
#include <algorithm>
#include <deque>
#include <memory>

#include "tests/unit/mpi/preload/program.hpp"

namespace hora::mpi::test {
namespace {

struct UnderWay {
    std::uint64_t number = 0;
    MPI_Comm communicator = MPI_COMM_NULL;
    std::vector<double> from{};
    std::vector<double> into{};
};

// Requests of this round: reductions first, then MPI's own.
struct Round {
    std::vector<MPI_Request> requests;
    std::vector<std::unique_ptr<UnderWay>> reductions;
    std::vector<int> messages;
};

class Requests {
  public:
    Requests(Verdict& verdict, std::uint32_t seed)
        : verdict_(verdict),
          rank_(rank_in(MPI_COMM_WORLD)),
          together_(seed),
          alone_(seed * 977 + static_cast<std::uint32_t>(rank_) + 1) {
        communicators_.resize(4, MPI_COMM_WORLD);
        MPI_Comm_dup(MPI_COMM_WORLD, &communicators_[1]);
        MPI_Comm_split(MPI_COMM_WORLD, rank_ % 2, 0, &communicators_[2]);
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank_, &communicators_[3]);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
        MPI_Send_init(&sent_, 1, MPI_INT, (rank_ + 1) % size_, 5, MPI_COMM_WORLD, &persistent_[0]);
        MPI_Recv_init(&received_, 1, MPI_INT, (rank_ + size_ - 1) % size_, 5, MPI_COMM_WORLD,
                      &persistent_[1]);
    }

    void run(int rounds) {
        for (int i = 0; i < rounds; ++i) {
            Round round;
            begin_reductions(round);
            begin_others(round);
            complete(round);
            check(round);
        }
        for (MPI_Request& request : persistent_) {
            MPI_Request_free(&request);
        }
        for (std::size_t i = 1; i < communicators_.size(); ++i) {
            MPI_Comm_free(&communicators_[i]);
        }
    }

  private:
    void begin_reductions(Round& round) {
        const std::size_t count = 1 + together_() % 12;
        for (std::size_t i = 0; i < count; ++i) {
            auto it = std::make_unique<UnderWay>();
            it->number = next_number_++;
            it->communicator = communicators_[together_() % communicators_.size()];
            const std::size_t elements = 1 + together_() % (together_() % 9 == 0 ? 40000 : 200);
            const bool is_in_place = together_() % 2 == 0;
            auto own = numbers(it->number, rank_in(it->communicator), elements);
            it->into.resize(elements);
            (is_in_place ? it->into : it->from) = std::move(own);
            MPI_Request request = MPI_REQUEST_NULL;
            MPI_Iallreduce(is_in_place ? MPI_IN_PLACE : it->from.data(), it->into.data(),
                           static_cast<int>(elements), MPI_DOUBLE, MPI_SUM, it->communicator,
                           &request);
            round.requests.push_back(request);
            round.reductions.push_back(std::move(it));
            if (together_() % 10 == 0) {
                double one = 1;
                MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
                verdict_.expect(one == size_, "a blocking reduction among others");
            }
        }
    }

    // A ring of messages, a barrier, and persistent requests.
    void begin_others(Round& round) {
        round.messages.assign(2, rank_);
        MPI_Request request = MPI_REQUEST_NULL;
        if (together_() % 2 == 0) {
            MPI_Irecv(&round.messages[0], 1, MPI_INT, (rank_ + size_ - 1) % size_, 3,
                      MPI_COMM_WORLD, &request);
            round.requests.push_back(request);
            MPI_Isend(&round.messages[1], 1, MPI_INT, (rank_ + 1) % size_, 3, MPI_COMM_WORLD,
                      &request);
            round.requests.push_back(request);
        }
        if (together_() % 3 == 0) {
            MPI_Ibarrier(communicators_[1], &request);
            round.requests.push_back(request);
        }
        if (together_() % 3 == 0) {
            sent_ = rank_;
            MPI_Startall(2, persistent_);
            round.requests.insert(round.requests.end(), persistent_, persistent_ + 2);
        }
        round.requests.push_back(MPI_REQUEST_NULL);
    }

    // Each rank in its own way and order.
    void complete(Round& round) {
        std::vector<MPI_Request>& all = round.requests;
        std::shuffle(all.begin(), all.end(), alone_);
        const auto count = static_cast<int>(all.size());
        std::vector<int> indices(all.size());
        int index = 0;
        int flag = 0;
        int completed = 0;
        switch (alone_() % 9) {
            case 0:
                MPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE);
                break;
            case 1:
                for (MPI_Request& request : all) {
                    MPI_Wait(&request, MPI_STATUS_IGNORE);
                }
                break;
            case 2:
                do {
                    MPI_Waitany(count, all.data(), &index, MPI_STATUS_IGNORE);
                } while (index != MPI_UNDEFINED);
                break;
            case 3:
                do {
                    MPI_Waitsome(count, all.data(), &completed, indices.data(),
                                 MPI_STATUSES_IGNORE);
                } while (completed != MPI_UNDEFINED);
                break;
            case 4:
                while (flag == 0) {
                    MPI_Testall(count, all.data(), &flag, MPI_STATUSES_IGNORE);
                }
                break;
            case 5:
                do {
                    MPI_Testany(count, all.data(), &index, &flag, MPI_STATUS_IGNORE);
                } while (flag == 0 || index != MPI_UNDEFINED);
                break;
            case 6:
                do {
                    MPI_Testsome(count, all.data(), &completed, indices.data(),
                                 MPI_STATUSES_IGNORE);
                } while (completed != MPI_UNDEFINED);
                break;
            case 7:
                for (MPI_Request& request : all) {
                    for (flag = 0; flag == 0;) {
                        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
                    }
                }
                break;
            default:
                // A function that is not intercepted.
                PMPI_Waitall(count, all.data(), MPI_STATUSES_IGNORE);
        }
    }

    void check(const Round& round) {
        for (const auto& it : round.reductions) {
            int ranks = 0;
            MPI_Comm_size(it->communicator, &ranks);
            std::vector<double> sum(it->into.size());
            for (int rank = 0; rank < ranks; ++rank) {
                const auto part = numbers(it->number, rank, sum.size());
                std::transform(sum.begin(), sum.end(), part.begin(), sum.begin(), std::plus<>());
            }
            verdict_.expect(it->into == sum, fmt::format("reduction {} is wrong", it->number));
        }
    }

    Verdict& verdict_;
    const int rank_;
    int size_ = 0;
    std::mt19937 together_;  // the same numbers on all ranks
    std::mt19937 alone_;
    std::vector<MPI_Comm> communicators_;
    std::uint64_t next_number_ = 0;
    MPI_Request persistent_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int sent_ = 0;
    int received_ = 0;
};

}  // namespace

void try_requests(Verdict& verdict, int rounds) {
    const int seen = seen_by_tool();
    Requests(verdict, 1).run(rounds);
    verdict.expect(seen_by_tool() == seen, "MPI reduced what is Hora's");
}

void try_progress(Verdict& verdict) {
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &fresh);
    // The first reductions of a communicator and later ones; one is too long for one message.
    for (const std::size_t count : {10U, 10U, 300000U}) {
        auto values = numbers(0, rank, count);
        MPI_Request request = MPI_REQUEST_NULL;
        int word = 0;
        if (rank == 1) {
            // Rank 0 waits for this message before the reduction has begun here …
            MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        if (rank == 0) {
            MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(count), MPI_DOUBLE,
                           MPI_SUM, fresh, &request);
            MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            // … and for this one until it is complete there.
            MPI_Recv(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(count), MPI_DOUBLE,
                           MPI_SUM, fresh, &request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        if (rank == 1) {
            MPI_Send(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        }
        // Two communicators whose order is not the same on all ranks.
        double one = 1;
        double two = 2;
        if (rank == 0) {
            MPI_Iallreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_SUM, fresh, &request);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, &two, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, &two, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            MPI_Iallreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_SUM, fresh, &request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        verdict.expect(one == 4 && two == 8, "reductions of two communicators");
    }
    // One is being made, on some ranks before a reduction has begun and on others after it.
    MPI_Comm late = MPI_COMM_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    double one = 1;
    if (rank == 0) {
        MPI_Iallreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_SUM, fresh, &request);
        MPI_Comm_dup(MPI_COMM_WORLD, &late);
    } else {
        MPI_Comm_dup(MPI_COMM_WORLD, &late);
        MPI_Iallreduce(MPI_IN_PLACE, &one, 1, MPI_DOUBLE, MPI_SUM, fresh, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    verdict.expect(one == 4, "a reduction beside a communicator that is being made");
    MPI_Comm_free(&late);
    MPI_Comm_free(&fresh);
}

void try_freed_communicators(Verdict& verdict) {
    // More than MPI has numbers for, if they were not given back.
    constexpr int times = 60;
    double outstanding = 1;
    MPI_Comm other = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    for (int i = 0; i < times; ++i) {
        MPI_Comm copy = MPI_COMM_NULL;
        MPI_Request requests[3] = {};
        double values[] = {1, 1, 1};
        MPI_Iallreduce(&outstanding, &values[0], 1, MPI_DOUBLE, MPI_SUM, other, &requests[0]);
        MPI_Comm_dup(MPI_COMM_WORLD, &copy);
        if (i % 2 == 0) {
            MPI_Allreduce(MPI_IN_PLACE, &values[1], 1, MPI_DOUBLE, MPI_SUM, copy);
        } else {
            MPI_Iallreduce(MPI_IN_PLACE, &values[1], 1, MPI_DOUBLE, MPI_SUM, copy, &requests[1]);
        }
        requests[2] = MPI_REQUEST_NULL;
        if (i % 2 == 0) {
            requests[1] = MPI_REQUEST_NULL;
        }
        if (i % 3 == 0) {
            MPI_Comm_disconnect(&copy);
        } else {
            MPI_Comm_free(&copy);
        }
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        verdict.expect(values[0] == 4 && values[1] == 4, "reductions of freed communicators");
    }
    MPI_Comm_free(&other);
}

}  // namespace hora::mpi::test
