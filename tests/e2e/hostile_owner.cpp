// What does an owner who means ill do to jobs in Hora's hands? Everything that Slurm and horad let
// an ordinary user do, at random and without a pause, by libslurm and by reports.
//
//   hostile_owner fury|patience SEED SECONDS PORT MUNGE-SOCKET
//
// For SECONDS, to the jobs of the user who runs it; reports go to PORT. In fury it does something
// each 2 ms, which disturbs its own jobs so that few run long enough to be resized. In patience it
// lets them run, and acts on one that waits with a higher priority than it had before. Prints how
// many actions were taken.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/report/report_client.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Owner;
using Change = void (*)(Owner&, job_desc_msg_t&);

// As slurmctld shows it.
struct OwnJob {
    std::uint32_t number = 0;
    std::uint32_t priority = 0;
    std::uint32_t restarts = 0;
    bool is_pending = false;

    bool is_held() const { return is_pending && priority == 0; }
};

struct Owner {
    // Without a change it is requeued.
    struct Later {
        Clock::time_point at;
        std::uint32_t job = 0;
        Change change = nullptr;
    };

    std::mt19937_64 random;
    hora::slurm::ReportPlace place;
    std::vector<OwnJob> jobs;
    Clock::time_point looked;
    std::vector<Later> later;
    std::map<std::uint32_t, std::uint32_t> lowest;             // priority that a job was seen with
    std::set<std::pair<std::uint32_t, std::uint32_t>> struck;  // job and number of its start

    std::uint32_t below(std::uint32_t end) {
        return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random);
    }
    std::uint32_t any_job() { return jobs[below(static_cast<std::uint32_t>(jobs.size()))].number; }
    // One that never ends, where there is one.
    std::uint32_t held_job() {
        const auto found =
            std::find_if(jobs.begin(), jobs.end(), [](const OwnJob& job) { return job.is_held(); });
        return found == jobs.end() ? any_job() : found->number;
    }
    Clock::time_point within(milliseconds longest) {
        return Clock::now() + milliseconds(below(static_cast<std::uint32_t>(longest.count())));
    }
};

void set(char*& place, std::string text) {
    hora::slurm::set_string(place, text.c_str());
}

// Each of the fields that scontrol update knows for a job that waits.
constexpr std::array<Change, 22> changes = {
    [](Owner&, job_desc_msg_t& job) { job.priority = 0; },
    [](Owner&, job_desc_msg_t& job) { job.priority = INFINITE; },
    [](Owner& owner, job_desc_msg_t& job) { job.priority = owner.below(0xfffffffd); },
    [](Owner& owner, job_desc_msg_t& job) { job.min_nodes = 1 + owner.below(10); },
    [](Owner& owner, job_desc_msg_t& job) { job.num_tasks = 1 + owner.below(40); },
    [](Owner& owner, job_desc_msg_t& job) {
        job.min_nodes = 1 + owner.below(10);
        job.num_tasks = job.min_nodes * (1 + owner.below(4));
        set(job.tres_per_node, "gres:gpu:" + std::to_string(1 + owner.below(4)));
    },
    [](Owner& owner, job_desc_msg_t& job) { job.min_cpus = 1 + owner.below(90); },
    [](Owner& owner, job_desc_msg_t& job) { job.pn_min_memory = 1 + owner.below(1000); },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.features, owner.below(2) == 0 ? "" : "a_feature_of_no_node");
    },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.dependency,
            owner.below(2) == 0 ? "" : "afterany:" + std::to_string(owner.any_job()));
    },
    [](Owner& owner, job_desc_msg_t& job) {
        job.begin_time = std::time(nullptr) + owner.below(20);
    },
    [](Owner& owner, job_desc_msg_t& job) { job.time_limit = 1 + owner.below(60); },
    [](Owner& owner, job_desc_msg_t& job) { job.time_min = 1 + owner.below(60); },
    [](Owner& owner, job_desc_msg_t& job) { job.nice = NICE_OFFSET + owner.below(1000); },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.partition, owner.below(2) == 0 ? "main" : "inner");
    },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.exc_nodes, "n" + std::to_string(1 + owner.below(10)));
    },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.req_nodes, "n" + std::to_string(1 + owner.below(10)));
    },
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.qos, owner.below(2) == 0 ? "normal" : "tight");
    },
    [](Owner&, job_desc_msg_t& job) { set(job.name, "two\nlines"); },
    [](Owner&, job_desc_msg_t& job) { set(job.comment, std::string(2000, 'c')); },
    [](Owner&, job_desc_msg_t& job) { set(job.admin_comment, "hora:1:made-up"); },
    [](Owner& owner, job_desc_msg_t& job) {
        job.deadline = std::time(nullptr) + 60 + owner.below(3600);
    },
};

