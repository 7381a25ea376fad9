// Which jobs does a trace file submit?
#include "libplanner/read/trace/job_trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "libplanner/read/format/table_field.hpp"
#include "libplanner/read/format/table_text.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::read {
namespace {

constexpr std::string_view application_names[] = {"application", "app"};
constexpr std::string_view batch_names[] = {"batch_size", "batch"};
constexpr std::string_view name_names[] = {"name"};
constexpr std::string_view submit_names[] = {"submit_s", "time"};
constexpr std::string_view gpu_names[] = {"gpus", "num_replicas"};
constexpr std::string_view duration_names[] = {"duration_s"};
constexpr std::string_view group_names[] = {"vc", "group"};
constexpr std::string_view limit_names[] = {"time_limit_s"};
constexpr std::string_view elastic_names[] = {"elastic"};
constexpr std::string_view type_names[] = {"gpu_type"};

class Reader {
  public:
    Reader(TableText table, const SpeedTable& speeds, bool any_batch,
           std::span<const std::string> gpu_types)
        : table_(std::move(table)), speeds_(speeds), any_batch_(any_batch), gpu_types_(gpu_types) {}

    Expected<domain::JobTrace> read();

  private:
    Expected<bool> find_columns();
    Expected<bool> add_row();
    Expected<bool> add_measured(domain::TraceJob& job);
    Expected<bool> find_elastic(domain::TraceJob& job) const;
    Expected<bool> find_type(domain::TraceJob& job) const;
    Expected<bool> add_rigid(domain::TraceJob& job);
    void add_fixed(domain::TraceJob& job, Seconds duration);
    std::uint32_t place_of(const SpeedTable::value_type& speed);
    void add_range(domain::TraceJob& job, const std::string& application);
    std::string batches_of(std::string_view type, std::string_view application) const;

