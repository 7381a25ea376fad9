// Is this the only daemon on its host, and the only one that acts?
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/store/descriptor.hpp"

namespace hora::horad {

// Holds a lock that the kernel lets go when the process ends, however it does. A disk that is full
// or read-only keeps no daemon from starting: then it may hold none.
class Instance {
  public:
    // Fails where another process of this host holds its lock in `folder`, and names its pid; and
    // where the folder, which several hosts may share, is not there or not this process's.
    static Expected<Instance> claim(const std::string& folder);
    // Likewise, for one that has begun without the lock; empty where another process has it.
    static Expected<std::optional<Instance>> claim_again(const std::string& folder);
    // Likewise among the hosts, of which one acts.
    static Expected<std::optional<Instance>> claim_acting(const std::string& folder);

    // False: the disk takes no lock, and another process may claim the same.
    bool is_locked() const { return file_.is_open(); }
    // What keeps the folder from being written to, and what comes of that; "": nothing does.
    const std::string& trouble() const { return trouble_; }

  private:
    Instance(slurm::Descriptor file, std::string trouble)
        : file_(std::move(file)), trouble_(std::move(trouble)) {}
    static Expected<std::optional<Instance>> take(const std::string& path);

    slurm::Descriptor file_;
    std::string trouble_;
};

}  // namespace hora::horad
