// How much may one job still ask for: the headroom of its QOS, association and partition.
#include "libplanner/request/scope/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "libplanner/base/counted.hpp"
#include "libplanner/base/lower_case.hpp"

namespace hora::request {
namespace {

constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

bool agrees(const std::string& wanted, const std::string& own) {
    return wanted.empty() || wanted == own;
}

// A job may name several QOS and runs by any of them, so that each binds. In small letters, sorted.
std::vector<std::string> qos_of(const Owner& owner) {
    const std::string text = lower_case(std::string_view(owner.qos).substr(0, longest_qos));
    std::vector<std::string> names;
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
        end = text.find(',', begin);
        names.push_back(text.substr(begin, end - begin));
    }
    std::sort(names.begin(), names.end());
    return names;
}

enum class Source { partition_qos, job_qos, association };

// Slurm knows accounts and QOS in capital letters too.
std::optional<Source> source_of(const domain::Allowance& allowance, const Owner& owner,
                                const std::vector<std::string>& qos,
                                const domain::Partition& partition) {
    const bool is_accounts =
        allowance.account.empty() || is_same_word(allowance.account, owner.account);
    if (!is_accounts || !agrees(allowance.user, owner.user) ||
        !agrees(allowance.partition, partition.name)) {
        return std::nullopt;
    }
    if (allowance.qos.empty()) {
        return Source::association;
    }
    if (is_same_word(allowance.qos, partition.qos)) {
        return Source::partition_qos;
    }
    return std::binary_search(qos.begin(), qos.end(), lower_case(allowance.qos))
               ? std::optional(Source::job_qos)
               : std::nullopt;
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

void lower(Limit& limit, const Limit& other) {
    lower(limit, other.most, other.set_by);
}

// The rows that bind a job, in the order in which Slurm looks for a limit.
class Sources {
  public:
    Sources(const Owner& owner, const domain::Partition& partition,
            const domain::Snapshot& snapshot, const domain::Caps& own)
        : own_(own) {
        std::array<Rows, 3> found;
        bool has_precedence = false;
        const std::vector<std::string> qos = qos_of(owner);
        for (const domain::Allowance& allowance : snapshot.allowances) {
            if (const auto source = source_of(allowance, owner, qos, partition)) {
                found[static_cast<std::size_t>(*source)].push_back(&allowance);
                has_precedence =
                    has_precedence || (source == Source::job_qos && allowance.outweighs_partition);
            }
        }
        if (has_precedence) {
            std::swap(found[0], found[1]);
        }
        in_order_ = std::move(found);
    }

    Limit first(domain::Caps domain::Allowance::*kind,
                std::optional<std::uint32_t> domain::Caps::*what) const {
        Limit limit;
        for (const Rows& rows : in_order_) {
            for (const domain::Allowance* row : rows) {
                if (const auto most = (row->*kind).*what) {
                    const std::uint32_t own = counts(*row, kind) ? (own_.*what).value_or(0) : 0;
                    lower(limit, *most + std::min(own, unlimited - *most), name_of(*row));
                }
            }
            if (limit.most) {
                break;
            }
        }
        return limit;
    }

    std::optional<Seconds> first_time() const {
        std::optional<Seconds> time;
        for (const Rows& rows : in_order_) {
            for (const domain::Allowance* row : rows) {
                lower(time, row->max_time);
            }
            if (time) {
                break;
            }
        }
        return time;
    }

  private:
    using Rows = std::vector<const domain::Allowance*>;

    // Is that what is left beside jobs that run, the job's own among them?
    static bool counts(const domain::Allowance& row, domain::Caps domain::Allowance::*kind) {
        using domain::Allowance;
        return kind == &Allowance::left || (kind == &Allowance::per_user && !row.user.empty()) ||
               (kind == &Allowance::per_account && !row.account.empty());
    }

    domain::Caps own_;
    std::array<Rows, 3> in_order_;
};

// As Slurm looks for the association that says it: for one of the partition first.
const std::string& default_qos(const domain::User& user, std::string_view account,
                               std::string_view partition) {
    for (const std::string_view place : {partition, std::string_view()}) {
        for (const domain::DefaultQos& other : user.other_qos) {
            if (is_same_word(other.account, account) && other.partition == place) {
                return other.qos;
            }
        }
    }
    return user.default_qos;
}

}  // namespace

Owner owner_of(std::uint32_t uid, Owner charged, std::string_view partition,
               const domain::Snapshot& snapshot) {
    for (const domain::User& user : snapshot.users) {
        if (user.uid != uid) {
            continue;
        }
        charged.user = user.name;
        if (charged.account.empty()) {
            charged.account = user.default_account;
        }
        if (charged.qos.empty()) {
            charged.qos = default_qos(user, charged.account, partition);
        }
        break;
    }
    return charged;
}

Owner owner_of(const Submission& submission, const domain::Partition& partition,
               const domain::Snapshot& snapshot) {
    return owner_of(submission.uid,
                    {.user = {}, .account = submission.account, .qos = submission.qos},
                    partition.name, snapshot);
}

Limits limits_of(const Owner& owner, const domain::Partition& partition,
                 const domain::Snapshot& snapshot, const domain::Caps& own) {
    Limits limits;
    lower(limits.nodes, partition.max_nodes, fmt::format("partition \"{}\"", partition.name));
    lower(limits.max_time, partition.max_time);
    const Sources sources(owner, partition, snapshot, own);
    using domain::Allowance;
    for (const auto kind :
         {&Allowance::per_job, &Allowance::per_user, &Allowance::per_account, &Allowance::left}) {
        lower(limits.gpus, sources.first(kind, &domain::Caps::gpus));
        lower(limits.nodes, sources.first(kind, &domain::Caps::nodes));
        lower(limits.cpus, sources.first(kind, &domain::Caps::cpus));
        lower(limits.memory, sources.first(kind, &domain::Caps::memory));
        lower(limits.billing, sources.first(kind, &domain::Caps::billing));
    }
    limits.gpus_of_node = sources.first(&Allowance::per_node, &domain::Caps::gpus);
    limits.cpus_of_node = sources.first(&Allowance::per_node, &domain::Caps::cpus);
    lower(limits.cpus_of_node, partition.max_cpus_per_node,
          fmt::format("partition \"{}\"", partition.name));
    lower(limits.max_time, sources.first_time());
    return limits;
}

std::string why_over(const Limits& limits, const Claim& claim) {
    struct Part {
        const Limit& limit;
        std::uint64_t wanted;
        std::string_view what;
        std::string_view of_what;
        std::string_view plural = "s";
    };
    const Part parts[] = {
        {limits.gpus, claim.nodes * claim.gpus_per_node, "GPU", ""},
        {limits.nodes, claim.nodes, "node", ""},
        {limits.cpus, claim.nodes * claim.cpus_per_node, "CPU", ""},
        {limits.memory, claim.memory, "MiB", " of memory", ""},
        {limits.billing, claim.billing, "unit", " of billing"},
        {limits.gpus_of_node, claim.gpus_per_node, "GPU", " of a node"},
        {limits.cpus_of_node, claim.cpus_per_node, "CPU", " of a node"},
    };
    for (const Part& part : parts) {
        if (part.limit.most && part.wanted > *part.limit.most) {
            return fmt::format("{} leaves it {}{}", part.limit.set_by,
                               counted(*part.limit.most, part.what, part.plural), part.of_what);
        }
    }
    return {};
}

void lower_by_memory(Limits& limits, const Submission& submission) {
    const auto lower_one = [&](Limit& limit, const std::optional<std::uint64_t>& each) {
        if (limits.memory.most && each && *each > 0) {
            lower(limit, static_cast<std::uint32_t>(*limits.memory.most / *each),
                  limits.memory.set_by + " (memory)");
        }
    };
    lower_one(limits.nodes, submission.memory_per_node);
    lower_one(limits.cpus, submission.memory_per_cpu);
    lower_one(limits.gpus, submission.memory_per_gpu);
}

}  // namespace hora::request
