// Does a submission cost more than twice as much where a field of it is twice as long? slurmctld
// serves no other client meanwhile, and a client may fill each field as it likes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "libplanner/report/jobs/decision_token.hpp"
#include "plugins/job_submit/handle.hpp"
#include "tests/bench/submissions.hpp"
#include "tests/unit/job_submit/job.hpp"
#include "tests/unit/job_submit/place.hpp"
#include "tests/unit/job_submit/processor_time.hpp"

namespace hora::submit {
namespace {

using Entries = std::vector<std::string>;

struct Request {
    Job job;
    Entries options;
    Entries environment{"PATH=/usr/bin:/bin"};
};

struct Field {
    const char* sentence;
    std::function<void(Request&, std::size_t)> fill;
};

std::string repeated(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all += text;
    }
    return all;
}

Entries many(const std::string& entry, std::size_t count) {
    return Entries(count, entry);
}

Field text(const char* sentence, char* job_desc_msg_t::*place, const std::string& start,
           const std::string& part, const std::string& end = {}) {
    return {sentence, [=](Request& request, std::size_t count) {
                const std::string value = start + repeated(part, count) + end;
                (*request.job).*place = daemon_string(value.c_str());
            }};
}

Field plain(const char* sentence, char* job_desc_msg_t::*place) {
    return text(sentence, place, "", "x");
}

Field option(const char* sentence, const std::string& start, const std::string& part) {
    return {sentence, [=](Request& request, std::size_t count) {
                request.options.push_back(bench::option_prefix + start + repeated(part, count));
            }};
}

Field entries(const char* sentence, const std::function<std::string(std::size_t)>& entry) {
    return {sentence, [=](Request& request, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) {
                    request.options.push_back(entry(i));
                }
            }};
}

std::vector<Field> texts_that_are_not_read() {
    using Job = job_desc_msg_t;
    return {plain("script", &Job::script),
            plain("job name", &Job::name),
            plain("comment", &Job::comment),
            plain("dependency", &Job::dependency),
            plain("array", &Job::array_inx),
            plain("working folder", &Job::work_dir),
            plain("licenses", &Job::licenses),
            plain("output", &Job::std_out),
            plain("accounting key", &Job::wckey),
            plain("burst buffer", &Job::burst_buffer),
            plain("line typed", &Job::submit_line),
            plain("mail", &Job::mail_user),
            plain("network", &Job::network),
            plain("clusters", &Job::clusters),
            plain("cpu binding", &Job::cpu_bind),
            plain("GPU binding", &Job::tres_bind),
            plain("frequencies", &Job::tres_freq),
            plain("cookie", &Job::x11_magic_cookie),
            plain("batch features", &Job::batch_features)};
}

std::vector<Field> texts() {
    using Job = job_desc_msg_t;
    std::vector<Field> all{
        plain("account", &Job::account),
        plain("QOS", &Job::qos),
        plain("reservation", &Job::reservation),
        plain("partition with a long name", &Job::partition),
        text("many partitions", &Job::partition, "p", ",q"),
        text("commas for partitions", &Job::partition, "", ","),
        text("administrator's comment of words", &Job::admin_comment, "", "hora={} "),
        plain("administrator's comment in one word", &Job::admin_comment),
        plain("feature with a long name", &Job::features),
        text("one of many features", &Job::features, "gpu", "|gpu"),
        text("all of many features", &Job::features, "gpu", "&gpu"),
        text("features in parentheses", &Job::features, "", "(", "gpu"),
        text("preferred features", &Job::prefer, "gpu", "&gpu"),
    };
    for (char* job_desc_msg_t::*list : {&Job::req_nodes, &Job::exc_nodes}) {
        all.push_back(text("node with a long name", list, "", "n"));
        all.push_back(text("range with a long name", list, "", "n", "[1-64]"));
        all.push_back(text("many nodes", list, "n1", ",n1"));
        all.push_back(text("many ranges", list, "n[1", ",1", "]"));
        all.push_back(text("many brackets", list, "n", "[1-1]"));
        all.push_back(text("many open brackets", list, "n", "["));
        all.push_back(text("many pieces of a name", list, "n", "[1]x"));
    }
    for (char* job_desc_msg_t::*list :
         {&Job::tres_per_node, &Job::tres_per_job, &Job::tres_per_task, &Job::tres_per_socket,
          &Job::cpus_per_tres, &Job::mem_per_tres}) {
        all.push_back(text("many GPUs", list, "gres:gpu:1", ",gres:gpu:1"));
        all.push_back(text("many others", list, "gres:gpu:1", ",gres:craynetwork:1"));
        all.push_back(text("a long type of GPU", list, "gres:gpu:", "x", ":1"));
        all.push_back(text("many colons", list, "gres:gpu", ":"));
        all.push_back(text("many indices", list, "gres:gpu:1(IDX:0", ",0", ")"));
    }
    return all;
}

