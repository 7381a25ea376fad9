// Which calls are recorded, and what is a call, by its arguments?
//
// The first table below is all that has to be known of a function for its record in C and in
// Fortran; the second names those that make a communicator, which are not recorded.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface is enough
#include <mpi.h>

#include <array>
#include <cstdint>

#include "plugins/mpi/record/recorder.hpp"

namespace hora::mpi {

// MPI_IN_PLACE, of C or of Fortran.
bool is_in_place(const void* memory);

// Nothing of what MPI refuses.
std::uint64_t bytes_of(int count, MPI_Datatype type);
std::uint64_t bytes_of(const int* counts, MPI_Datatype type, MPI_Comm communicator);
// For each rank of the communicator.
std::uint64_t bytes_of_all(int count, MPI_Datatype type, MPI_Comm communicator);
// What this rank sends, or receives where it sends nothing, by the arguments of Alltoallv,
// Allgatherv, Gather and Gatherv, Scatter and Scatterv. What counts at the root alone is looked at
// there alone.
std::uint64_t bytes_to_each(const void* from, const int* sent, MPI_Datatype sent_type,
                            const int* counts, MPI_Datatype type, MPI_Comm communicator);
std::uint64_t bytes_of_part(const void* from, int sent, MPI_Datatype sent_type, const int* counts,
                            MPI_Datatype type, MPI_Comm communicator);
std::uint64_t bytes_gathered(const void* from, int sent, MPI_Datatype sent_type, int count,
                             MPI_Datatype type, int root, MPI_Comm communicator);
std::uint64_t bytes_gathered(const void* from, int sent, MPI_Datatype sent_type, const int* counts,
                             MPI_Datatype type, int root, MPI_Comm communicator);
std::uint64_t bytes_scattered(int sent, MPI_Datatype sent_type, int count, MPI_Datatype type,
                              int root, MPI_Comm communicator);
std::uint64_t bytes_scattered(const int* sent, MPI_Datatype sent_type, int count, MPI_Datatype type,
                              int root, MPI_Comm communicator);

inline Description collective(const char* operation, MPI_Comm communicator, std::uint64_t bytes) {
    return {operation, communicator, bytes, no_peer};
}
inline Description with_peer(const char* operation, MPI_Comm communicator, int peer,
                             std::uint64_t bytes) {
    return {operation, communicator, bytes, peer};
}

// These may be Hora's, and are not in the table.
inline std::array<Description, 1> describe_allreduce(int count, MPI_Datatype type,
                                                     MPI_Comm communicator) {
    return {collective("AllReduce", communicator, bytes_of(count, type))};
}
inline std::array<Description, 1> describe_iallreduce(int count, MPI_Datatype type,
                                                      MPI_Comm communicator) {
    return {collective("Iallreduce", communicator, bytes_of(count, type))};
}

}  // namespace hora::mpi

