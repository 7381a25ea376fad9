// Which plans do jobs carry the key of, and what do they say?
//
// settings: horad.state
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/store/plan_spool.hpp"
#include "scripts/history/database.hpp"
#include "scripts/horad/log/log.hpp"
#include "scripts/horad/observe/observation.hpp"

namespace hora::horad {

class Plans {
  public:
    using Clock = std::chrono::steady_clock;
    // Null while the history cannot be opened.
    using OpenHistory = std::function<history::Database*()>;
    using Now = std::function<Clock::time_point()>;

    Plans(slurm::PlanSpool spool, OpenHistory history, Log& log, Now steady = Clock::now);

    // Whose slurmctld writes records.
    void trust(uid_t slurm_user) { slurm_user_ = slurm_user; }

    // Takes records that wait into the history, some at each call. `now`: seconds since the epoch.
    void take(std::int64_t now);

    // Null where the comment keeps nothing of Hora's, or a plan that cannot be found: the log says
    // so once, and it is looked for again after a while.
    std::shared_ptr<const JobMemory> memory_of(const std::string& admin_comment);

    FindMemory finder() {
        return [this](const std::string& comment) { return memory_of(comment); };
    }

    // Keeps the decision and returns the word for the job's comment.
    std::string keep(const domain::Decision& decision, std::int64_t now) const;
    // Of a word that no job got after all; before take() is called again.
    void drop(const std::string& word) const;

    // After each look at all jobs: what none of them carries is forgotten here.
    void keep_only(const std::vector<ObservedJob>& jobs);
    // The keys that these jobs carry.
    std::vector<std::string> living() const;

  private:
    struct Known {
        std::shared_ptr<const JobMemory> memory;
        bool is_lost = false;  // it has a word, and no plan is found
        Clock::time_point next_look;
        bool is_carried = true;  // by a job that there is
    };

    Known look_up(const std::string& word);
    std::vector<history::KeptPlan> waiting(std::int64_t now);
    void report_lost(std::size_t lost, std::uint32_t first);

    slurm::PlanSpool spool_;
    OpenHistory history_;
    Log& log_;
    const Now steady_;
    uid_t slurm_user_ = 0;
    Clock::time_point next_cleaning_;
    std::size_t lost_ = 0;                             // plans, at the last look at all jobs
    std::map<std::string, Known, std::less<>> known_;  // by the word
};

// A decision with its options taken apart; null where one of these is of a newer Hora.
std::shared_ptr<const JobMemory> memory_from(domain::Decision decision);

}  // namespace hora::horad
