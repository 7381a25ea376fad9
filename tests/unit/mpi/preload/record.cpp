// Is the communication of an MPI program that knows nothing of Hora recorded, in C and in Fortran?
// Started alone it starts itself on four ranks and reads what they have left.
#define OMPI_SKIP_MPICXX 1
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "libplanner/read/file.hpp"
#include "libplanner/read/trace/rank_record.hpp"
#include "tests/unit/mpi/four_ranks.hpp"

namespace hora::mpi::test {
namespace {

void communicate(int rank) {
    const int next = (rank + 1) % 4;
    int got = 0;
    double sum[2] = {1, 2};
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Request requests[2];
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Bcast(sum, 2, MPI_DOUBLE, 0, half);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 1, &got, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
    MPI_Request reduction = MPI_REQUEST_NULL;
    double one = 1;
    MPI_Iallreduce(&one, sum, 1, MPI_DOUBLE, MPI_SUM, half, &reduction);
    for (int done = 0; done == 0;) {
        MPI_Test(&reduction, &done, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&half);
#if defined(OPEN_MPI)
    using Barrier = void (*)(MPI_Fint*, MPI_Fint*);
    using Reduce = void (*)(void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*);
    const auto barrier = reinterpret_cast<Barrier>(dlsym(RTLD_DEFAULT, "mpi_barrier_"));
    const auto reduce = reinterpret_cast<Reduce>(dlsym(RTLD_DEFAULT, "mpi_allreduce_"));
    MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
    MPI_Fint type = MPI_Type_c2f(MPI_DOUBLE);
    MPI_Fint operation = MPI_Op_c2f(MPI_SUM);
    MPI_Fint count = 1;
    MPI_Fint code = 0;
    reduce(&one, sum, &count, &type, &operation, &world, &code);
    barrier(&world, &code);
#endif
}

int failures = 0;

void expect(bool holds, int rank, const std::string& what) {
    if (!holds) {
        ++failures;
        fmt::print("rank {}: {}\n", rank, what);
    }
}

void check(const std::string& file) {
    const auto text = read::read_file(file);
    const auto record = text.and_then([](const auto& all) { return read::read_rank_record(all); });
    if (!record) {
        expect(false, -1, file + ": " + record.error().message);
        return;
    }
    const int rank = static_cast<int>(record->rank);
    std::map<std::string, const domain::RecordedCall*> call;  // the last one of each function
    for (const auto& one : record->calls) {
        call[record->operations[one.operation]] = &one;
    }
    const auto before = static_cast<std::uint32_t>((rank + 3) % 4);
    const auto after = static_cast<std::uint32_t>((rank + 1) % 4);
    const std::map<std::string, std::pair<double, std::optional<std::uint32_t>>> expected = {
        {"Irecv", {4, before}},
        {"Isend", {4, after}},
        {"Recv", {4, before}},
        {"Send", {4, after}},
        {"Broadcast", {16, {}}},
        {"Iallreduce", {8, {}}},
#if defined(OPEN_MPI)
        {"Barrier", {0, {}}},
        {"AllReduce", {8, {}}},
#else
        {"AllReduce", {16, {}}},
#endif
    };
    for (const auto& [name, what] : expected) {
        const auto found = call.find(name);
        expect(found != call.end(), rank, name + " is not recorded");
        if (found != call.end()) {
            expect(found->second->bytes == Bytes(what.first), rank, name + " has other bytes");
            expect(found->second->peer == what.second, rank, name + " has another peer");
        }
    }
    expect(call.size() == expected.size(), rank, "more functions are recorded");
    expect(record->communicators.size() == 2 && record->communicators[0].name == "world" &&
               record->communicators[0].nodes == 1 &&
               record->communicators[1].name == (rank % 2 == 0 ? "0-2:2" : "1-3:2"),
           rank, "the communicators have other names");
}

int run(const char* program) {
    set_up_mpirun();
    char folder[] = "/tmp/hora-record-XXXXXX";
    if (mkdtemp(folder) == nullptr) {
        return 1;
    }
    const std::string place = std::string(folder) + "/trace/0.0";
    const pid_t child = fork();
    if (child == 0) {
        _exit(become({"mpirun", "-np", "4", "env", "HORA_TEST_RANKS=1", "HORA_TRACE_DIR=" + place,
                      "LD_PRELOAD=" HORA_LIBRARY ":libmpi_mpifh.so.40", program}));
    }
    int status = 0;
    waitpid(child, &status, 0);
    expect(status == 0, -1, "the program failed");
    struct stat found {};
    expect(stat(place.c_str(), &found) == 0 && (found.st_mode & 0777) == 0700, -1,
           "the folder is not the user's alone");
    std::error_code none;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place, none)) {
        ++files;
        check(entry.path().string());
    }
    expect(files == 4, -1, fmt::format("{} files", files));
    std::filesystem::remove_all(folder, none);
    return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace hora::mpi::test

int main(int argc, char** argv) {
    if (std::getenv("HORA_TEST_RANKS") == nullptr) {
#if !defined(OPEN_MPI)
        fmt::print(
            "skipped: MPICH does not start through PMIx, and so has nothing of the library\n");
        return 77;
#endif
        return hora::mpi::test::run(argv[0]);
    }
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hora::mpi::test::communicate(rank);
    MPI_Finalize();
    return 0;
}
