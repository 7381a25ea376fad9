// What do QOS and associations still allow, and to whom?
#include "plugins/slurm/collect/collect_limits.hpp"

#include "libplanner/read/leading_number.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace hora::slurm {
namespace {

using Count = std::optional<std::uint32_t>;

template <class Value>
std::optional<Value> smaller(const std::optional<Value>& a, const std::optional<Value>& b) {
    if (!a) {
        return b;
    }
    return b && *b < *a ? b : a;
}

domain::Caps smaller(const domain::Caps& a, const domain::Caps& b) {
    return {smaller(a.gpus, b.gpus), smaller(a.nodes, b.nodes), smaller(a.cpus, b.cpus),
            smaller(a.memory, b.memory), smaller(a.billing, b.billing)};
}

std::optional<Seconds> wall_time(std::uint32_t minutes) {
    return minutes == INFINITE || minutes == NO_VAL ? std::nullopt
                                                    : std::optional(Seconds(minutes * 60.0));
}

bool says_something(const domain::Allowance& allowance) {
    const auto is_said = [](const domain::Caps& caps) {
        return caps.gpus || caps.nodes || caps.cpus || caps.memory || caps.billing;
    };
    return is_said(allowance.per_job) || is_said(allowance.per_node) ||
           is_said(allowance.per_user) || is_said(allowance.per_account) ||
           is_said(allowance.left) || allowance.max_time;
}

// Where the limits that a plan has to keep stand in Slurm's arrays.
class TresPlaces {
  public:
    explicit TresPlaces(const assoc_mgr_info_msg_t& limits) {
        for (std::uint32_t i = 0; i < limits.tres_cnt; ++i) {
            const std::string_view name = text_of(limits.tres_names[i]);
            if (name == "cpu") {
                cpus_.push_back(i);
            } else if (name == "node") {
                nodes_.push_back(i);
            } else if (name == "mem") {
                memory_.push_back(i);
            } else if (name == "billing") {
                billing_.push_back(i);
            } else if (name == "gres/gpu" || name.starts_with("gres/gpu:")) {
                // A limit on one type binds here whatever the type: which one a job will get is
                // not known yet.
                gpus_.push_back(i);
            }
        }
    }

    // What `limits` allows beyond `used`; either array may be null.
    domain::Caps caps(const std::uint64_t* limits, const std::uint64_t* used = nullptr) const {
        return {least(gpus_, limits, used), least(nodes_, limits, used), least(cpus_, limits, used),
                least(memory_, limits, used), least(billing_, limits, used)};
    }

  private:
    static Count least(const std::vector<std::uint32_t>& places, const std::uint64_t* limits,
                       const std::uint64_t* used) {
        Count least;
        for (const std::uint32_t place : places) {
            if (limits == nullptr || limits[place] >= NO_VAL64) {  // not said, or INFINITE64
                continue;
            }
            const std::uint64_t taken = used == nullptr ? 0 : std::min(used[place], limits[place]);
            constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
            const std::uint64_t left = std::min(limits[place] - taken, most);
            least = smaller(least, Count(static_cast<std::uint32_t>(left)));
        }
        return least;
    }

