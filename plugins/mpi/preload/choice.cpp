// Whose all-reduce was asked for, and do all ranks ask for the same?
#include "plugins/mpi/preload/choice.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

namespace hora::mpi {
namespace {

bool is_bypass(const Choice& choice) {
    return choice.is_ours() && choice.allreduce != domain::Allreduce::ring;
}

}  // namespace

Choice read_choice(const std::function<const char*(const char*)>& variable) {
    using domain::Allreduce;
    using domain::allreduce_names;
    const auto value_of = [&](const char* name) {
        const char* const value = variable(name);
        return value == nullptr ? std::string_view() : std::string_view(value);
    };
    const auto* const name = std::find(std::begin(allreduce_names), std::end(allreduce_names),
                                       value_of("HORA_ALLREDUCE"));
    if (name == std::end(allreduce_names)) {
        return {};
    }
    auto allreduce = static_cast<Allreduce>(name - std::begin(allreduce_names));
    if (allreduce == Allreduce::bypass) {
        allreduce = Allreduce::bypass_to_owner;
    }
    if (allreduce == Allreduce::mpi) {
        return {};
    }
    const auto is_set = [&](const char* flag) {
        const std::string_view value = value_of(flag);
        return !value.empty() && value != "0";
    };
    return {.allreduce = allreduce,
            .takes_nonblocking = value_of("HORA_ALLREDUCE_NONBLOCKING") != "mpi",
            .is_deterministic = is_set("HORA_DETERMINISTIC"),
            .has_thread = is_set("HORA_ALLREDUCE_THREAD")};
}

bool is_known(const char* value) {
    return value == nullptr ||
           std::ranges::find(domain::allreduce_names, std::string_view(value)) !=
               std::end(domain::allreduce_names);
}

Choice agree(const Choice& own) {
    const int value = static_cast<int>(own.allreduce);
    std::array<int, 4> least = {value, -value, own.takes_nonblocking ? 1 : 0,
                                own.is_deterministic ? 0 : 1};
    PMPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT, MPI_MIN,
                   MPI_COMM_WORLD);
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (least[0] == -least[1]) {
        const Choice agreed{own.allreduce, least[2] == 1, least[3] == 0, own.has_thread};
        if (rank == 0 && agreed.is_deterministic && is_bypass(agreed)) {
            std::fputs("hora: HORA_DETERMINISTIC is set: no bypass, the ring alone is used\n",
                       stderr);
        }
        return agreed;
    }
    if (rank == 0) {
        std::fputs("hora: HORA_ALLREDUCE differs between the ranks; MPI's own all-reduce is used\n",
                   stderr);
    }
    return {};
}

Settings settings_of(const Choice& choice, const MessageTimes& times) {
    if (choice.is_deterministic) {
        return {};
    }
    Settings settings{.times = times};
    if (is_bypass(choice)) {
        settings.bypass = choice.allreduce == domain::Allreduce::bypass_to_owner
                              ? LatePartials::to_owner
                              : LatePartials::to_successor;
    }
    return settings;
}

}  // namespace hora::mpi
