// Which jobs held GPUs, by what `sacct --parsable2` printed?
#include "libplanner/read/slurm/sacct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "libplanner/read/format/table_text.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/slurm/sacct_field.hpp"

namespace hora::read {
namespace {

constexpr std::string_view id_names[] = {"JobID", "JobIDRaw"};
constexpr std::string_view submit_names[] = {"Submit"};
constexpr std::string_view eligible_names[] = {"Eligible"};
constexpr std::string_view start_names[] = {"Start"};
constexpr std::string_view elapsed_names[] = {"ElapsedRaw", "Elapsed"};
constexpr std::string_view tres_names[] = {"AllocTRES"};
constexpr std::string_view requested_names[] = {"ReqTRES"};
constexpr std::string_view user_names[] = {"User"};
constexpr std::string_view partition_names[] = {"Partition"};
constexpr std::string_view state_names[] = {"State"};
constexpr std::string_view limit_names[] = {"Timelimit", "TimelimitRaw"};

class Reader {
  public:
    Reader(TableText table, std::string_view partition)
        : table_(std::move(table)), wanted_partition_(partition) {}

    Expected<Accounting> read();

  private:
    Expected<bool> find_columns();
    Expected<bool> add_row();
    Expected<bool> add_job(const TresCount& held);
    Expected<void> add_limit(domain::AccountedJob& job) const;
    Expected<Seconds> time(std::size_t column) const;
    std::string text(const std::optional<std::size_t>& column) const {
        return column ? std::string(table_.field(*column)) : std::string();
    }

    TableText table_;
    std::string_view wanted_partition_;
    std::size_t id_ = 0;
    std::size_t submit_ = 0;
    std::size_t start_ = 0;
    std::size_t elapsed_ = 0;
    std::size_t tres_ = 0;
    std::optional<std::size_t> eligible_;
    std::optional<std::size_t> requested_;
    std::optional<std::size_t> user_;
    std::optional<std::size_t> partition_;
    std::optional<std::size_t> state_;
    std::optional<std::size_t> limit_;
    Accounting accounting_;
};

Expected<bool> Reader::find_columns() {
    const std::pair<std::size_t*, std::span<const std::string_view>> needed[] = {
        {&id_, id_names},           {&submit_, submit_names}, {&start_, start_names},
        {&elapsed_, elapsed_names}, {&tres_, tres_names},
    };
    for (const auto& [place, names] : needed) {
        const auto column = table_.need(names);
        if (!column) {
            return unexpected(column.error());
        }
        *place = *column;
    }
    eligible_ = table_.find(eligible_names);
    requested_ = table_.find(requested_names);
    user_ = table_.find(user_names);
    partition_ = table_.find(partition_names);
    state_ = table_.find(state_names);
    limit_ = table_.find(limit_names);
    if (!wanted_partition_.empty() && !partition_) {
        return wrong_use("line 1: has no column Partition to choose from");
    }
    return true;
}

Expected<Seconds> Reader::time(std::size_t column) const {
    const auto read = read_sacct_time(table_.field(column));
    return read ? Expected<Seconds>(*read)
                : table_.bad(fmt::format("{} {} is no time", table_.columns()[column],
                                         quoted(table_.field(column))));
}

Expected<void> Reader::add_limit(domain::AccountedJob& job) const {
    const auto limit = limit_ ? read_time_limit(table_.field(*limit_)) : std::optional<Seconds>();
    if (limit_ && !limit) {
        return table_.bad(fmt::format("{} {} is no time limit", table_.columns()[*limit_],
                                      quoted(table_.field(*limit_))));
    }
    if (limit && std::isfinite(limit->count())) {
        job.limit = limit;
        job.has_timed_out = state_ && table_.field(*state_).starts_with("TIMEOUT");
    }
    return {};
}

Expected<bool> Reader::add_job(const TresCount& held) {
    const auto elapsed = read_elapsed(table_.field(elapsed_));
    if (!elapsed) {
        return table_.bad(fmt::format("{} {} is no length of time", table_.columns()[elapsed_],
                                      quoted(table_.field(elapsed_))));
    }
    const std::string_view started = table_.field(start_);
    const auto start = read_sacct_time(started);
    if (!start && !started.empty() && started != "Unknown" && started != "None") {
        return table_.bad(
            fmt::format("{} {} is no time", table_.columns()[start_], quoted(started)));
    }
    if (*elapsed <= Seconds(0) || !start) {
        ++accounting_.never_ran;
        return true;
    }
    const auto submitted = time(submit_);
    if (!submitted) {
        return unexpected(submitted.error());
    }
    domain::AccountedJob job;
    if (const auto limited = add_limit(job); !limited) {
        return unexpected(limited.error());
    }
    job.id = table_.field(id_);
    job.user = text(user_);
    job.partition = text(partition_);
    job.gpus = held.gpus;
    job.nodes = std::clamp(held.nodes, 1U, held.gpus);
    job.is_part = job.id.find_first_of("_+") != std::string::npos;
    // A requeued job's row has its last start, a changed clock may put it before the submission.
    const auto eligible = eligible_ ? read_sacct_time(table_.field(*eligible_)) : std::nullopt;
    job.submitted = std::min(*start, std::max(*submitted, eligible.value_or(*submitted)));
    job.started = *start;
    job.elapsed = *elapsed;
    accounting_.jobs.push_back(std::move(job));
    return true;
}

Expected<bool> Reader::add_row() {
    if (table_.field(id_).find('.') != std::string_view::npos) {
        ++accounting_.steps;
        return true;
    }
    if (partition_ && !accounting_.partitions.contains(table_.field(*partition_))) {
        accounting_.partitions.emplace(table_.field(*partition_));
    }
    if (!wanted_partition_.empty() && table_.field(*partition_) != wanted_partition_) {
        return true;
    }
    const std::string_view tres = table_.field(tres_);
    const auto held = read_tres(tres);
    if (!held) {
        return table_.bad(fmt::format("AllocTRES {} has a count that is no number", quoted(tres)));
    }
    if (held->gpus == 0) {
        // What never ran was allocated nothing.
        const auto asked = tres.empty() && requested_ ? read_tres(table_.field(*requested_))
                                                      : std::optional<TresCount>();
        ++(asked && asked->gpus > 0 ? accounting_.never_ran : accounting_.without_gpus);
        return true;
    }
    if (state_ && table_.field(*state_).starts_with("PENDING")) {
        ++accounting_.never_ran;
        return true;
    }
    return add_job(*held);
}

Expected<Accounting> Reader::read() {
    if (const auto found = find_columns(); !found) {
        return unexpected(found.error());
    }
    if (const auto added = table_.for_each_row([this] { return add_row(); }); !added) {
        return unexpected(added.error());
    }
    std::stable_sort(accounting_.jobs.begin(), accounting_.jobs.end(),
                     [](const domain::AccountedJob& one, const domain::AccountedJob& other) {
                         return one.submitted < other.submitted;
                     });
    return std::move(accounting_);
}

}  // namespace

Expected<Accounting> read_sacct(std::string_view text, std::string_view partition) {
    // --parsable2 ends a line with its last field, --parsable (-p) with one more delimiter.
    auto table = TableText::open(text, '|');
    return table ? Reader(*std::move(table), partition).read() : unexpected(table.error());
}

}  // namespace hora::read
