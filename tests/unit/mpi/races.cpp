// Are all sums right on real MPI, whatever the ranks do at the same time? Started alone it starts
// itself on four ranks. Arguments: the number of reductions in all, a seed, and whether ranks go
// ahead of each other at any time: ring, owner or successor. Every second rank adds on threads.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "plugins/mpi/allreduce/allreduce.hpp"
#include "plugins/mpi/allreduce/thread_worker.hpp"
#include "plugins/mpi/mpi_transport.hpp"
#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::mpi {
namespace {

constexpr const char* mark = "HORA_RACES_UNDER_MPI";

// Of a network in which the ring is the best way.
const MessageTimes ring_times({{Bytes(0), Seconds(1e-9), Seconds(1e-9)},
                               {Bytes(1e6), Seconds(1e-3), Seconds(1e-3)}});

class Group {
  public:
    Group(MPI_Comm communicator, std::optional<LatePartials> bypass)
        : communicator_(communicator),
          transport_(communicator),
          allreduce_(transport_,
                     {.times = bypass ? ring_times : measure_message_times(communicator),
                      .fusion_bytes = Bytes(100000),
                      .fusion_wait = Seconds(1e-4),
                      .bypass = bypass,
                      .patience = Seconds(20e-6)},
                     transport_.rank() % 2 == 1 ? &worker_ : nullptr) {}

    Allreduce& allreduce() { return allreduce_; }
    std::vector<std::uint32_t> members() const {
        MPI_Group world = MPI_GROUP_NULL;
        MPI_Group own = MPI_GROUP_NULL;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Comm_group(communicator_, &own);
        std::vector<int> numbers(transport_.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            numbers[i] = static_cast<int>(i);
        }
        std::vector<int> in_world(numbers.size());
        MPI_Group_translate_ranks(own, static_cast<int>(numbers.size()), numbers.data(), world,
                                  in_world.data());
        MPI_Group_free(&world);
        MPI_Group_free(&own);
        return {in_world.begin(), in_world.end()};
    }

  private:
    MPI_Comm communicator_;
    MpiTransport transport_;
    ThreadWorker worker_{0};
    Allreduce allreduce_;
};

// What a rank brings to a reduction; whole numbers, so that every order of adding is exact.
double number(std::uint64_t reduction, std::uint32_t rank, std::size_t i) {
    return static_cast<double>((reduction * 31 + rank * 17 + i * 7) % 1009);
}

struct UnderWay {
    Group* group;
    std::uint64_t number;  // on its communicator
    std::uint64_t reduction;
    std::vector<double> from;
    std::vector<double> into;
};

class Races {
  public:
    Races(std::uint32_t seed, std::uint32_t rank, std::optional<LatePartials> bypass)
        : together_(seed), alone_(seed * 1000 + rank + 1), rank_(rank) {
        MPI_Comm world = MPI_COMM_NULL;
        MPI_Comm half = MPI_COMM_NULL;
        MPI_Comm_dup(MPI_COMM_WORLD, &world);
        MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(rank % 2), 0, &half);
        groups_.push_back(std::make_unique<Group>(world, bypass));
        groups_.push_back(std::make_unique<Group>(half, bypass));
    }

    std::uint64_t run(std::uint64_t reductions) {
        for (std::uint64_t reduction = 0; reduction < reductions; ++reduction) {
            begin(reduction);
            if (alone_() % 50 == 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(alone_() % 500));
            }
            while (!under_way_.empty() && (alone_() % 3 == 0 || under_way_.size() > 40)) {
                finish(alone_() % under_way_.size());
            }
            progress();
        }
        while (!under_way_.empty()) {
            finish(alone_() % under_way_.size());
        }
        return wrong_;
    }

    std::uint64_t gone_ahead() const {
        std::uint64_t all = 0;
        for (const auto& group : groups_) {
            all += group->allreduce().gone_ahead();
        }
        return all;
    }

  private:
    void begin(std::uint64_t reduction) {
        Group& group = *groups_[together_() % groups_.size()];
        const std::size_t count = together_() % (together_() % 20 == 0 ? 60000 : 300);
        const bool is_in_place = together_() % 2 == 0;
        under_way_.push_back({&group, 0, reduction, {}, std::vector<double>(count)});
        UnderWay& it = under_way_.back();
        std::vector<double>& own = is_in_place ? it.into : it.from;
        own.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            own[i] = number(reduction, rank_, i);
        }
        it.number = group.allreduce().begin({.element = Element::float64,
                                             .from = reinterpret_cast<const std::byte*>(own.data()),
                                             .into = reinterpret_cast<std::byte*>(it.into.data()),
                                             .count = count});
    }

    void progress() {
        for (const auto& group : groups_) {
            group->allreduce().progress(Urgency::none);
        }
    }

    void finish(std::size_t which) {
        const UnderWay& it = under_way_[which];
        while (!it.group->allreduce().is_done(it.number)) {
            it.group->allreduce().progress(Urgency::awaited);
            progress();
            std::this_thread::yield();
        }
        const auto members = it.group->members();
        for (std::size_t i = 0; i < it.into.size(); ++i) {
            double sum = 0;
            for (const std::uint32_t member : members) {
                sum += number(it.reduction, member, i);
            }
            wrong_ += it.into[i] == sum ? 0 : 1;
        }
        under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(which));
    }

    std::mt19937 together_;
    std::mt19937 alone_;
    const std::uint32_t rank_;
    std::vector<std::unique_ptr<Group>> groups_;
    std::deque<UnderWay> under_way_;
    std::uint64_t wrong_ = 0;
};

std::optional<LatePartials> bypass_of(std::string_view name) {
    if (name == "ring") {
        return std::nullopt;
    }
    return name == "owner" ? LatePartials::to_owner : LatePartials::to_successor;
}

int run(std::uint64_t reductions, std::uint32_t seed, std::string_view name) {
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Races races(seed, static_cast<std::uint32_t>(rank), bypass_of(name));
    std::uint64_t wrong = races.run(reductions);
    std::uint64_t gone_ahead = races.gone_ahead();
    MPI_Allreduce(MPI_IN_PLACE, &gone_ahead, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        fmt::print("{}: {} reductions on {} ranks with seed {}: {} wrong, {} go-aheads\n", name,
                   reductions, size, seed, wrong, gone_ahead);
    }
    return wrong == 0 && size > 1 && (gone_ahead > 0) == (name != "ring") ? 0 : 1;
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    if (std::getenv(hora::mpi::mark) == nullptr) {
        return hora::mpi::test::start_on_four_ranks(argc, argv, hora::mpi::mark);
    }
    MPI_Init(&argc, &argv);
    const std::uint64_t reductions = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 15000;
    const auto seed = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 1;
    int code = 0;
    for (const char* name : {"ring", "owner", "successor"}) {
        if (argc <= 3 || std::string_view(argv[3]) == name) {
            code |= hora::mpi::run(reductions / (argc > 3 ? 1 : 3), seed, name);
        }
    }
    MPI_Finalize();
    return code;
}
