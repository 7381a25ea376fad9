// Is this the only daemon on its host, and the only one that acts?
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::horad {

// Holds a lock that the kernel lets go when the process ends, however it does.
class Instance {
  public:
    // Fails where another process of this host holds its lock in `folder`, and names its pid; and
    // where the folder, which several hosts may share, cannot be written to.
    static Expected<Instance> claim(const std::string& folder);
    // Likewise among the hosts, of which one acts; empty where another process has the lock.
    static Expected<std::optional<Instance>> claim_acting(const std::string& folder);

  private:
    explicit Instance(slurm::Descriptor file) : file_(std::move(file)) {}
    static Expected<std::optional<Instance>> take(const std::string& path);

    slurm::Descriptor file_;
};

}  // namespace hora::horad
