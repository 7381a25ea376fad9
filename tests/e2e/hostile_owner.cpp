// What does an owner who means ill do to jobs in Hora's hands? Everything that Slurm and horad let
// an ordinary user do, at random and without a pause, by libslurm and by reports.
//
//   hostile_owner SEED MILLISECONDS SECONDS PORT MUNGE-SOCKET JOB…
//
// One action each MILLISECONDS for SECONDS; reports go to PORT. Prints how many were taken.
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "plugins/slurm/compat.hpp"
#include "plugins/slurm/report_client.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Owner {
    struct Later {
        Clock::time_point at;
        std::uint32_t job = 0;
    };

    std::mt19937_64 random;
    std::vector<std::uint32_t> jobs;
    hora::slurm::ReportPlace place;
    std::vector<Later> requeue_later;

    std::uint32_t below(std::uint32_t end) {
        return std::uniform_int_distribution<std::uint32_t>(0, end - 1)(random);
    }
    std::uint32_t any_job() { return jobs[below(static_cast<std::uint32_t>(jobs.size()))]; }
};

using Change = void (*)(Owner&, job_desc_msg_t&);

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

// Does the job wait after it has run? Then horad restarts it, or it was requeued.
bool is_in_window(std::uint32_t number) {
    job_info_msg_t* found = nullptr;
    if (hora::slurm::load_job(&found, number, 0) != SLURM_SUCCESS) {
        return false;
    }
    const bool is_pending = found->record_count == 1 &&
                            (found->job_array->job_state & JOB_STATE_BASE) == JOB_PENDING &&
                            found->job_array->restart_cnt > 0;
    slurm_free_job_info_msg(found);
    return is_pending;
}

bool strike_in_window(Owner& owner) {
    constexpr std::array<Change, 2> ways = {
        [](Owner& self, job_desc_msg_t& job) {
            set(job.dependency, "afterany:" + std::to_string(self.any_job()));
        },
        [](Owner&, job_desc_msg_t& job) { set(job.features, "a_feature_of_no_node"); },
    };
    const std::uint32_t number = owner.any_job();
    if (!is_in_window(number)) {
        return false;
    }
    const std::uint32_t way = owner.below(ways.size() + 1);
    if (way < ways.size()) {
        return send_update(owner, number, {&ways[way], 1});
    }
    // horad is to see that it is over, and not always.
    owner.requeue_later.push_back(
        {Clock::now() + std::chrono::milliseconds(owner.below(4000)), number});
    return slurm_kill_job(hora::slurm::JobName{number}, SIGKILL, 0) == SLURM_SUCCESS;
}

void requeue_due(Owner& owner) {
    std::erase_if(owner.requeue_later, [](const Owner::Later& later) {
        if (Clock::now() < later.at) {
            return false;
        }
        slurm_requeue(hora::slurm::JobName{later.job}, 0);
        return true;
    });
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
    return hora::slurm::send_report(made_up, owner.place, std::chrono::milliseconds(500))
        .has_value();
}

struct Action {
    const char* name;
    bool (*act)(Owner&);
    std::uint32_t weight;
};

// What ends a job is rare, or there would be none.
constexpr std::array<Action, 7> actions = {{{"cancelled", cancel, 1},
                                            {"struck", strike_in_window, 150},
                                            {"put-right", put_right, 200},
                                            {"requeued", requeue, 8},
                                            {"signalled", send_signal, 20},
                                            {"reported", report, 100},
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

}  // namespace

int main(int count, char** words) {
    if (count < 7) {
        std::fprintf(stderr,
                     "usage: hostile_owner SEED MILLISECONDS SECONDS PORT MUNGE-SOCKET JOB...\n");
        return 2;
    }
    const auto number = [&](int i) { return std::strtoul(words[i], nullptr, 10); };
    Owner owner{.random = std::mt19937_64(number(1)), .jobs = {}, .place = {}, .requeue_later = {}};
    owner.place.hosts = {"localhost"};
    owner.place.port = static_cast<std::uint16_t>(number(4));
    owner.place.munge_socket = words[5];
    for (int i = 6; i < count; ++i) {
        owner.jobs.push_back(static_cast<std::uint32_t>(number(i)));
    }
    // libslurm says on stderr why each was refused.
    if (std::freopen("/dev/null", "w", stderr) == nullptr) {
        return 1;
    }
    slurm_init(nullptr);
    std::map<std::string, std::array<std::uint64_t, 2>> outcomes;
    const auto end = Clock::now() + std::chrono::seconds(number(3));
    for (auto next = Clock::now(); next < end; next += std::chrono::milliseconds(number(2))) {
        std::this_thread::sleep_until(next);
        requeue_due(owner);
        const Action& action = any_action(owner);
        ++outcomes[action.name][action.act(owner) ? 0 : 1];
        if (Clock::now() > end) {
            break;
        }
    }
    slurm_fini();
    for (const auto& [name, times] : outcomes) {
        std::printf("%s %llu, refused %llu\n", name.c_str(),
                    static_cast<unsigned long long>(times[0]),
                    static_cast<unsigned long long>(times[1]));
    }
    return 0;
}
