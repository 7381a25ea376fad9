// Does a record hold of a call what hora-trace(5) says: its function, and what this rank sends, or
// receives where it sends nothing? Started alone it starts itself on four ranks, which run these
// tests and those of the types and reductions.
#include "plugins/mpi/preload/described.hpp"

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/unit/mpi/tests_on_four_ranks.hpp"

namespace hora::mpi {
namespace {

using test::own_rank;
using test::ranks;

constexpr const char* mark = "HORA_DESCRIBED_UNDER_MPI";

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HORA_DESCRIBE(arity, name, fortran, parameters, arguments, ...) \
    [[maybe_unused]] auto describe_##name parameters {                  \
        return std::array{__VA_ARGS__};                                 \
    }
HORA_CALLS(HORA_DESCRIBE, HORA_DESCRIBE, HORA_DESCRIBE)
#pragma GCC diagnostic pop

constexpr int root = 2;
const MPI_Comm world = MPI_COMM_WORLD;
const MPI_Datatype type = MPI_DOUBLE;  // 8 bytes
double from[64];
double into[64];

// -- bytes -------------------------------------------------------------------

TEST(Bytes, AreThoseOfAllElements) {
    MPI_Datatype gaps = MPI_DATATYPE_NULL;
    MPI_Type_vector(3, 1, 100, MPI_INT, &gaps);
    MPI_Datatype empty = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Datatype large = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &large);
    struct Case {
        const char* sentence;
        int count;
        MPI_Datatype type;
        std::uint64_t bytes;
    };
    const Case cases[] = {
        {"three", 3, type, 24},
        {"none", 0, type, 0},
        {"fewer than none", -1, type, 0},
        {"the least number", INT_MIN, type, 0},
        {"no type", 3, MPI_DATATYPE_NULL, 0},
        {"what lies between is not sent", 2, gaps, 24},
        {"a type of nothing", INT_MAX, empty, 0},
        {"more than 32 bits count", INT_MAX, large, std::uint64_t{INT_MAX} << 20},
    };
    for (const Case& test : cases) {
        EXPECT_EQ(bytes_of(test.count, test.type), test.bytes) << test.sentence;
        EXPECT_EQ(bytes_of_all(test.count, test.type, world), test.bytes * ranks) << test.sentence;
        EXPECT_EQ(bytes_of_all(test.count, test.type, MPI_COMM_SELF), test.bytes) << test.sentence;
    }
    MPI_Type_free(&gaps);
    MPI_Type_free(&empty);
    MPI_Type_free(&large);
}

TEST(Bytes, OfCountsAreTheirSum) {
    const int counts[ranks] = {1, 0, -7, 5};
    EXPECT_EQ(bytes_of(counts, type, world), 48u);
    EXPECT_EQ(bytes_of(counts, type, MPI_COMM_SELF), 8u);
    EXPECT_EQ(bytes_of(counts, MPI_DATATYPE_NULL, world), 0u);
    EXPECT_EQ(bytes_of(counts, type, MPI_COMM_NULL), 0u);
    EXPECT_EQ(bytes_of(nullptr, type, world), 0u);
    EXPECT_EQ(bytes_of_all(3, type, MPI_COMM_NULL), 0u);
}

// The number of ranks is then another than that of the counts.
TEST(Bytes, OfCountsAreNoneBetweenTwoGroups) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(world, own_rank() == 0 ? 0 : 1, own_rank(), &half);
    MPI_Intercomm_create(half, 0, world, own_rank() == 0 ? 1 : 0, 1, &between);
    const int counts[] = {1};
    EXPECT_EQ(bytes_of(counts, type, between), 0u);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

TEST(Memory, IsInPlace) {
    EXPECT_TRUE(is_in_place(MPI_IN_PLACE));
    EXPECT_FALSE(is_in_place(nullptr));
    EXPECT_FALSE(is_in_place(from));
}

// -- the table ---------------------------------------------------------------

struct Case {
    const char* sentence;
    std::function<Description(int rank)> describe;
    const char* operation;
    int peer;
    std::array<std::uint64_t, ranks> bytes;  // by rank
};