    std::vector<std::uint32_t> gpus_;
    std::vector<std::uint32_t> nodes_;
    std::vector<std::uint32_t> cpus_;
    std::vector<std::uint32_t> memory_;
    std::vector<std::uint32_t> billing_;
};

using Associations = std::unordered_map<std::uint32_t, const slurmdb_assoc_rec_t*>;

// A group's limits bind everything below it, so what is left is the least along the way up. A job's
// limits reach the user from above where the user has none, and the database has done that already.
domain::Allowance allowance_of(const slurmdb_assoc_rec_t& association,
                               const Associations& associations, const TresPlaces& places) {
    domain::Allowance allowance;
    allowance.account = text_of(association.acct);
    allowance.user = text_of(association.user);
    allowance.partition = text_of(association.partition);
    allowance.per_job = places.caps(association.max_tres_ctld);
    allowance.per_node = places.caps(association.max_tres_pn_ctld);
    allowance.max_time = wall_time(association.max_wall_pj);
    const slurmdb_assoc_rec_t* level = &association;
    for (int depth = 0; level != nullptr && depth < 64; ++depth) {
        const std::uint64_t* used = level->usage != nullptr ? level->usage->grp_used_tres : nullptr;
        allowance.left = smaller(allowance.left, places.caps(level->grp_tres_ctld, used));
        const auto parent = associations.find(level->parent_id);
        level = parent != associations.end() && parent->second != level ? parent->second : nullptr;
    }
    return allowance;
}

// A user's (or an account's) share of a QOS: everybody may have it whole, but who has jobs
// running has the less left.
void add_shares(const slurmdb_qos_rec_t& qos, ListPointer used, const std::uint64_t* limits,
                const TresPlaces& places, domain::Caps domain::Allowance::*kind,
                const auto& name_holder, std::vector<domain::Allowance>& rows) {
    for_each<slurmdb_used_limits_t>(used, [&](const slurmdb_used_limits_t& holder) {
        domain::Allowance row;
        row.qos = text_of(qos.name);
        row.*kind = places.caps(limits, holder.tres);
        if (name_holder(holder, row) && says_something(row)) {
            rows.push_back(std::move(row));
        }
    });
}

void add_qos(const slurmdb_qos_rec_t& qos, const TresPlaces& places,
             const std::map<std::uint32_t, std::string>& user_names,
             std::vector<domain::Allowance>& rows) {
    domain::Allowance row;
    row.qos = text_of(qos.name);
    row.per_job = places.caps(qos.max_tres_pj_ctld);
    row.per_node = places.caps(qos.max_tres_pn_ctld);
    row.per_user = places.caps(qos.max_tres_pu_ctld);
    row.per_account = places.caps(qos.max_tres_pa_ctld);
    row.outweighs_partition = (qos.flags & QOS_FLAG_OVER_PART_QOS) != 0;
    const std::uint64_t* used = qos.usage != nullptr ? qos.usage->grp_used_tres : nullptr;
    row.left = places.caps(qos.grp_tres_ctld, used);
    row.max_time = wall_time(qos.max_wall_pj);
    if (says_something(row)) {
        rows.push_back(row);
    }
    if (qos.usage == nullptr) {
        return;
    }
    add_shares(
        qos, qos.usage->user_limit_list, qos.max_tres_pu_ctld, places, &domain::Allowance::per_user,
        [&](const slurmdb_used_limits_t& holder, domain::Allowance& share) {
            const auto found = user_names.find(holder.uid);
            share.user = found != user_names.end() ? found->second : std::string();
            return found != user_names.end();
        },
        rows);
    add_shares(
        qos, qos.usage->acct_limit_list, qos.max_tres_pa_ctld, places,
        &domain::Allowance::per_account,
        [](const slurmdb_used_limits_t& holder, domain::Allowance& share) {
            share.account = text_of(holder.acct);
            return !share.account.empty();
        },
        rows);
}

using QosNames = std::map<std::uint32_t, std::string>;  // by their ids

std::string name_of(const QosNames& names, std::uint32_t id) {
    const auto found = names.find(id);
    return found != names.end() ? found->second : std::string();
}

// The QOS of a job that names none. slurmctld takes the default of its association, else the only
// one that this may use, else the cluster's default, which the root association has, else "normal".
class DefaultQos {
  public:
    DefaultQos(const assoc_mgr_info_msg_t& limits, const QosNames& names) : names_(&names) {
        for_each<slurmdb_assoc_rec_t>(
            limits.assoc_list, [&](const slurmdb_assoc_rec_t& association) {
                if (association.user == nullptr && text_of(association.acct) == "root") {
                    clusters_ = name_of(names, association.def_qos_id);
                }
            });
        const auto is_normal = [](const auto& entry) { return entry.second == "normal"; };
        if (clusters_.empty() && std::any_of(names.begin(), names.end(), is_normal)) {
            clusters_ = "normal";
        }
    }