bool send_update(Owner& owner, std::uint32_t number, std::span<const Change> wanted) {
    job_desc_msg_t job;
    slurm_init_job_desc_msg(&job);
    hora::slurm::job_id(job) = number;
    for (const Change change : wanted) {
        change(owner, job);
    }
    const bool is_taken = slurm_update_job(&job) == SLURM_SUCCESS;
    for (char** text :
         {&job.tres_per_node, &job.features, &job.dependency, &job.partition, &job.exc_nodes,
          &job.req_nodes, &job.qos, &job.name, &job.comment, &job.admin_comment}) {
        hora::slurm::set_string(*text, nullptr);
    }
    return is_taken;
}

bool update(Owner& owner) {
    const std::uint32_t number = owner.any_job();
    std::vector<Change> wanted;
    for (std::uint32_t count = owner.below(4) == 0 ? 3 : 1; count > 0; --count) {
        wanted.push_back(changes[owner.below(changes.size())]);
    }
    return send_update(owner, number, wanted);
}

// As the job was submitted, or it would wait for ever after a few changes. One by one: slurmctld
// takes all of an update or nothing.
bool put_right(Owner& owner) {
    const std::uint32_t number = owner.any_job();
    constexpr std::array<Change, 7> steps = {
        [](Owner&, job_desc_msg_t& job) { job.priority = INFINITE; },
        [](Owner&, job_desc_msg_t& job) { job.begin_time = std::time(nullptr); },
        [](Owner&, job_desc_msg_t& job) { set(job.features, ""); },
        [](Owner&, job_desc_msg_t& job) { set(job.dependency, ""); },
        [](Owner&, job_desc_msg_t& job) { set(job.exc_nodes, ""); },
        [](Owner&, job_desc_msg_t& job) { set(job.req_nodes, ""); },
        [](Owner&, job_desc_msg_t& job) { set(job.partition, "main"); },
    };
    bool is_any_taken = false;
    for (const Change step : steps) {
        is_any_taken = send_update(owner, number, {&step, 1}) || is_any_taken;
    }
    return is_any_taken;
}

bool cancel(Owner& owner) {
    return slurm_kill_job(hora::slurm::JobName{owner.any_job()}, SIGKILL, 0) == SLURM_SUCCESS;
}

// Ended ones are left alone.
void look(Owner& owner) {
    job_info_msg_t* found = nullptr;
    if (slurm_load_jobs(0, &found, SHOW_ALL) != SLURM_SUCCESS) {
        return;
    }
    owner.looked = Clock::now();
    owner.jobs.clear();
    for (std::uint32_t i = 0; i < found->record_count; ++i) {
        const slurm_job_info_t& job = found->job_array[i];
        const std::uint32_t state = job.job_state & JOB_STATE_BASE;
        if (job.user_id == ::getuid() && state < JOB_COMPLETE) {
            owner.jobs.push_back({.number = hora::slurm::job_id(job),
                                  .priority = job.priority,
                                  .restarts = job.restart_cnt,
                                  .is_pending = state == JOB_PENDING});
        }
    }
    slurm_free_job_info_msg(found);
}

void look_sometimes(Owner& owner, milliseconds pause) {
    if (owner.jobs.empty() || Clock::now() - owner.looked > pause) {
        look(owner);
    }
}