// What this rank sends to each, and what it gets from each: r + 1 from rank r.
const int to_each[ranks] = {1, 2, 3, 4};
const int* counts_of(int rank) {
    static const int counts[ranks][ranks] = {
        {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}, {4, 4, 4, 4}};
    return counts[rank];
}
const int places[ranks] = {0, 8, 16, 24};

Description alltoallv(const void* own, int rank) {
    return describe_Alltoallv(own, counts_of(rank), places, type, into, to_each, places, type,
                              world)[0];
}
Description ialltoallv(const void* own, int rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    return describe_Ialltoallv(own, counts_of(rank), places, type, into, to_each, places, type,
                               world, &request)[0];
}
Description allgatherv(const void* own, int rank) {
    return describe_Allgatherv(own, rank + 1, type, into, to_each, places, type, world)[0];
}
Description iallgatherv(const void* own, int rank) {
    MPI_Request request = MPI_REQUEST_NULL;
    return describe_Iallgatherv(own, rank + 1, type, into, to_each, places, type, world,
                                &request)[0];
}

// What is significant at the root alone is nothing elsewhere.
template <class T>
T at_root(int rank, T value) {
    return rank == root ? value : T{};
}
const void* in_place_at_root(int rank) {
    return rank == root ? MPI_IN_PLACE : from;
}

Description gather(const void* own, int rank) {
    return describe_Gather(own, 3, type, at_root(rank, into), at_root(rank, 3), type, root,
                           world)[0];
}
Description gatherv(const void* own, int rank) {
    return describe_Gatherv(own, rank + 1, type, at_root(rank, into), at_root(rank, to_each),
                            places, type, root, world)[0];
}
Description scatter(void* own, int rank) {
    return describe_Scatter(at_root(rank, from), at_root(rank, 3), type, own, 3, type, root,
                            world)[0];
}
Description scatterv(void* own, int rank) {
    return describe_Scatterv(at_root(rank, from), at_root(rank, to_each), places, type, own,
                             rank + 1, type, root, world)[0];
}

