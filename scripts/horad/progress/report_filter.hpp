// Is this report of the job's owner and of the start that runs now, and may it be true?
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "libplanner/base/error.hpp"
#include "plugins/slurm/report/report_credential.hpp"
#include "scripts/horad/observe/observation.hpp"
#include "scripts/horad/progress/reports.hpp"
#include "scripts/horad/progress/resize_requests.hpp"

namespace hora::horad {

enum class Verdict {
    taken,
    refused,
    // Of a start that the daemon has not seen yet, or of another user's job: it is to look, and
    // then to judge again.
    later,
};

struct Judged {
    Verdict verdict = Verdict::refused;
    Expected<void> answer;  // for the sender, unless it is `later`
};

// Takes what is good. What a job holds, and with which batch it was started, is slurmctld's to say,
// whatever the report says. The daemon's loop and the server's thread may call at once.
class ReportFilter {
  public:
    // Requests for a resize are passed on; without a filter they are refused.
    void set_resizes(ResizeRequests* resizes) { resizes_ = resizes; }

    // What is seen now: reports are judged by it from now on. What a job in the middle of a resize
    // has reported is kept when it ends, for slurmctld may be wrong about that.
    void see(const Observation& seen, const std::set<std::uint32_t>& resized = {});

    // `now`: seconds since the epoch.
    Judged judge(const slurm::SignedReport& report, double now);

    // Of a report that waits no longer: `later` is refused.
    Judged judge_last(const slurm::SignedReport& report, double now);

    // Is it the owner's, of a start that runs, and of which no report was judged before?
    bool is_first(const slurm::SignedReport& report) const;

    // What an earlier daemon timed of a job.
    void remember(std::uint32_t job, const std::vector<TimedSteps>& timed) {
        reports_.remember(job, timed);
    }

    const Reports& reports() const { return reports_; }
    std::uint64_t refused() const;

  private:
    struct Start {
        std::uint32_t uid = 0;
        std::uint32_t restarts = 0;
        bool is_running = false;
        std::uint32_t gpus = 0;  // that it holds now
        std::uint32_t nodes = 0;
        std::uint32_t most_gpus = 0;  // and that it held at any time: its owner may take some away
        std::uint32_t most_nodes = 0;
        std::optional<std::uint64_t> steps;  // of the whole work; empty: not stated
        std::uint64_t batch = 0;             // of a job with a range of them; else 0
        bool has_been_refused = false;       // a report of it, that cannot be true
    };

    static Start start_of(const ObservedJob& job);
    // Empty where it may be true.
    static std::string why_not_believed(const slurm::Report& report, const Start& start);

    Judged pass_on(const slurm::SignedReport& given);

    Reports reports_;
    ResizeRequests* resizes_ = nullptr;
    mutable std::mutex mutex_;
    std::map<std::uint32_t, Start> starts_;
    std::uint64_t refused_ = 0;
};

}  // namespace hora::horad