// What is done to a job while horad restarts it. Most of it so that horad is to forget the job, or
// to wait for it, while it has a priority of Hora's.
constexpr std::array<Change, 4> strikes = {
    [](Owner& owner, job_desc_msg_t& job) {
        set(job.dependency, "afterany:" + std::to_string(owner.held_job()));
    },
    [](Owner&, job_desc_msg_t& job) { set(job.features, "a_feature_of_no_node"); },
    [](Owner& owner, job_desc_msg_t& job) {
        job.begin_time = std::time(nullptr) + 5 + owner.below(20);
    },
    [](Owner& owner, job_desc_msg_t& job) { changes[owner.below(changes.size())](owner, job); },
};

constexpr Change without_dependency = [](Owner&, job_desc_msg_t& job) { set(job.dependency, ""); };
constexpr Change released = [](Owner&, job_desc_msg_t& job) { job.priority = INFINITE; };

bool strike(Owner& owner, const OwnJob& job) {
    const hora::slurm::JobName name{job.number};
    switch (owner.below(8)) {
        case 0:
            return false;  // this time it is let through
        case 1: {
            const Change hold = [](Owner&, job_desc_msg_t& held) { held.priority = 0; };
            owner.later.push_back({owner.within(milliseconds(9000)), job.number, released});
            return send_update(owner, job.number, {&hold, 1});
        }
        case 2:
            return slurm_requeue(name, 0) == SLURM_SUCCESS;
        case 3:
        case 4:
        case 5:
            // horad is to see that it is over, and not always.
            owner.later.push_back({owner.within(milliseconds(4000)), job.number, nullptr});
            return slurm_kill_job(name, SIGKILL, 0) == SLURM_SUCCESS;
        default:
            owner.later.push_back(
                {owner.within(milliseconds(60000)), job.number, without_dependency});
            return send_update(owner, job.number, {&strikes[owner.below(strikes.size())], 1});
    }
}

// In fury there is no telling what a priority was before: each that waits after it has run.
bool strike_any(Owner& owner) {
    const auto found = std::find_if(owner.jobs.begin(), owner.jobs.end(), [](const OwnJob& job) {
        return job.is_pending && job.restarts > 0;
    });
    return found != owner.jobs.end() && strike(owner, *found);
}

void do_what_is_due(Owner& owner) {
    const auto now = Clock::now();
    for (const Owner::Later& later : owner.later) {
        if (now < later.at) {
            continue;
        }
        if (later.change != nullptr) {
            send_update(owner, later.job, {&later.change, 1});
        } else {
            slurm_requeue(hora::slurm::JobName{later.job}, 0);
        }
    }
    std::erase_if(owner.later, [&](const Owner::Later& later) { return later.at <= now; });
}

bool send_signal(Owner& owner) {
    constexpr std::array<std::uint16_t, 4> signals = {SIGUSR1, SIGUSR2, SIGTERM, SIGCONT};
    return slurm_kill_job(hora::slurm::JobName{owner.any_job()},
                          signals[owner.below(signals.size())], 0) == SLURM_SUCCESS;
}

bool requeue(Owner& owner) {
    return slurm_requeue(hora::slurm::JobName{owner.any_job()}, 0) == SLURM_SUCCESS;
}

bool report(Owner& owner) {
    using hora::slurm::ReportKind;
    constexpr std::array<ReportKind, 5> kinds = {ReportKind::progress, ReportKind::checkpoint,
                                                 ReportKind::ended, ReportKind::resize,
                                                 ReportKind::force};
    hora::slurm::Report made_up;
    made_up.kind = kinds[owner.below(kinds.size())];
    made_up.restarts = owner.below(4);
    made_up.step_seconds = hora::Seconds{owner.below(1000) / 1e6};
    if (owner.below(2) == 0) {
        made_up.job = owner.any_job();
        made_up.step = owner.below(500);
        made_up.gpus = 1 + owner.below(4);
        made_up.nodes = 1;
    } else {  // of the jobs of others, and of no job at all
        made_up.job = owner.any_job() + owner.below(9) - 4;
        made_up.step = owner.random() >> 12;
        made_up.gpus = 1 + owner.below(1000);
        made_up.nodes = 1 + owner.below(1000);
    }
    made_up.samples = made_up.step;
    // Of a job that horad does not know the answer comes late; the owner does not wait for it.
    return hora::slurm::send_report(made_up, owner.place, milliseconds(50)).has_value();
}

