// What goes wrong with a job, each thing said once.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

// Job 0 stands for what is wrong with no job alone.
class JobComplaints {
  public:
    using Log = std::function<void(const std::string& line)>;

    explicit JobComplaints(Log log);

    // Said unless it was the last thing that was said of the job.
    void complain(std::uint32_t job, const std::string& what);
    void forget(std::uint32_t job) { last_.erase(job); }
    void forget_gone(const Observation& seen);

  private:
    Log log_;
    std::map<std::uint32_t, std::string> last_;  // by job
};

}  // namespace hora::horad
