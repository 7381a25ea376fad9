// What holds in programs with threads, in Fortran, and for what a program starts?
#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/unit/mpi/preload/program.hpp"

namespace hora::mpi::test {

// Each thread has a communicator of its own; one request is waited for by another thread, while its
// own one reduces on the same communicator.
void try_threads(Verdict& verdict) {
    int level = 0;
    MPI_Query_thread(&level);
    verdict.expect(level == MPI_THREAD_MULTIPLE, "the program may use threads");
    std::array<MPI_Comm, 3> communicators{};
    for (MPI_Comm& communicator : communicators) {
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    }
    std::array<int, 3> wrong{};
    std::vector<std::thread> threads;
    for (std::size_t number = 0; number < communicators.size(); ++number) {
        threads.emplace_back([&, number] {
            const MPI_Comm own = communicators[number];
            for (int i = 0; i < 60; ++i) {
                double first = 1;
                double second = 2;
                MPI_Request request = MPI_REQUEST_NULL;
                MPI_Iallreduce(MPI_IN_PLACE, &first, 1, MPI_DOUBLE, MPI_SUM, own, &request);
                std::thread waits([&] { MPI_Wait(&request, MPI_STATUS_IGNORE); });
                MPI_Allreduce(MPI_IN_PLACE, &second, 1, MPI_DOUBLE, MPI_SUM, own);
                waits.join();
                wrong[number] += first == 4 && second == 8 ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    verdict.expect(wrong == std::array<int, 3>{}, "sums of several threads");
    for (MPI_Comm& communicator : communicators) {
        MPI_Comm_free(&communicator);
    }
}

// As a Fortran program calls, where Open MPI's Fortran is there.
void try_fortran(Verdict& verdict) {
    if (dlopen("libmpi_mpifh.so.40", RTLD_LAZY | RTLD_NOLOAD) == nullptr) {
        return;
    }
    using Allreduce = void (*)(void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    using Iallreduce =
        void (*)(void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    using Waitall = void (*)(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    using Split = void (*)(MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    const auto allreduce = reinterpret_cast<Allreduce>(dlsym(RTLD_DEFAULT, "mpi_allreduce_"));
    const auto begin = reinterpret_cast<Iallreduce>(dlsym(RTLD_DEFAULT, "ompi_iallreduce_f"));
    const auto wait = reinterpret_cast<Waitall>(dlsym(RTLD_DEFAULT, "mpi_waitall_"));
    const auto split = reinterpret_cast<Split>(dlsym(RTLD_DEFAULT, "mpi_comm_split_"));
    void* const in_place = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
    if (allreduce == nullptr || begin == nullptr || wait == nullptr || split == nullptr ||
        in_place == nullptr) {
        return;
    }
    MPI_Fint type = MPI_Type_c2f(MPI_DOUBLE_PRECISION);
    MPI_Fint sum = MPI_Op_c2f(MPI_SUM);
    MPI_Fint product = MPI_Op_c2f(MPI_PROD);
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Fint one = 1;
    MPI_Fint error = MPI_ERR_OTHER;
    double value = rank_in(MPI_COMM_WORLD) + 1;
    const int seen = seen_by_tool();
    allreduce(in_place, &value, &one, &type, &sum, &world, &error);
    verdict.expect(value == 10 && error == MPI_SUCCESS && seen_by_tool() == seen,
                   "a sum in Fortran");
    double into = 0;
    std::array<MPI_Fint, 2> requests = {MPI_Request_c2f(MPI_REQUEST_NULL), 0};
    MPI_Fint count = 2;
    std::vector<MPI_Fint> statuses(2 * sizeof(MPI_Status) / sizeof(MPI_Fint));
    begin(&value, &into, &one, &type, &sum, &world, &requests[1], &error);
    wait(&count, requests.data(), statuses.data(), &error);
    verdict.expect(into == 40 && error == MPI_SUCCESS, "a non-blocking sum in Fortran");
    value = 2;
    allreduce(in_place, &value, &one, &type, &product, &world, &error);
    verdict.expect(value == 16 && error == MPI_SUCCESS, "a product in Fortran");
    const int rank = rank_in(MPI_COMM_WORLD);
    MPI_Fint half = rank % 2;
    MPI_Fint key = 0;
    MPI_Fint made = MPI_Comm_c2f(MPI_COMM_NULL);
    split(&world, &half, &key, &made, &error);
    value = rank + 1;
    allreduce(in_place, &value, &one, &type, &sum, &made, &error);
    verdict.expect(value == (half == 0 ? 4 : 6) && error == MPI_SUCCESS && seen_by_tool() == seen,
                   "a sum over a communicator that was made in Fortran");
    MPI_Comm communicator = MPI_Comm_f2c(made);
    MPI_Comm_free(&communicator);
}

// Neither the program's own environment nor that of what it starts has the library; what the user
// preloads stays.
void try_environment(Verdict& verdict) {
    const char* const own = std::getenv("LD_PRELOAD");
    const std::string value = own == nullptr ? "" : own;
    verdict.expect(value.find("libhora_mpi") == std::string::npos,
                   "LD_PRELOAD still has the library");
    verdict.expect(value == std::getenv("HORA_TEST_PRELOAD"), "what the user preloads is lost");
    std::array<char, 1000> line{};
    std::FILE* const shell = popen("echo $LD_PRELOAD | grep -c libhora_mpi", "r");
    if (shell != nullptr) {
        verdict.expect(std::fgets(line.data(), line.size(), shell) != nullptr && line[0] == '0',
                       "children have the library");
        pclose(shell);
    }
}

}  // namespace hora::mpi::test
