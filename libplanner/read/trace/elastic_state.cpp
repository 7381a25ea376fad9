// What does a JSON file say of the jobs whose GPUs are to be decided on?
#include "libplanner/read/trace/elastic_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <utility>

#include "libplanner/base/nearest.hpp"
#include "libplanner/read/format/json_document.hpp"
#include "libplanner/read/format/json_object.hpp"
#include "libplanner/read/quoted.hpp"
#include "libplanner/read/trace/elastic_sizes.hpp"

namespace hora::read {
namespace {

using domain::ElasticJob;

constexpr std::size_t most_jobs = 100'000;
constexpr std::size_t longest_name = 128;
// Ages of jobs and clocks: far beyond any, and small enough to be added up.
constexpr NumberRange any_time{-1e15, 1e15};

constexpr auto state_keys = std::to_array<std::string_view>(
    {"version", "gpus", "waiting", "gpus_per_node", "now", "rescale_seconds", "jobs"});
constexpr auto job_keys = std::to_array<std::string_view>(
    {"id", "gpus", "min", "max", "epochs_left", "epoch_seconds", "elastic", "sizes", "requested",
     "uncertainty", "submitted", "started", "resized", "attained", "restarts", "own_end",
     "time_left"});

// Optional keys have the value that a hand-written file leaves out.
double number_or(JsonObject& item, const char* key, double otherwise, NumberRange range = {}) {
    return item.has(key) ? item.number(key, range) : otherwise;
}

class Reader {
  public:
    explicit Reader(const nlohmann::json& document)
        : document_(document), root_(document, "state", JsonObject::only_one, problem_) {}

    Expected<ElasticStateFile> read() {
        check_keys(root_, document_, state_keys);
        if (document_.contains("version") && root_.whole("version", 1) != 1) {
            root_.reject("version", "is not 1, the one that is known");
        }
        domain::ElasticState& state = file_.state;
        state.gpus = static_cast<std::uint32_t>(root_.whole("gpus", most_gpus));
        state.waiting = gpus_or(root_, "waiting", 0);
        state.gpus_per_node = gpus_or(root_, "gpus_per_node", 1);
        state.now = Seconds(number_or(root_, "now", 0, any_time));
        state.rescale = Seconds(number_or(root_, "rescale_seconds", 0, {0, 1e6}));
        if (state.gpus_per_node == 0) {
            root_.reject("gpus_per_node", "is 0; leave it out if it is not known");
        }
        std::size_t index = 0;
        for (const nlohmann::json& value : root_.list("jobs", most_jobs)) {
            JsonObject item(value, "jobs", index++, problem_);
            read_job(item, value);
            if (problem_.is_there()) {
                return unexpected({problem_.error().message, ErrorKind::wrong_use});
            }
        }
        if (held_ > state.gpus) {
            root_.reject("gpus", fmt::format("is {}, but the jobs hold {}", state.gpus, held_));
        }
        if (problem_.is_there()) {
            return unexpected({problem_.error().message, ErrorKind::wrong_use});
        }
        return std::move(file_);
    }

  private:
    void check_keys(JsonObject& item, const nlohmann::json& value,
                    std::span<const std::string_view> known) {
        if (!value.is_object()) {
            return;
        }
        for (const auto& [key, unused] : value.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                item.reject(read::quoted(key), "is not known" + did_you_mean(key, known));
            }
        }
    }

    void read_job(JsonObject& item, const nlohmann::json& value);
    void read_name(JsonObject& item, const nlohmann::json& value);
    void check_held(JsonObject& item, const ElasticJob& job);

    const nlohmann::json& document_;
    JsonProblem problem_;
    JsonObject root_;
    ElasticStateFile file_;
    std::set<JobName> seen_;
    std::uint64_t held_ = 0;
};

void Reader::read_job(JsonObject& item, const nlohmann::json& value) {
    check_keys(item, value, job_keys);
    if (problem_.is_there()) {
        return;
    }
    ElasticJob job;
    job.id = file_.names.size();
    read_name(item, value);
    job.gpus = static_cast<std::uint32_t>(item.whole("gpus", most_gpus));
    job.epochs_left = item.number("epochs_left", {0, 1e15});
    job.is_elastic = !value.contains("elastic") || item.flag("elastic");
    take_sizes(item, value, file_, job);
    job.requested = gpus_or(item, "requested", job.is_elastic ? job.min : job.gpus);
    job.submitted = Seconds(number_or(item, "submitted", 0, any_time));
    job.resized = Seconds(number_or(item, "resized", 0, any_time));
    if (value.contains("started")) {
        job.started = Seconds(item.number("started", any_time));
    } else if (job.gpus > 0) {
        job.started = job.resized;
    }
    job.attained = number_or(item, "attained", 0, {0, 1e15});
    job.restarts = gpus_or(item, "restarts", 0);
    if (value.contains("own_end")) {
        job.own_end = Seconds(item.number("own_end", any_time));
    }
    if (value.contains("time_left")) {
        job.deadline = {.left = Seconds(item.number("time_left", any_time)),
                        .epochs = job.epochs_left};
    }
    if (job.requested == 0 && (job.is_elastic || job.gpus == 0)) {
        item.reject("requested", "is 0; say how many GPUs the job's own request is for");
    }
    check_held(item, job);
    held_ += job.gpus;
    file_.state.jobs.push_back(job);
}

void Reader::read_name(JsonObject& item, const nlohmann::json& value) {
    JobName name;
    if (value.contains("id") && value["id"].is_string()) {
        name = item.text("id", longest_name);
    } else {
        name = item.whole("id", std::uint64_t{1} << 53);
    }
    if (!problem_.is_there() && !seen_.insert(name).second) {
        const std::string shown = std::holds_alternative<std::string>(name)
                                      ? read::quoted(std::get<std::string>(name))
                                      : fmt::format("{}", std::get<std::uint64_t>(name));
        item.reject("id",
                    fmt::format("is {}, as that of an earlier job; give each its own", shown));
    }
    file_.names.push_back(std::move(name));
}

void Reader::check_held(JsonObject& item, const ElasticJob& job) {
    if (problem_.is_there() || job.gpus == 0 || !job.is_elastic) {
        return;
    }
    if (job.gpus < job.min || job.gpus > job.max) {
        item.reject("gpus", fmt::format("is {}, outside of min {} to max {}; a job that waits "
                                        "has 0",
                                        job.gpus, job.min, job.max));
    }
}

}  // namespace

Expected<ElasticStateFile> read_elastic_state(std::string_view json) {
    const Expected<nlohmann::json> document = parse_json(json);
    if (!document) {
        return unexpected(document.error());
    }
    if (!document->is_object()) {
        return wrong_use(R"(is no JSON object; it starts as {"gpus": 8, "waiting": 0, "jobs": [)");
    }
    return Reader(*document).read();
}

}  // namespace hora::read
