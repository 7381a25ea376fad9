// What is seen of a job that is being resized, beside what was written down of it?
#include "scripts/horad/resize/resize_context.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "scripts/horad/journal/journal_file.hpp"

namespace hora::horad {
namespace {

// The one that was written down may have come from the journal.
bool is_same_request(const std::string& now, const std::string& then) {
    return now == then || as_kept(now) == as_kept(then);
}

}  // namespace

using slurm::JobState;

bool is_between(const slurm::JobShape& now, const slurm::JobShape& a, const slurm::JobShape& b) {
    slurm::JobShape other = now;
    other.tasks_per_node =
        now.tasks_per_node == a.tasks_per_node ? b.tasks_per_node : a.tasks_per_node;
    const bool is_of_both =
        now.tasks_per_node == a.tasks_per_node || now.tasks_per_node == b.tasks_per_node;
    return is_of_both && (asks_alike(now, a) || asks_alike(now, b) || asks_alike(other, a) ||
                          asks_alike(other, b));
}

// Numbers of jobs are used again; a later start of the same job has another submit time.
bool ResizeContext::is_alive() const {
    return scene_.job && job().uid == entry_.uid && job().state != JobState::ended &&
           job().restarts >= entry_.resize.restarts &&
           (has_restarted() || job().submitted == entry_.submitted);
}

bool ResizeContext::has_settled() const {
    return scene_.controller.has_settled(scene_.slurm.started(), job().updated, scene_.now.steady);
}

bool ResizeContext::may_reserve_nodes() const {
    return scene_.limits.reserves_nodes && !is_suspension(entry_.resize) && !entry_.where.empty() &&
           job().reservation.empty();
}

std::optional<std::int64_t> ResizeContext::next_begin() const {
    if (!has_settled()) {
        return std::nullopt;
    }
    const auto slurmd_started = scene_.slurm.newest_slurmd(entry_.where);
    if (!slurmd_started) {
        return std::nullopt;
    }
    const std::int64_t begins = std::max(slurm::next_begin(job().updated, waiting_.latest),
                                         slurm::told_by(entry_.began, *slurmd_started));
    return begins < job().eligible ? std::optional(begins) : std::nullopt;
}

// A hold has already taken the place of the priority that it was given.
bool ResizeContext::has_our_priority() const {
    return entry_.raised != 0 && job().priority == entry_.raised;
}

bool ResizeContext::has_ours() const {
    return has_our_priority() || horad::has_ours(job());
}

slurm::JobChange ResizeContext::give_back() const {
    return has_our_priority() && !find_raised(job().admin_comment)
               ? horad::give_back(job(), {.own = own(), .raised = entry_.raised})
               : horad::give_back(job());
}

// A job that can never run has none; slurmctld computes it anew when it frees the job.
std::optional<RaisedPriority> ResizeContext::given() const {
    const auto word = find_raised(job().admin_comment);
    const bool has_it =
        word && (word->raised == 0 || job().priority == word->raised || job().priority == 0);
    return has_it ? word : std::nullopt;
}

std::uint32_t ResizeContext::own() const {
    return scene_.slurm.computes_priorities() ? 0 : entry_.priority;
}

// One above what waits beside it, and no higher: what comes later and counts for more passes it.
// None where its owner could hand it on to a job that Hora has no part in.
std::optional<std::uint32_t> ResizeContext::above_others() const {
    if (has_our_priority() || scene_.slurm.users_swap_priorities()) {
        return std::nullopt;
    }
    const auto beside = scene_.slurm.highest_beside(job());
    const std::uint32_t raised = std::min(beside.value_or(0), slurm::top_priority - 1) + 1;
    return raised > job().priority ? std::optional(raised) : std::nullopt;
}

std::optional<slurm::JobChange> ResizeContext::ask_for_own() const {
    const bool may_ask = entry_.tries + 1 < most_tries && waiting_.refusal.empty();
    if (!may_ask || given() || job().priority == 0 || !scene_.slurm.computes_priorities() ||
        !above_others()) {
        return std::nullopt;
    }
    return ask_whose(job());
}

slurm::JobChange ResizeContext::raise(ResizeEntry& entry) const {
    const auto before = given();
    const auto raised = above_others();
    if (!raised) {
        const bool is_asked = before && before->raised == 0;
        return is_asked ? horad::give_back(job(), *before) : slurm::JobChange();
    }
    RaisedPriority priority{.own = own(), .nice = job().nice};
    if (before) {
        priority = before->raised == 0 ? own_of(job(), *before) : *before;
    }
    priority.raised = *raised;
    entry.raised = *raised;
    slurm::JobChange change;
    change.priority = *raised;
    change.kept_from = job().uid;
    change.admin_comment = with_raised(job().admin_comment, priority);
    return change;
}

// Slurm shows an unsaid number of CPUs a task as 0 or 1.
bool ResizeContext::is_changed() const {
    const slurm::JobShape& now = job().shape;
    const auto& [was, wanted, before] = std::tie(entry_.was, entry_.wanted, entry_.wanted_before);
    const bool is_of_ours = is_between(now, was, wanted) ||
                            (before != slurm::JobShape() &&
                             (is_between(now, before, wanted) || is_between(now, was, before)));
    const std::uint32_t nodes[] = {0, entry_.max_nodes, was.nodes, wanted.nodes, before.nodes};
    // One that was cancelled and requeued, or has run, between two looks is none of ours either.
    return !is_of_ours || job().restarts != entry_.restarts ||
           std::find(std::begin(nodes), std::end(nodes), job().max_nodes) == std::end(nodes) ||
           (!entry_.rest_of_request.empty() &&
            !is_same_request(job().rest_of_request, entry_.rest_of_request));
}

// A daemon that starts anew counts anew; then what it knows of the earlier ones has to do.
bool ResizeContext::has_waited_enough() const {
    constexpr Seconds longest(3600);
    return waited() > longest ||
           (waiting_.ready && scene_.now.steady - *waiting_.ready > 2 * longest);
}

ResizeStep ResizeContext::leave() const {
    return finish(Ending::changed, "its owner changed the job");
}

ResizeStep ResizeContext::wait() const {
    ResizeStep step;
    step.entry = entry_;
    return step;
}

ResizeStep ResizeContext::go_to(ResizeState state) const {
    ResizeStep step = wait();
    step.then = state;
    return step;
}

ResizeStep ResizeContext::finish(Ending ending, std::string remark) const {
    ResizeStep step = wait();
    step.ending = ending;
    step.remark = std::move(remark);
    if (is_alive() && has_ours()) {
        step.act = Act::change;
        step.change = give_back();
    }
    return step;
}

}  // namespace hora::horad
