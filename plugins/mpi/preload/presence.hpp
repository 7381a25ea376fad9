// Do all ranks have this library, of the same version?
#pragma once

namespace hora::mpi {

// A node may lack the library, a program be static, a shell clear LD_PRELOAD: a collective call of
// the library's own would wait for such a rank for ever, or be taken for the program's. So each
// rank that has the library leaves its version beside the addresses that MPI_Init itself leaves for
// the others (PMIx_Put before MPI's own PMIx_Commit), and no rank makes such a call before it knows
// that all of them have. A rank reads what three others have left, its parent in a tree and its
// children, and exchanges a message with those of the three that have the library: O(1) reads a
// rank, O(log ranks) messages one after another. Reading is local where MPI has collected what was
// left (Open MPI's default); of a rank that has left nothing PMIx knows after 2 s at most. Where
// PMIx fails to read, a rank counts as without the library. If it fails on one of two sides alone,
// the other waits for a message that does not come, and ends the program after 60 s.
//
// Without PMIx no rank has left anything, and none makes such a call.

// Before MPI begins: what is left, is left while it does.
void begin_to_be_present();

struct Presence {
    bool is_of_all = false;  // the same on all ranks that have the library
    // The one that says so: no rank before it is known to have the library. Without PMIx rank 0.
    bool is_first = false;
};

// After MPI has begun, by all ranks that have the library.
Presence find_presence();

}  // namespace hora::mpi