struct Action {
    const char* name;
    bool (*act)(Owner&);
    std::uint32_t weight;
};

// What ends a job is rare, or there would be none.
constexpr std::array<Action, 7> actions = {{{"cancelled", cancel, 1},
                                            {"struck", strike_any, 150},
                                            {"put-right", put_right, 200},
                                            {"requeued", requeue, 8},
                                            {"signalled", send_signal, 20},
                                            {"reported", report, 20},
                                            {"updated", update, 400}}};

const Action& any_action(Owner& owner) {
    std::uint32_t all = 0;
    for (const Action& action : actions) {
        all += action.weight;
    }
    std::uint32_t place = owner.below(all);
    for (const Action& action : actions) {
        if (place < action.weight) {
            return action;
        }
        place -= action.weight;
    }
    return actions.back();
}

using Outcomes = std::map<std::string, std::array<std::uint64_t, 2>>;

void count(Outcomes& outcomes, const char* what, bool is_taken) {
    ++outcomes[what][is_taken ? 0 : 1];
}

void rage(Owner& owner, Outcomes& outcomes) {
    look_sometimes(owner, milliseconds(500));
    if (!owner.jobs.empty()) {
        const Action& action = any_action(owner);
        count(outcomes, action.name, action.act(owner));
    }
}

void lie_in_wait(Owner& owner, Outcomes& outcomes) {
    look_sometimes(owner, milliseconds(0));
    for (const OwnJob& job : std::vector(owner.jobs)) {
        if (job.priority == 0) {
            continue;
        }
        auto& lowest = owner.lowest.try_emplace(job.number, job.priority).first->second;
        lowest = std::min(lowest, job.priority);
        if (job.is_pending && job.priority > lowest &&
            owner.struck.emplace(job.number, job.restarts).second) {
            count(outcomes, "struck at a raised one", strike(owner, job));
        }
    }
}

struct Habit {
    const char* name;
    milliseconds pause;
    void (*act)(Owner&, Outcomes&);
};

constexpr std::array<Habit, 2> habits = {
    {{"fury", milliseconds(2), rage}, {"patience", milliseconds(50), lie_in_wait}}};

Outcomes attack(Owner& owner, const Habit& habit, std::chrono::seconds how_long) {
    Outcomes outcomes;
    const auto end = Clock::now() + how_long;
    for (auto next = Clock::now(); next < end && Clock::now() < end; next += habit.pause) {
        std::this_thread::sleep_until(next);
        do_what_is_due(owner);
        habit.act(owner, outcomes);
    }
    return outcomes;
}

}  // namespace

int main(int count, char** words) {
    const auto habit = std::find_if(habits.begin(), habits.end(), [&](const Habit& one) {
        return count == 6 && std::string_view(one.name) == words[1];
    });
    if (habit == habits.end()) {
        std::fprintf(stderr, "usage: hostile_owner fury|patience SEED SECONDS PORT MUNGE-SOCKET\n");
        return 2;
    }
    const auto number = [&](int i) { return std::strtoul(words[i], nullptr, 10); };
    Owner owner;
    owner.random.seed(number(2));
    owner.place.hosts = {"localhost"};
    owner.place.port = static_cast<std::uint16_t>(number(4));
    owner.place.munge_socket = words[5];
    // libslurm says on stderr why each was refused.
    if (std::freopen("/dev/null", "w", stderr) == nullptr) {
        return 1;
    }
    slurm_init(nullptr);
    const Outcomes outcomes = attack(owner, *habit, std::chrono::seconds(number(3)));
    slurm_fini();
    for (const auto& [name, times] : outcomes) {
        std::printf("%llu %llu %s\n", static_cast<unsigned long long>(times[0]),
                    static_cast<unsigned long long>(times[1]), name.c_str());
    }
    return 0;
}