    TableText table_;
    const SpeedTable& speeds_;
    bool any_batch_;
    std::span<const std::string> gpu_types_;
    std::size_t submit_ = 0;
    std::size_t gpus_ = 0;
    std::size_t duration_ = 0;
    std::size_t application_ = 0;
    std::size_t batch_ = 0;
    std::size_t type_ = 0;  // where the cluster has types
    bool is_rigid_ = false;
    std::optional<std::size_t> name_;
    std::optional<std::size_t> group_;
    std::optional<std::size_t> limit_;
    std::optional<std::size_t> elastic_;
    std::map<SpeedTable::key_type, std::uint32_t> used_;
    // By type and application.
    std::map<std::pair<std::string, std::string>, std::uint32_t> ranges_;
    domain::JobTrace trace_;
};

Expected<bool> Reader::find_columns() {
    is_rigid_ = table_.find(duration_names).has_value();
    if (is_rigid_ && !speeds_.empty()) {
        return wrong_use("line 1: has a column duration_s, so its jobs have no use for --speeds");
    }
    if (!is_rigid_ && speeds_.empty()) {
        return wrong_use(
            table_.find(application_names)
                ? "line 1: names applications, whose speeds are wanted; say --speeds FILE"
                : "line 1: has neither a column duration_s nor a column application");
    }
    std::vector<std::pair<std::size_t*, std::span<const std::string_view>>> needed = {
        {&submit_, submit_names}, {&gpus_, gpu_names}};
    if (is_rigid_) {
        needed.emplace_back(&duration_, duration_names);
    } else {
        needed.emplace_back(&application_, application_names);
        needed.emplace_back(&batch_, batch_names);
    }
    if (!gpu_types_.empty()) {
        needed.emplace_back(&type_, type_names);
    }
    for (const auto& [place, names] : needed) {
        const auto column = table_.need(names);
        if (!column) {
            return unexpected(column.error());
        }
        *place = *column;
    }
    name_ = table_.find(name_names);
    group_ = table_.find(group_names);
    limit_ = table_.find(limit_names);
    elastic_ = table_.find(elastic_names);
    return true;
}

Expected<bool> Reader::add_rigid(domain::TraceJob& job) {
    const auto duration = seconds_field(table_, duration_, Seconds(0));
    if (!duration) {
        return unexpected(duration.error());
    }
    // A job that failed at once held its GPUs for a moment.
    add_fixed(job, std::max(*duration, Seconds(1e-3)));
    return true;
}

void Reader::add_fixed(domain::TraceJob& job, Seconds duration) {
    job.min = job.max = job.requested;
    job.speed = static_cast<std::uint32_t>(trace_.speeds.size());
    domain::TrueSpeed speed;
    speed.gpu_type = job.gpu_type;
    speed.least = job.requested;
    speed.epoch_seconds.assign(job.requested, duration);
    trace_.speeds.push_back(std::move(speed));
}

// ", but with 32, 64"
std::string Reader::batches_of(std::string_view type, std::string_view application) const {
    std::vector<std::uint64_t> batches;
    for (const auto& [key, speed] : speeds_) {
        if (std::get<0>(key) == type && std::get<1>(key) == application) {
            batches.push_back(std::get<2>(key));
        }
    }
    return batches.empty() ? std::string() : fmt::format(", but with {}", fmt::join(batches, ", "));
}

// Without the column, or where it is empty, each one is whose speeds are known.
Expected<bool> Reader::find_elastic(domain::TraceJob& job) const {
    const std::string_view word = elastic_ ? table_.field(*elastic_) : std::string_view();
    if (!word.empty() && word != "yes" && word != "no" && word != "yields") {
        return table_.bad(fmt::format("elastic is {}, none of yes, no, yields", quoted(word)));
    }
    if (!word.empty() && word != "no" && is_rigid_) {
        return table_.bad("an elastic job has an application, and no duration_s");
    }
    job.is_elastic = !is_rigid_ && word != "no";
    job.yields = word == "yields";
    return true;
}

// A job without a type would be started on whichever is idle, at a speed that nothing shows.
Expected<bool> Reader::find_type(domain::TraceJob& job) const {
    if (gpu_types_.empty()) {
        return true;
    }
    job.gpu_type = std::string(table_.field(type_));
    if (job.gpu_type.empty()) {
        return table_.bad(fmt::format("gpu_type is empty; name one of the cluster's types, {}",
                                      fmt::join(gpu_types_, ", ")));
    }
    return true;
}

Expected<bool> Reader::add_measured(domain::TraceJob& job) {
    const auto batch = count_field(table_, batch_, std::numeric_limits<std::uint32_t>::max());
    if (!batch) {
        return unexpected(batch.error());
    }
    const bool is_elsewhere = !gpu_types_.empty() && std::find(gpu_types_.begin(), gpu_types_.end(),
                                                               job.gpu_type) == gpu_types_.end();
    if (is_elsewhere) {
        add_fixed(job, Seconds(1));
        return true;
    }
    const std::string application(table_.field(application_));
    const auto found = speeds_.find({job.gpu_type, application, *batch});
    if (found == speeds_.end()) {
        return table_.bad(fmt::format(
            "application {} with batch {} is not among the speeds{}{}", quoted(application), *batch,
            job.gpu_type.empty() ? "" : " on GPUs of type " + job.gpu_type,
            batches_of(job.gpu_type, application)));
    }
    const domain::TrueSpeed& speed = found->second;
    const auto most = static_cast<std::uint32_t>(speed.epoch_seconds.size());
    if (job.requested < speed.least || job.requested > most) {
        return table_.bad(
            fmt::format("{} GPUs are requested, but the speeds of {} go from {} to {}",
                        job.requested, quoted(speed.name), speed.least, most));
    }
    job.speed = place_of(*found);
    job.min = job.is_elastic ? speed.least : job.requested;
    job.max = job.is_elastic ? most : job.requested;
    if (any_batch_ && job.is_elastic) {
        add_range(job, application);
    }
    return true;
}

std::uint32_t Reader::place_of(const SpeedTable::value_type& speed) {
    const auto [place, is_new] =
        used_.try_emplace(speed.first, static_cast<std::uint32_t>(trace_.speeds.size()));
    if (is_new) {
        trace_.speeds.push_back(speed.second);
    }
    return place->second;
}

// On as many GPUs as any of the batches.
void Reader::add_range(domain::TraceJob& job, const std::string& application) {
    const auto [place, is_new] = ranges_.try_emplace(
        {job.gpu_type, application}, static_cast<std::uint32_t>(trace_.ranges.size()));
    if (is_new) {
        trace_.ranges.emplace_back();
    }
    std::vector<domain::BatchSpeed>& range = trace_.ranges[place->second];
    for (auto speed = speeds_.lower_bound({job.gpu_type, application, 0});
         speed != speeds_.end() && std::get<0>(speed->first) == job.gpu_type &&
         std::get<1>(speed->first) == application;
         ++speed) {
        if (is_new) {
            range.push_back({std::get<2>(speed->first), place_of(*speed), speed->second.least});
        }
        job.min = std::min(job.min, speed->second.least);
        job.max = std::max(job.max, static_cast<std::uint32_t>(speed->second.epoch_seconds.size()));
    }
    job.range = place->second;
    // No job runs on fewer than `job.min`: what is possible on these may as well be on one.
    for (domain::BatchSpeed& known : range) {
        known.least = known.least == job.min ? 1 : known.least;
    }
}

Expected<bool> Reader::add_row() {
    const auto submitted = seconds_field(table_, submit_, Seconds(0));
    const auto gpus = count_field(table_, gpus_, is_rigid_ ? most_gpus_of_a_job : 4096);
    if (!submitted) {
        return unexpected(submitted.error());
    }
    if (!gpus) {
        return unexpected(gpus.error());
    }
    domain::TraceJob job;
    job.submitted = *submitted;
    job.requested = *gpus;
    job.name = name_ ? std::string(table_.field(*name_)) : fmt::format("line-{}", table_.line());
    job.group = group_ ? std::string(table_.field(*group_)) : std::string();
    if (limit_ && !table_.field(*limit_).empty()) {
        const auto limit = seconds_field(table_, *limit_, Seconds(1));
        if (!limit) {
            return unexpected(limit.error());
        }
        job.limit = *limit;
    }
    for (auto found : {find_elastic(job), find_type(job)}) {
        if (!found) {
            return found;
        }
    }
    auto added = is_rigid_ ? add_rigid(job) : add_measured(job);
    trace_.jobs.push_back(std::move(job));
    return added;
}

Expected<domain::JobTrace> Reader::read() {
    if (const auto found = find_columns(); !found) {
        return unexpected(found.error());
    }
    if (const auto added = table_.for_each_row([this] { return add_row(); }); !added) {
        return unexpected(added.error());
    }
    if (trace_.jobs.empty()) {
        return wrong_use("has no job below its first line");
    }
    std::stable_sort(trace_.jobs.begin(), trace_.jobs.end(),
                     [](const domain::TraceJob& one, const domain::TraceJob& other) {
                         return one.submitted < other.submitted;
                     });
    return std::move(trace_);
}

}  // namespace

Expected<domain::JobTrace> read_job_trace(std::string_view text, const SpeedTable& speeds,
                                          bool any_batch, std::span<const std::string> gpu_types) {
    auto table = TableText::open(text, ',');
    return table ? Reader(*std::move(table), speeds, any_batch, gpu_types).read()
                 : unexpected(table.error());
}

}  // namespace hora::read