std::vector<Field> entries_of_horas() {
    return {
        entries("the same option many times",
                [](std::size_t) { return bench::option_prefix + "gpus=1"; }),
        entries(
            "many options that there are not",
            [](std::size_t i) { return bench::option_prefix + "x" + std::to_string(i) + "=1"; }),
        entries("many workloads", [](std::size_t) { return std::string("HORA_WORKLOAD=1"); }),
        entries("many times of submission",
                [](std::size_t) { return std::string("HORA_SUBMIT=1"); }),
        entries("many entries of others", [](std::size_t i) { return "A=" + std::to_string(i); }),
        entries("many empty entries", [](std::size_t) { return std::string(); }),
        option("a model with a long name", "model=", "x"),
        option("an option with a long name", "", "x"),
        option("a long number", "batch=", "1"),
        option("a list of sizes", "sizes=1", ",1"),
        option("a range of sizes", "gpus=1-", "1"),
        option("a list of modes", "accepts=async", ",async"),
        option("a long time", "wait=", "1"),
        {"a workload of many layers",
         [](Request& request, std::size_t count) {
             request.options.push_back("HORA_WORKLOAD=1.fp32" + repeated(".1.1.1-2.2.2-", count));
         }},
    };
}

std::vector<Field> environments() {
    const auto filled = [](const char* sentence, const std::string& entry) {
        return Field{sentence, [=](Request& request, std::size_t count) {
                         request.environment = many(entry, count);
                     }};
    };
    return {filled("many variables", "A=1"),
            filled("many empty variables", ""),
            filled("many variables of Slurm's", "SLURM_NTASKS=1"),
            filled("many variables of Hora's", "HORA_MODE=sync"),
            filled("many folders", "HORA_CHECKPOINT_DIR=/tmp"),
            {"a long variable", [](Request& request, std::size_t count) {
                 request.environment = {"A=" + repeated("x", count)};
             }}};
}

class Doubling : public testing::Test {
  protected:
    void expect_proportional(const std::vector<Field>& fields) {
        for (const Field& field : fields) {
            EXPECT_TRUE(is_proportional([&](std::size_t size) { return time_of(field, size); }))
                << field.sentence;
        }
    }

    using Measure = std::function<double(std::size_t)>;

    bool is_proportional(const Measure& measure) {
        for (int i = 0; i < tries; ++i) {
            if (least_of(measure, 2 * count) <= most_times * least_of(measure, count) + noise) {
                return true;
            }
        }
        return false;
    }

  private:
    static constexpr std::size_t count = 20'000;
    // Four times as long is quadratic. Caches and a busy machine may make thrice of twice once, and
    // not each time.
    static constexpr double most_times = 3;
    static constexpr double noise = 500e-6;
    static constexpr int tries = 5;

    // The least of a few, in processor time of this thread: others that run do not count.
    static double least_of(const Measure& measure, std::size_t size) {
        double least = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 3; ++i) {
            least = std::min(least, measure(size));
        }
        return least;
    }

    double time_of(const Field& field, std::size_t size) {
        Request request;
        // Another batch each time: the answers to the last questions are known.
        request.options = {bench::option_prefix + "model=resnet50", bench::batch_option(++batch_),
                           bench::option_prefix + "gpus=1-8", bench::option_prefix + "elastic",
                           bench::option_prefix + "requeue"};
        request.job->script = daemon_string("#!/bin/sh\n");
        void* script = request.job->script;
        field.fill(request, size);
        if (request.job->script != script) {
            slurm_xfree(&script);
        }
        request.job.environment(request.environment);
        request.job.spank(request.options);
        char* message = nullptr;
        const double start = processor_time();
        handle(&place_.site(), *request.job, 1000, &message);
        const double taken = processor_time() - start;
        void* memory = message;
        slurm_xfree(&memory);
        return taken;
    }

    static domain::Snapshot snapshot() {
        domain::Snapshot made = bench::snapshot_of(64);
        for (domain::NodeState& state : made.states) {
            state.features = {"a100", "gpu"};
        }
        return made;
    }

    Place place_{snapshot(), "[submit]\nbudget = \"10 s\"\n"};
    int batch_ = 64;
};

TEST_F(Doubling, TextsThatAreNotReadCostNothing) {
    expect_proportional(texts_that_are_not_read());
}

TEST_F(Doubling, TextsCostByTheirLength) {
    expect_proportional(texts());
}

TEST_F(Doubling, EntriesOfTheJobControlEnvironmentCostByTheirNumber) {
    expect_proportional(entries_of_horas());
}

TEST_F(Doubling, VariablesCostByTheirNumber) {
    expect_proportional(environments());
}

TEST_F(Doubling, ATokenCostsByTheNumberOfItsItems) {
    const auto time_of_token = [](std::size_t items) {
        domain::Decision decision;
        decision.options.assign(items, {"hora-gpus", "1"});
        decision.changes.assign(items, {"environment", "", "A=1"});
        const double start = processor_time();
        EXPECT_LE(report::to_token(decision).size(), report::longest_token);
        return processor_time() - start;
    };
    EXPECT_TRUE(is_proportional(time_of_token));
}

}  // namespace
}  // namespace hora::submit
