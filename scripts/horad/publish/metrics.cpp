// What does Prometheus' textfile collector read of the daemon?
#include "scripts/horad/publish/metrics.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

namespace hora::horad {
namespace {

class Page {
  public:
    void head(std::string_view name, std::string_view type, std::string_view help) {
        text_ += fmt::format("# HELP hora_{0} {1}\n# TYPE hora_{0} {2}\n", name, help, type);
    }
    template <class Value>
    void row(std::string_view name, std::string_view labels, Value value) {
        text_ += fmt::format("hora_{}{} {}\n", name, labels, value);
    }
    template <class Value>
    void gauge(std::string_view name, Value value, std::string_view help) {
        head(name, "gauge", help);
        row(name, "", value);
    }
    void counter(std::string_view name, std::uint64_t value, std::string_view help) {
        head(name, "counter", help);
        row(name, "", value);
    }
    std::string take() { return std::move(text_); }

  private:
    std::string text_;
};

void write_jobs(const domain::Status& status, Page& page) {
    std::map<std::string_view, std::uint32_t> jobs{{"pending", 0}, {"running", 0}};
    std::uint32_t elastic = 0;
    std::uint32_t held = 0;
    for (const domain::StatusJob& job : status.jobs) {
        ++jobs[job.gpus > 0 ? "running" : "pending"];
        elastic += job.is_elastic ? 1 : 0;
        held += job.is_elastic ? job.gpus : 0;
    }
    page.head("jobs", "gauge", "Jobs with options of Hora's, by state");
    for (const auto& [state, count] : jobs) {
        page.row("jobs", fmt::format("{{state=\"{}\"}}", state), count);
    }
    page.gauge("elastic_jobs", elastic, "Elastic ones among them");
    page.gauge("elastic_gpus", held, "GPUs that elastic jobs hold");
    page.gauge("other_gpus_waited_for", status.others_gpus,
               "GPUs that jobs without options of Hora's wait for");
}

void write_times(const domain::Status& status, Page& page) {
    page.gauge("written_timestamp_seconds", status.written, "When this was written");
    page.gauge("start_time_seconds", status.started, "When the daemon was started");
}

}  // namespace

std::string metrics_text(const Metrics& metrics) {
    const domain::Status& status = metrics.status;
    Page page;
    page.gauge("acting", metrics.is_acting ? 1 : 0, "1 where this host's slurmctld acts");
    write_times(status, page);
    if (!metrics.is_acting) {
        return page.take();
    }
    page.gauge("gpus", status.gpus, "GPUs of usable nodes");
    page.gauge("idle_gpus", status.idle, "Idle GPUs");
    write_jobs(status, page);
    page.head("resizes_total", "counter", "Resizes that ended, by result");
    for (std::size_t i = 0; i < metrics.resizes.size(); ++i) {
        page.row("resizes_total", fmt::format("{{result=\"{}\"}}", ending_names[i]),
                 metrics.resizes[i]);
    }
    std::uint32_t under_way = 0;
    for (const domain::StatusJob& job : status.jobs) {
        under_way += job.resize ? 1 : 0;
    }
    page.gauge("resizes_under_way", under_way, "Resizes that have begun and not ended");
    page.counter("reports_total", metrics.reports, "Reports of jobs that were taken");
    page.counter("reports_refused_total", metrics.reports_refused,
                 "Reports that were not of the job's owner or of its present start");
    page.counter("relaxed_total", metrics.relaxed, "Jobs whose locality constraint was dropped");
    page.counter("replanned_total", metrics.replanned, "Pending jobs that got a new plan");
    page.gauge("snapshot_age_seconds", metrics.snapshot_age.count(),
               "Time since the snapshot was written");
    page.gauge("round_seconds", metrics.round.count(), "Time that the last round took");
    return page.take();
}

}  // namespace hora::horad