// HORA_CALLS(CALL, BEGIN, RECEIVE): each function by what its end is. Of CALL it is the return, of
// BEGIN the end of its request, RECEIVE has a status that may tell the peer. In each line: the
// number of arguments, the name in C and in Fortran, the arguments in C and their names, and the
// Description; of a call that sends and receives, that of what it receives comes first.
// clang-format off
#define HORA_CALLS(CALL, BEGIN, RECEIVE) \
    CALL(1, Barrier, barrier, (MPI_Comm comm), (comm), collective("Barrier", comm, 0)) \
    CALL(5, Bcast, bcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm), collective("Broadcast", comm, bytes_of(count, type))) \
    CALL(7, Reduce, reduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm), (from, into, count, type, op, root, comm), collective("Reduce", comm, bytes_of(count, type))) \
    CALL(6, Scan, scan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm), collective("Scan", comm, bytes_of(count, type))) \
    CALL(6, Exscan, exscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm), collective("Exscan", comm, bytes_of(count, type))) \
    CALL(6, Reduce_scatter, reduce_scatter, (const void* from, void* into, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, counts, type, op, comm), collective("ReduceScatter", comm, bytes_of(counts, type, comm))) \
    CALL(6, Reduce_scatter_block, reduce_scatter_block, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm), (from, into, count, type, op, comm), collective("ReduceScatter", comm, bytes_of_all(count, type, comm))) \
    CALL(7, Allgather, allgather, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, MPI_Comm comm), (from, sent, sent_type, into, count, type, comm), collective("AllGather", comm, bytes_of(count, type))) \
    CALL(8, Allgatherv, allgatherv, (const void* from, int sent, MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm), (from, sent, sent_type, into, counts, places, type, comm), collective("Allgatherv", comm, bytes_of_part(from, sent, sent_type, counts, type, comm))) \
    CALL(7, Alltoall, alltoall, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, MPI_Comm comm), (from, sent, sent_type, into, count, type, comm), collective("Alltoall", comm, bytes_of_all(count, type, comm))) \
    CALL(9, Alltoallv, alltoallv, (const void* from, const int sent[], const int from_places[], MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm), (from, sent, from_places, sent_type, into, counts, places, type, comm), collective("Alltoallv", comm, bytes_to_each(from, sent, sent_type, counts, type, comm))) \
    CALL(9, Alltoallw, alltoallw, (const void* from, const int sent[], const int from_places[], const MPI_Datatype sent_types[], void* into, const int counts[], const int places[], const MPI_Datatype types[], MPI_Comm comm), (from, sent, from_places, sent_types, into, counts, places, types, comm), collective("Alltoallw", comm, 0)) \
    CALL(8, Gather, gather, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm), (from, sent, sent_type, into, count, type, root, comm), collective("Gather", comm, bytes_gathered(from, sent, sent_type, count, type, root, comm))) \
    CALL(9, Gatherv, gatherv, (const void* from, int sent, MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, int root, MPI_Comm comm), (from, sent, sent_type, into, counts, places, type, root, comm), collective("Gatherv", comm, bytes_gathered(from, sent, sent_type, counts, type, root, comm))) \
    CALL(8, Scatter, scatter, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm), (from, sent, sent_type, into, count, type, root, comm), collective("Scatter", comm, bytes_scattered(sent, sent_type, count, type, root, comm))) \
    CALL(9, Scatterv, scatterv, (const void* from, const int sent[], const int places[], MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm), (from, sent, places, sent_type, into, count, type, root, comm), collective("Scatterv", comm, bytes_scattered(sent, sent_type, count, type, root, comm))) \
    CALL(6, Send, send, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, count, type, to, tag, comm), with_peer("Send", comm, to, bytes_of(count, type))) \
    CALL(6, Bsend, bsend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, count, type, to, tag, comm), with_peer("Bsend", comm, to, bytes_of(count, type))) \
    CALL(6, Ssend, ssend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, count, type, to, tag, comm), with_peer("Ssend", comm, to, bytes_of(count, type))) \
    CALL(6, Rsend, rsend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm), (from, count, type, to, tag, comm), with_peer("Rsend", comm, to, bytes_of(count, type))) \
    RECEIVE(7, Recv, recv, (void* into, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status), (into, count, type, source, tag, comm, status), with_peer("Recv", comm, source, bytes_of(count, type))) \
    RECEIVE(12, Sendrecv, sendrecv, (const void* from, int sent, MPI_Datatype sent_type, int to, int sent_tag, void* into, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status), (from, sent, sent_type, to, sent_tag, into, count, type, source, tag, comm, status), with_peer("Recv", comm, source, bytes_of(count, type)), with_peer("Send", comm, to, bytes_of(sent, sent_type))) \
    RECEIVE(9, Sendrecv_replace, sendrecv_replace, (void* data, int count, MPI_Datatype type, int to, int sent_tag, int source, int tag, MPI_Comm comm, MPI_Status* status), (data, count, type, to, sent_tag, source, tag, comm, status), with_peer("Recv", comm, source, bytes_of(count, type)), with_peer("Send", comm, to, bytes_of(count, type))) \
    BEGIN(7, Isend, isend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request), (from, count, type, to, tag, comm, request), with_peer("Isend", comm, to, bytes_of(count, type))) \
    BEGIN(7, Ibsend, ibsend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request), (from, count, type, to, tag, comm, request), with_peer("Ibsend", comm, to, bytes_of(count, type))) \
    BEGIN(7, Issend, issend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request), (from, count, type, to, tag, comm, request), with_peer("Issend", comm, to, bytes_of(count, type))) \
    BEGIN(7, Irsend, irsend, (const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request), (from, count, type, to, tag, comm, request), with_peer("Irsend", comm, to, bytes_of(count, type))) \
    BEGIN(7, Irecv, irecv, (void* into, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request), (into, count, type, source, tag, comm, request), with_peer("Irecv", comm, source, bytes_of(count, type))) \
    BEGIN(2, Ibarrier, ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request), collective("Ibarrier", comm, 0)) \
    BEGIN(6, Ibcast, ibcast, (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request), (data, count, type, root, comm, request), collective("Ibcast", comm, bytes_of(count, type))) \
    BEGIN(8, Ireduce, ireduce, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm, MPI_Request* request), (from, into, count, type, op, root, comm, request), collective("Ireduce", comm, bytes_of(count, type))) \
    BEGIN(7, Iscan, iscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request), (from, into, count, type, op, comm, request), collective("Iscan", comm, bytes_of(count, type))) \
    BEGIN(7, Iexscan, iexscan, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request), (from, into, count, type, op, comm, request), collective("Iexscan", comm, bytes_of(count, type))) \
    BEGIN(7, Ireduce_scatter, ireduce_scatter, (const void* from, void* into, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request), (from, into, counts, type, op, comm, request), collective("Ireduce_scatter", comm, bytes_of(counts, type, comm))) \
    BEGIN(7, Ireduce_scatter_block, ireduce_scatter_block, (const void* from, void* into, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request* request), (from, into, count, type, op, comm, request), collective("Ireduce_scatter_block", comm, bytes_of_all(count, type, comm))) \
    BEGIN(8, Iallgather, iallgather, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, count, type, comm, request), collective("Iallgather", comm, bytes_of(count, type))) \
    BEGIN(9, Iallgatherv, iallgatherv, (const void* from, int sent, MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, counts, places, type, comm, request), collective("Iallgatherv", comm, bytes_of_part(from, sent, sent_type, counts, type, comm))) \
    BEGIN(8, Ialltoall, ialltoall, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, count, type, comm, request), collective("Ialltoall", comm, bytes_of_all(count, type, comm))) \
    BEGIN(10, Ialltoallv, ialltoallv, (const void* from, const int sent[], const int from_places[], MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, MPI_Comm comm, MPI_Request* request), (from, sent, from_places, sent_type, into, counts, places, type, comm, request), collective("Ialltoallv", comm, bytes_to_each(from, sent, sent_type, counts, type, comm))) \
    BEGIN(9, Igather, igather, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, count, type, root, comm, request), collective("Igather", comm, bytes_gathered(from, sent, sent_type, count, type, root, comm))) \
    BEGIN(10, Igatherv, igatherv, (const void* from, int sent, MPI_Datatype sent_type, void* into, const int counts[], const int places[], MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, counts, places, type, root, comm, request), collective("Igatherv", comm, bytes_gathered(from, sent, sent_type, counts, type, root, comm))) \
    BEGIN(9, Iscatter, iscatter, (const void* from, int sent, MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request), (from, sent, sent_type, into, count, type, root, comm, request), collective("Iscatter", comm, bytes_scattered(sent, sent_type, count, type, root, comm))) \
    BEGIN(10, Iscatterv, iscatterv, (const void* from, const int sent[], const int places[], MPI_Datatype sent_type, void* into, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request), (from, sent, places, sent_type, into, count, type, root, comm, request), collective("Iscatterv", comm, bytes_scattered(sent, sent_type, count, type, root, comm)))

// HORA_MAKERS(MAKE): the functions that make a communicator, with the same columns but the last.
#define HORA_MAKERS(MAKE) \
    MAKE(2, Comm_dup, comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made)) \
    MAKE(3, Comm_dup_with_info, comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made), (comm, info, made)) \
    MAKE(4, Comm_split, comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made)) \
    MAKE(5, Comm_split_type, comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* made), (comm, type, key, info, made)) \
    MAKE(3, Comm_create, comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made)) \
    MAKE(4, Comm_create_group, comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* made), (comm, group, tag, made)) \
    MAKE(6, Cart_create, cart_create, (MPI_Comm comm, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm* made), (comm, dimensions, sizes, periods, reorder, made)) \
    MAKE(3, Cart_sub, cart_sub, (MPI_Comm comm, const int remain[], MPI_Comm* made), (comm, remain, made)) \
    MAKE(3, Intercomm_merge, intercomm_merge, (MPI_Comm comm, int high, MPI_Comm* made), (comm, high, made))
// clang-format on