const Case cases[] = {
    {"a barrier", [](int) { return describe_Barrier(world)[0]; }, "Barrier", no_peer, {}},
    {"a broadcast",
     [](int) { return describe_Bcast(into, 3, type, root, world)[0]; },
     "Broadcast",
     no_peer,
     {24, 24, 24, 24}},
    {"a reduction",
     [](int) { return describe_Reduce(from, into, 3, type, MPI_SUM, root, world)[0]; },
     "Reduce",
     no_peer,
     {24, 24, 24, 24}},
    {"each part of a scattered reduction",
     [](int) { return describe_Reduce_scatter(from, into, to_each, type, MPI_SUM, world)[0]; },
     "ReduceScatter",
     no_peer,
     {80, 80, 80, 80}},
    {"equal parts of a scattered reduction",
     [](int) { return describe_Reduce_scatter_block(from, into, 3, type, MPI_SUM, world)[0]; },
     "ReduceScatter",
     no_peer,
     {96, 96, 96, 96}},
    {"what each gives all",
     [](int) { return describe_Allgather(from, 3, type, into, 3, type, world)[0]; },
     "AllGather",
     no_peer,
     {24, 24, 24, 24}},
    {"what each gives all in place",
     [](int) { return describe_Allgather(MPI_IN_PLACE, 0, type, into, 3, type, world)[0]; },
     "AllGather",
     no_peer,
     {24, 24, 24, 24}},
    {"several lengths for all",
     [](int rank) { return allgatherv(from, rank); },
     "Allgatherv",
     no_peer,
     {8, 16, 24, 32}},
    {"several lengths for all, in place",
     [](int rank) { return allgatherv(MPI_IN_PLACE, rank); },
     "Allgatherv",
     no_peer,
     {8, 16, 24, 32}},
    {"several lengths for all, in place and later",
     [](int rank) { return iallgatherv(MPI_IN_PLACE, rank); },
     "Iallgatherv",
     no_peer,
     {8, 16, 24, 32}},
    {"each to each",
     [](int) { return describe_Alltoall(from, 3, type, into, 3, type, world)[0]; },
     "Alltoall",
     no_peer,
     {96, 96, 96, 96}},
    {"what is sent to each, and not what comes",
     [](int rank) { return alltoallv(from, rank); },
     "Alltoallv",
     no_peer,
     {32, 64, 96, 128}},
    {"what is sent to each, later",
     [](int rank) { return ialltoallv(from, rank); },
     "Ialltoallv",
     no_peer,
     {32, 64, 96, 128}},
    {"in place what comes is as long as what is sent",
     [](int rank) { return alltoallv(MPI_IN_PLACE, rank); },
     "Alltoallv",
     no_peer,
     {80, 80, 80, 80}},
    {"the root gathers",
     [](int rank) { return gather(from, rank); },
     "Gather",
     no_peer,
     {24, 24, 24, 24}},
    {"a root that gathers in place sends nothing",
     [](int rank) { return gather(in_place_at_root(rank), rank); },
     "Gather",
     no_peer,
     {24, 24, 96, 24}},
    {"the root gathers several lengths",
     [](int rank) { return gatherv(from, rank); },
     "Gatherv",
     no_peer,
     {8, 16, 24, 32}},
    {"a root that gathers several lengths in place",
     [](int rank) { return gatherv(in_place_at_root(rank), rank); },
     "Gatherv",
     no_peer,
     {8, 16, 80, 32}},
    {"the root sends to all",
     [](int rank) { return scatter(into, rank); },
     "Scatter",
     no_peer,
     {24, 24, 96, 24}},
    {"the root sends to the others, and keeps its part",
     [](int rank) { return scatter(rank == root ? MPI_IN_PLACE : into, rank); },
     "Scatter",
     no_peer,
     {24, 24, 96, 24}},
    {"the root sends several lengths",
     [](int rank) { return scatterv(into, rank); },
     "Scatterv",
     no_peer,
     {8, 16, 80, 32}},
    {"a send",
     [](int) { return describe_Send(from, 3, type, 1, 0, world)[0]; },
     "Send",
     1,
     {24, 24, 24, 24}},
    {"to MPI_PROC_NULL",
     [](int) { return describe_Ssend(from, 3, type, MPI_PROC_NULL, 0, world)[0]; },
     "Ssend",
     MPI_PROC_NULL,
     {24, 24, 24, 24}},
    {"a receive from any",
     [](int) {
         return describe_Recv(into, 3, type, MPI_ANY_SOURCE, 0, world, MPI_STATUS_IGNORE)[0];
     },
     "Recv",
     MPI_ANY_SOURCE,
     {24, 24, 24, 24}},
    {"what is received comes first",
     [](int) {
         return describe_Sendrecv(from, 3, type, 1, 0, into, 5, type, 2, 0, world,
                                  MPI_STATUS_IGNORE)[0];
     },
     "Recv",
     2,
     {40, 40, 40, 40}},
    {"and then what is sent",
     [](int) {
         return describe_Sendrecv(from, 3, type, 1, 0, into, 5, type, 2, 0, world,
                                  MPI_STATUS_IGNORE)[1];
     },
     "Send",
     1,
     {24, 24, 24, 24}},
    {"Hora's own",
     [](int) { return describe_allreduce(3, type, world)[0]; },
     "AllReduce",
     no_peer,
     {24, 24, 24, 24}},
    {"Hora's own, later",
     [](int) { return describe_iallreduce(3, type, world)[0]; },
     "Iallreduce",
     no_peer,
     {24, 24, 24, 24}},
};

TEST(Described, IsEachCallByItsArguments) {
    const int rank = own_rank();
    for (const Case& test : cases) {
        const Description found = test.describe(rank);
        EXPECT_STREQ(found.operation, test.operation) << test.sentence;
        EXPECT_EQ(found.communicator, world) << test.sentence;
        EXPECT_EQ(found.peer, test.peer) << test.sentence;
        EXPECT_EQ(found.bytes, test.bytes[static_cast<std::size_t>(rank)]) << test.sentence;
    }
}

