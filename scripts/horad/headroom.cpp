// How many GPUs may a job hold, by its QOS, association and partition?
#include "scripts/horad/headroom.hpp"

#include <algorithm>
#include <string>

namespace hora::horad {
namespace {

bool agrees(const std::string& wanted, const std::string& own) {
    return wanted.empty() || wanted == own;
}

class Headroom {
  public:
    Headroom(const ObservedJob& job, const Observation& seen) : job_(job), seen_(seen) {
        held_ = job.state == slurm::JobState::pending ? 0 : job.gpus;
        for (const domain::User& user : seen.cluster->users) {
            name_ = user.uid == job.uid ? user.name : name_;
        }
        for (const domain::Partition& partition : seen.cluster->partitions) {
            partition_qos_ = partition.name == job.partition ? partition.qos : partition_qos_;
        }
    }

    std::optional<std::uint32_t> most() {
        for (const domain::Allowance& one : seen_.cluster->allowances) {
            if (binds(one)) {
                apply(one);
            }
        }
        return most_;
    }

  private:
    bool binds(const domain::Allowance& one) const {
        return agrees(one.account, job_.account) && agrees(one.user, name_) &&
               agrees(one.partition, job_.partition) &&
               (one.qos.empty() || one.qos == job_.qos || one.qos == partition_qos_);
    }

    void lower(std::uint32_t most) { most_ = std::min(most_.value_or(most), most); }

    // GPUs that running jobs hold which the same limit counts together with this one.
    template <class Alike>
    std::uint32_t held_by(const domain::Allowance& one, Alike alike) const {
        std::uint32_t sum = 0;
        for (const ObservedJob& job : seen_.jobs) {
            const bool holds =
                job.state == slurm::JobState::running || job.state == slurm::JobState::suspended;
            const bool is_counted = one.qos.empty() || job.qos == one.qos ||
                                    (one.qos == partition_qos_ && job.partition == job_.partition);
            sum += holds && is_counted && job.id != job_.id && alike(job) ? job.gpus : 0;
        }
        return sum;
    }

    void apply(const domain::Allowance& one) {
        if (one.per_job.gpus) {
            lower(*one.per_job.gpus);
        }
        if (one.left.gpus) {
            lower(*one.left.gpus + held_);
        }
        if (one.per_user.gpus && !one.user.empty()) {
            lower(*one.per_user.gpus + held_);  // what he has left
        } else if (one.per_user.gpus) {
            const std::uint32_t others =
                held_by(one, [&](const ObservedJob& job) { return job.uid == job_.uid; });
            lower(*one.per_user.gpus - std::min(*one.per_user.gpus, others));
        }
        if (one.per_account.gpus && !one.account.empty()) {
            lower(*one.per_account.gpus + held_);
        } else if (one.per_account.gpus) {
            const std::uint32_t others =
                held_by(one, [&](const ObservedJob& job) { return job.account == job_.account; });
            lower(*one.per_account.gpus - std::min(*one.per_account.gpus, others));
        }
    }

    const ObservedJob& job_;
    const Observation& seen_;
    std::uint32_t held_ = 0;
    std::string name_;
    std::string partition_qos_;
    std::optional<std::uint32_t> most_;
};

}  // namespace

std::optional<std::uint32_t> most_gpus(const ObservedJob& job, const Observation& seen) {
    return Headroom(job, seen).most();
}

}  // namespace hora::horad
