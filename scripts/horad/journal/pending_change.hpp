// What did a waiting job ask for before Hora changed its request, and what was it given?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugins/slurm/jobs/job.hpp"
#include "scripts/horad/journal/resize.hpp"

namespace hora::horad {

// Of a request, what Hora may change while the job waits.
struct PendingRequest {
    slurm::JobShape shape;
    std::string features;
    std::string prefer;
    Seconds time_limit{};  // 0: it stays
    std::optional<std::uint64_t>
        batch{};  // by the word of its comment, 0: without one; empty: it stays

    friend bool operator==(const PendingRequest&, const PendingRequest&) = default;
};

struct SizeChange {
    std::uint32_t from = 0;  // GPUs
    std::uint32_t to = 0;
    std::string why;
    bool is_manual = false;  // an administrator's word, and no policy's

    friend bool operator==(const SizeChange&, const SizeChange&) = default;
};

// One line of the journal; kept until the job has started.
struct PendingChange {
    std::uint64_t number = 0;  // never used twice; of one job, the newest has the highest
    std::uint32_t job = 0;
    std::uint32_t uid = 0;       // with the next two it tells apart starts of jobs of the same id
    std::int64_t submitted = 0;  // as Slurm has it; 0: not known
    std::uint32_t restarts = 0;
    PendingRequest before;
    std::optional<PendingRequest> given;  // empty: an earlier horad did not write it down
    std::uint32_t priority = 0;           // its own, before; 0: not known
    // The administrator's comment before, whose word named the plan before; "": it stays as it is.
    std::string admin_comment;
    std::optional<SizeChange> resize;  // it was one; else a new plan
    double asked = 0;                  // seconds since the epoch
    bool is_reverted = false;          // its request is being given back
    std::uint32_t tries = 0;           // of that

    friend bool operator==(const PendingChange&, const PendingChange&) = default;
};

// What a resize of a pending job changes; not what it leaves as it is.
PendingChange change_of(const ResizeEntry& entry);

}  // namespace hora::horad
