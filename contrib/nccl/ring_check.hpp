// Has NCCL built the ring that Hora predicts?
#pragma once

#include <memory>
#include <string>

#include "contrib/nccl/tcp_exchange.hpp"
#include "libplanner/base/error.hpp"

namespace hora::trainer {

// Where NCCL writes its log: a folder that only this user can read, gone with the object.
class NcclLog {
  public:
    // Before the first call of NCCL's. Takes the place of what the user has set NCCL_DEBUG to.
    static Expected<std::unique_ptr<NcclLog>> begin();
    ~NcclLog();
    NcclLog(const NcclLog&) = delete;
    NcclLog& operator=(const NcclLog&) = delete;

    const std::string& folder() const { return folder_; }
    // What stands there now.
    Expected<std::string> text() const;

  private:
    explicit NcclLog(std::string folder) : folder_(std::move(folder)) {}

    std::string folder_;
};

struct RingCheck {
    std::string hora = "hora";  // the command
    std::string topology;       // what it knows of the machine, or
    std::string cluster;        // of all of them; the machine itself without either
};

// Lets `hora ring` compare the log of all ranks with its prediction, and returns its exit code.
Expected<int> judge_ring(const RingCheck& check, const std::string& log, const std::string& folder);

// The same by all ranks together, once their communicator stands; the exit code is rank 0's.
Expected<int> verify_ring(TcpExchange& exchange, const RingCheck& check, const NcclLog& log);

}  // namespace hora::trainer
