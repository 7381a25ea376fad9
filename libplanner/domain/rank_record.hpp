// What did one process of a job record of its communication?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libplanner/base/units.hpp"

namespace hora::domain {

// Each empty where it is not known.
struct RecordedDevice {
    std::string type;
    std::string uuid;
    std::string busid;
};

// The name is the same on all of its ranks, and no other communicator of the job has it.
struct RecordedCommunicator {
    std::string name;
    std::uint32_t rank = 0;  // of this process
    std::uint32_t ranks = 1;
    std::uint32_t nodes = 1;
};

struct RecordedCall {
    std::uint32_t communicator = 0;  // into RankRecord::communicators
    std::uint32_t operation = 0;     // into RankRecord::operations
    // Collectives of a communicator count up alike on all ranks; calls to a peer on each by itself.
    std::uint64_t sequence = 0;
    Bytes bytes;
    Seconds begin;  // on the clock of the process
    Seconds end;
    std::optional<std::uint32_t> peer{};  // rank in the communicator; empty of a collective
    // Pieces of a reduction for which it did not wait for the rank before it in the communicator.
    std::uint64_t ahead = 0;
};

struct RecordedStep {
    std::uint64_t step = 0;
    Seconds at;  // when it was done, on the clock of the process
};

struct RankRecord {
    std::string host;
    std::uint32_t process = 0;  // its id on the host
    std::uint32_t rank = 0;     // in the job
    RecordedDevice device;
    std::vector<RecordedCommunicator> communicators;
    std::vector<std::string> operations;
    std::vector<RecordedCall> calls;  // as they were written: in the order of their ends
    std::vector<RecordedStep> steps;
    bool is_cut = false;  // the last line was damaged: the process was killed while it wrote
};

}  // namespace hora::domain
