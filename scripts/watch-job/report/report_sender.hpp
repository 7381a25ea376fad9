// Where does a report go, and did anybody take it?
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "plugins/slurm/report/report_client.hpp"
#include "plugins/slurm/report/report_message.hpp"

namespace hora::watch {

// slurmctld knows the place. It is asked at once, since a report may have no time to wait for the
// answer. Where it does not answer at the moment at which a job starts it is asked again at each
// report, or nothing would be heard of that start.
//
// A daemon that was not updated yet refuses a report that says how long steps wait for late ranks.
// It gets the report without that, and after some of them the same lateness is not said to it
// again.
class ReportSender {
  public:
    // Empty where it cannot be found out now.
    using Find = std::function<std::optional<slurm::ReportPlace>()>;
    using Send = std::function<bool(const slurm::Report& report, const slurm::ReportPlace& place)>;

    ReportSender(Find find, Send send)
        : find_(std::move(find)), send_(std::move(send)), place_(find_()) {}

    // Whether a daemon took it.
    bool operator()(const slurm::Report& report) {
        place_ = place_ ? place_ : find_();
        if (!place_) {
            return false;
        }
        if (!report.late) {
            return send_(report, *place_);
        }
        const bool is_said = report.late != not_taken_;
        if (is_said && send_(report, *place_)) {
            failures_ = 0;
            return true;
        }
        slurm::Report rest = report;
        rest.late.reset();
        const bool is_taken = send_(rest, *place_);
        constexpr int is_no_accident = 3;
        if (is_said && is_taken && ++failures_ == is_no_accident) {
            not_taken_ = report.late;
            failures_ = 0;
        }
        return is_taken;
    }

  private:
    Find find_;
    Send send_;
    std::optional<slurm::ReportPlace> place_;
    std::optional<Seconds> not_taken_;  // the lateness that a daemon knew nothing of
    int failures_ = 0;                  // of reports that it took without theirs, in a row
};

}  // namespace hora::watch
