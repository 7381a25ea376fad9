// How do the ranks find each other? Each of them connects to rank 0, at MASTER_ADDR and
// MASTER_PORT.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "contrib/nccl/socket.hpp"

namespace hora::trainer {

struct Launch {
    int rank = 0;
    int size = 1;
    int local_rank = 0;
    std::string address;  // of rank 0
    std::uint16_t port = 0;
    std::string step;  // of Slurm's: ranks of another one are refused
    // By which the ranks know each other, on storage that they share; a rank that does not know
    // what is in it gets no answer. Empty: the job step is all that they know, and others may.
    std::string secret_file{};
};

// From RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT; one rank without them. The secret
// lies in HORA_CHECKPOINT_DIR.
Expected<Launch> read_launch();

// On rank 0 a connection to each other rank, by its number; elsewhere one to rank 0, in place 0.
// What connects and is no rank of this training is ignored. Rank 0 makes the secret, and removes it
// once all have come. After `wait` it fails, and names the ranks that are missing.
Expected<std::vector<Socket>> join(const Launch& launch, std::chrono::milliseconds wait);

}  // namespace hora::trainer
