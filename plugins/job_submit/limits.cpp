// How much may one job still ask for: the headroom of its QOS, association and partition.
#include "plugins/job_submit/limits.hpp"

#include <fmt/format.h>

namespace hora::submit {
namespace {

bool agrees(const std::string& wanted, const std::string& own) {
    return wanted.empty() || wanted == own;
}

// The partition's own QOS binds its jobs beside theirs.
bool binds(const domain::Allowance& allowance, const Owner& owner,
           const domain::Partition& partition) {
    const bool has_qos = agrees(allowance.qos, owner.qos) ||
                         (!partition.qos.empty() && allowance.qos == partition.qos);
    return has_qos && agrees(allowance.account, owner.account) &&
           agrees(allowance.user, owner.user) && agrees(allowance.partition, partition.name);
}

std::string name_of(const domain::Allowance& allowance) {
    if (!allowance.qos.empty()) {
        return fmt::format("QOS \"{}\"", allowance.qos);
    }
    if (!allowance.account.empty()) {
        return fmt::format("account \"{}\"", allowance.account);
    }
    return allowance.partition.empty() ? std::string("a limit of the site")
                                       : fmt::format("partition \"{}\"", allowance.partition);
}

void lower(Limit& limit, std::optional<std::uint32_t> most, const std::string& set_by) {
    if (most && (!limit.most || *most < *limit.most)) {
        limit = {most, set_by};
    }
}

void lower(std::optional<Seconds>& limit, std::optional<Seconds> most) {
    if (most && (!limit || *most < *limit)) {
        limit = most;
    }
}

}  // namespace

Owner owner_of(const Submission& submission, const domain::Snapshot& snapshot) {
    Owner owner{.user = {}, .account = submission.account, .qos = submission.qos};
    for (const domain::User& user : snapshot.users) {
        if (user.uid != submission.uid) {
            continue;
        }
        owner.user = user.name;
        if (owner.account.empty()) {
            owner.account = user.default_account;
        }
        if (owner.qos.empty()) {
            owner.qos = user.default_qos;
        }
        break;
    }
    return owner;
}

Limits limits_of(const Owner& owner, const domain::Partition& partition,
                 const domain::Snapshot& snapshot) {
    Limits limits;
    lower(limits.nodes, partition.max_nodes, fmt::format("partition \"{}\"", partition.name));
    lower(limits.max_time, partition.max_time);
    for (const domain::Allowance& allowance : snapshot.allowances) {
        if (!binds(allowance, owner, partition)) {
            continue;
        }
        const std::string name = name_of(allowance);
        for (const domain::Caps* caps : {&allowance.per_job, &allowance.left}) {
            lower(limits.gpus, caps->gpus, name);
            lower(limits.nodes, caps->nodes, name);
            lower(limits.cpus, caps->cpus, name);
        }
        lower(limits.max_time, allowance.max_time);
    }
    return limits;
}

}  // namespace hora::submit