// Of each function there are two, but for those of one line in the table above.
TEST(Described, HasTheSameBytesWhereItReturnsEarly) {
    const int rank = own_rank();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Request* const later = &request;
    const void* const own = in_place_at_root(rank);
    void* const part = rank == root ? MPI_IN_PLACE : into;
    const int* const counts = at_root(rank, to_each);
    const std::pair<Description, Description> pairs[] = {
        {describe_Gather(own, 3, type, into, 3, type, root, world)[0],
         describe_Igather(own, 3, type, into, 3, type, root, world, later)[0]},
        {describe_Gatherv(own, 3, type, into, counts, places, type, root, world)[0],
         describe_Igatherv(own, 3, type, into, counts, places, type, root, world, later)[0]},
        {describe_Scatter(from, 3, type, part, 3, type, root, world)[0],
         describe_Iscatter(from, 3, type, part, 3, type, root, world, later)[0]},
        {describe_Scatterv(from, counts, places, type, part, 3, type, root, world)[0],
         describe_Iscatterv(from, counts, places, type, part, 3, type, root, world, later)[0]},
        {describe_Alltoallv(MPI_IN_PLACE, counts, places, type, into, to_each, places, type,
                            world)[0],
         describe_Ialltoallv(MPI_IN_PLACE, counts, places, type, into, to_each, places, type, world,
                             later)[0]},
        {describe_Alltoall(from, 3, type, into, 3, type, world)[0],
         describe_Ialltoall(from, 3, type, into, 3, type, world, later)[0]},
        {describe_Allgather(from, 3, type, into, 3, type, world)[0],
         describe_Iallgather(from, 3, type, into, 3, type, world, later)[0]},
        {describe_Reduce_scatter(from, into, to_each, type, MPI_SUM, world)[0],
         describe_Ireduce_scatter(from, into, to_each, type, MPI_SUM, world, later)[0]},
        {describe_Reduce_scatter_block(from, into, 3, type, MPI_SUM, world)[0],
         describe_Ireduce_scatter_block(from, into, 3, type, MPI_SUM, world, later)[0]},
        {describe_Bcast(into, 3, type, root, world)[0],
         describe_Ibcast(into, 3, type, root, world, later)[0]},
        {describe_Scan(from, into, 3, type, MPI_SUM, world)[0],
         describe_Iscan(from, into, 3, type, MPI_SUM, world, later)[0]},
        {describe_Send(from, 3, type, 1, 0, world)[0],
         describe_Isend(from, 3, type, 1, 0, world, later)[0]},
        {describe_Recv(into, 3, type, 1, 0, world, MPI_STATUS_IGNORE)[0],
         describe_Irecv(into, 3, type, 1, 0, world, later)[0]},
    };
    for (const auto& [now, early] : pairs) {
        EXPECT_EQ(early.bytes, now.bytes) << early.operation;
        EXPECT_EQ(early.peer, now.peer) << early.operation;
        EXPECT_STREQ(std::string(early.operation).substr(0, 1).c_str(), "I") << early.operation;
    }
}

// A group's rank may have the number of the other group's root, and has nothing to send.
TEST(Described, IsNoCallBetweenTwoGroups) {
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm between = MPI_COMM_NULL;
    MPI_Comm_split(world, own_rank() / 2, own_rank(), &half);
    MPI_Intercomm_create(half, 0, world, own_rank() < 2 ? 2 : 0, 1, &between);
    EXPECT_EQ(describe_Scatterv(nullptr, nullptr, nullptr, MPI_DATATYPE_NULL, into, 3, type, 0,
                                between)[0]
                  .bytes,
              24u);
    EXPECT_EQ(describe_Allgatherv(from, 3, type, into, to_each, places, type, between)[0].bytes,
              24u);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
}

template <class Result, class... Arguments>
int arity_of(Result (*)(Arguments...)) {
    return sizeof...(Arguments);
}

// Fortran has an argument more, the last one, and its names are in lower case.
TEST(Described, HasTheNameAndTheNumberOfArgumentsThatMpiHas) {
#define HORA_CHECK(arity, name, fortran, ...)         \
    EXPECT_EQ(arity, arity_of(&MPI_##name)) << #name; \
    EXPECT_STRCASEEQ(#name, #fortran);                \
    EXPECT_EQ(std::string(#fortran).find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos);
    HORA_CALLS(HORA_CHECK, HORA_CHECK, HORA_CHECK)
    HORA_MAKERS(HORA_CHECK)
}

}  // namespace
}  // namespace hora::mpi

int main(int argc, char** argv) {
    return hora::mpi::test::run_on_four_ranks(argc, argv, hora::mpi::mark, MPI_THREAD_SINGLE);
}