    // Null: the user has no association.
    std::string of(const slurmdb_assoc_rec_t* association) const {
        if (association == nullptr) {
            return clusters_;
        }
        std::string own = name_of(*names_, association->def_qos_id);
        own = own.empty() ? only_one_of(*association) : own;
        return own.empty() ? clusters_ : own;
    }

  private:
    std::string only_one_of(const slurmdb_assoc_rec_t& association) const {
        std::vector<std::string_view> ids;
        for_each<const char>(association.qos_list, [&](const char& id) { ids.emplace_back(&id); });
        std::uint32_t id = 0;
        return ids.size() == 1 && read::take_number(ids.front(), id) ? name_of(*names_, id)
                                                                     : std::string();
    }

    const QosNames* names_;
    std::string clusters_;
};

// Of one user's associations, the one of the default account and no partition apart.
void add_associations(const std::vector<const slurmdb_assoc_rec_t*>& associations,
                      const DefaultQos& default_qos, domain::User& user) {
    const slurmdb_assoc_rec_t* own = nullptr;
    for (const slurmdb_assoc_rec_t* const association : associations) {
        domain::DefaultQos row{.account = std::string(text_of(association->acct)),
                               .partition = std::string(text_of(association->partition)),
                               .qos = default_qos.of(association)};
        if (row.account == user.default_account && row.partition.empty()) {
            own = association;
        } else {
            user.other_qos.push_back(std::move(row));
        }
    }
    user.default_qos = default_qos.of(own);
    const auto is_same = [&](const auto& row) { return row.qos == user.default_qos; };
    if (std::all_of(user.other_qos.begin(), user.other_qos.end(), is_same)) {
        user.other_qos.clear();
    }
}

void add_users(const assoc_mgr_info_msg_t& limits, const QosNames& qos_names,
               std::vector<domain::User>& users) {
    const DefaultQos default_qos(limits, qos_names);
    std::map<std::string_view, std::vector<const slurmdb_assoc_rec_t*>> by_user;
    for_each<slurmdb_assoc_rec_t>(limits.assoc_list, [&](const slurmdb_assoc_rec_t& association) {
        if (association.user != nullptr) {
            by_user[association.user].push_back(&association);
        }
    });
    for_each<slurmdb_user_rec_t>(limits.user_list, [&](const slurmdb_user_rec_t& given) {
        if (given.uid == NO_VAL || given.name == nullptr) {
            return;  // in the database, not on this system
        }
        domain::User user;
        user.uid = given.uid;
        user.name = given.name;
        user.default_account = text_of(given.default_acct);
        add_associations(by_user[given.name], default_qos, user);
        users.push_back(std::move(user));
    });
}

}  // namespace

void collect_limits(const assoc_mgr_info_msg_t& limits, Collected& collected) {
    const TresPlaces places(limits);
    domain::Snapshot& snapshot = collected.snapshot;
    QosNames qos_names;
    for_each<slurmdb_qos_rec_t>(limits.qos_list, [&](const slurmdb_qos_rec_t& qos) {
        qos_names.emplace(qos.id, text_of(qos.name));
    });
    add_users(limits, qos_names, snapshot.users);
    std::map<std::uint32_t, std::string> user_names;
    for (const domain::User& user : snapshot.users) {
        user_names.emplace(user.uid, user.name);
    }
    for_each<slurmdb_qos_rec_t>(limits.qos_list, [&](const slurmdb_qos_rec_t& qos) {
        add_qos(qos, places, user_names, snapshot.allowances);
    });
    Associations associations;
    for_each<slurmdb_assoc_rec_t>(limits.assoc_list, [&](const slurmdb_assoc_rec_t& association) {
        associations.emplace(association.id, &association);
    });
    for_each<slurmdb_assoc_rec_t>(limits.assoc_list, [&](const slurmdb_assoc_rec_t& association) {
        if (association.user == nullptr) {
            return;  // of an account: its users' rows hold its limits
        }
        domain::Allowance row = allowance_of(association, associations, places);
        if (says_something(row)) {
            snapshot.allowances.push_back(std::move(row));
        }
    });
}

}  // namespace hora::slurm
