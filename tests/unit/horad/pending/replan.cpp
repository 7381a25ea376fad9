// When does a job that waits get a new plan, and what of its request changes?
#include "scripts/horad/pending/replan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "libplanner/plan/request.hpp"
#include "libplanner/report/jobs/decision_token.hpp"
#include "libplanner/request/planned.hpp"
#include "libplanner/request/stated_options.hpp"
#include "plugins/slurm/tres.hpp"
#include "plugins/slurm/version.hpp"
#include "scripts/horad/pending/own_request.hpp"
#include "scripts/horad/pending/rollback.hpp"
#include "tests/unit/request/cluster.hpp"

namespace hora::horad {
namespace {

constexpr std::uint32_t version = slurm::version_number(22, 5, 8);
constexpr std::int64_t submitted_at = 1000;
constexpr std::int64_t now = 2000;

struct OutlookCase {
    const char* sentence;
    Outlook own;
    double wait;
    Outlook other;
    bool is_better;
};

constexpr Outlook impossible{};
constexpr Outlook starts(double seconds) {
    return {.can_run = true, .waits = false, .length = Seconds(seconds)};
}
constexpr Outlook waits(double seconds) {
    return {.can_run = true, .waits = true, .length = Seconds(seconds)};
}

const OutlookCase outlooks[] = {
    {"nothing else is possible", waits(100), 1e6, impossible, false},
    {"what it waits for is gone, another queue is left", impossible, 0, waits(900), true},
    {"what it waits for is gone, other GPUs are free", impossible, 0, starts(900), true},
    {"it is gone, and so is all else", impossible, 0, impossible, false},
    {"it waits, and a slower plan could start", waits(100), 0, starts(150), false},
    {"it waits for long, and a slower plan could start", waits(100), 100, starts(150), true},
    {"it waits, and just not for long enough", waits(100), 64, starts(150), false},
    {"it waits, and could wait elsewhere", waits(300), 1e6, waits(100), false},
    {"it can start, and so can one 10 % faster", starts(110), 0, starts(100), false},
    {"it can start, and so can one 11 % faster", starts(111), 0, starts(100), true},
    {"what can start is not waited for", starts(100), 1e6, starts(100), false},
    {"it can start, and another would wait", starts(100), 0, waits(10), false},
    {"a plan that takes no time is none", waits(100), 0, starts(0), false},
};

TEST(Replan, takes_another_plan_where_that_ends_sooner) {
    for (const OutlookCase& test : outlooks) {
        const std::string why = why_change(test.own, Seconds(test.wait), test.other, 0.1);
        EXPECT_EQ(!why.empty(), test.is_better) << test.sentence << ": " << why;
    }
}

// A job as it waits, on the small cluster: submitted when `busy` GPUs were, now others are.
struct Scene {
    domain::Snapshot snapshot = request::small_cluster();
    read::Settings settings;
    domain::JobOptions options;
    request::Submission asked = request::batch_job();
    slurm::Job job;
    domain::Decision decision;

    Scene() {
        options.model = "resnet50";
        options.batch = 64;
        options.samples = 6400;
        options.epochs = 10;
        options.gpus = domain::GpuRange{1, 4};
    }

    void occupy(std::uint32_t first, std::uint32_t last, bool is_free = false) {
        for (domain::Gpu& gpu : snapshot.cluster.gpus) {
            if (gpu.node >= first && gpu.node <= last) {
                gpu.is_free = is_free;
            }
        }
    }
    void break_down(std::uint32_t first, std::uint32_t last) {
        for (std::uint32_t node = first; node <= last; ++node) {
            snapshot.states[node].is_usable = false;
        }
    }

    // What job_submit makes of it, and what slurmctld keeps of that.
    void submit() {
        const auto workload = request::workload_of(asked, options);
        const request::Planned planned =
            request::plan_request(asked, plan::request_of(options, **workload, settings), snapshot,
                                  {.now = submitted_at, .spell = slurm::gpu_spelling(version)});
        decision = planned.decision;
        ASSERT_TRUE(decision.has_plan) << decision.remark;
        decision.operating = "act";
        decision.options = {{"hora-model", "resnet50"}, {"hora-batch", "64"}};
        const request::Rewrite& rewrite = planned.rewrite;
        job.id = 7;
        job.uid = asked.uid;
        job.state = slurm::JobState::pending;
        job.priority = 100;
        job.eligible = submitted_at;
        job.partition = decision.partition;
        job.features = rewrite.features.value_or(asked.features);
        job.shape.nodes = *rewrite.min_nodes;
        job.max_nodes = *rewrite.max_nodes;
        job.shape.tasks = *rewrite.num_tasks;
        job.shape.tasks_per_node = *rewrite.ntasks_per_node;
        job.shape.cpus = *rewrite.min_cpus;
        job.shape.tres_per_node = *rewrite.tres_per_node;
        job.shape.cpus_per_task = rewrite.cpus_per_task.value_or(asked.cpus_per_task.value_or(0));
        job.admin_comment = "site=x " + report::to_token(decision);
    }

    // As slurmctld does: CPUs of a task that are not said stay.
    void take(slurm::JobShape shape) {
        shape.cpus_per_task =
            shape.cpus_per_task > 0 ? shape.cpus_per_task : job.shape.cpus_per_task;
        job.shape = std::move(shape);
    }

    Expected<std::optional<NewPlan>> again() const {
        return plan_anew(
            job, decision, options,
            {.snapshot = snapshot, .settings = settings, .now = now, .version = version});
    }
};

struct Case {
    const char* sentence;
    std::function<void(Scene&)> before;  // the submission
    std::function<void(Scene&)> since;
    const char* outcome;  // "N1 n1 gres:gpu:1 k80", "" for its own plan, or why it keeps that
};

std::string outcome_of(const Scene& scene) {
    const auto plan = scene.again();
    if (!plan) {
        return plan.error().message;
    }
    if (!*plan) {
        return {};
    }
    const slurm::JobChange& change = (*plan)->change;
    return "N" + std::to_string(change.shape->nodes) + " n" + std::to_string(change.shape->tasks) +
           " c" + std::to_string(change.shape->cpus) + " " + change.shape->tres_per_node + " " +
           (change.features == "" ? "any" : change.features.value_or("="));
}

const auto nothing = [](Scene&) {};
const auto all_busy = [](Scene& scene) { scene.occupy(0, 5); };
const auto titanx_gone = [](Scene& scene) { scene.break_down(0, 3); };

const Case cases[] = {
    {"nothing has changed", all_busy, nothing, ""},
    {"its type is gone for now: it queues for the other", all_busy, titanx_gone,
     "N1 n4 c8 gres:gpu:4 any"},
    {"its type is gone, the other is free", all_busy,
     [](Scene& scene) {
         scene.break_down(0, 3);
         scene.occupy(4, 5, true);
     },
     "N1 n4 c8 gres:gpu:4 any"},
    {"the other type is free and slower, and nobody knows how long its own takes", all_busy,
     [](Scene& scene) { scene.occupy(4, 5, true); }, ""},
    {"the same, but its own takes an hour", all_busy,
     [](Scene& scene) {
         scene.occupy(4, 5, true);
         scene.job.started = now + 3600;
     },
     "N1 n4 c8 gres:gpu:4 k80"},
    {"faster GPUs become free before it starts", [](Scene& scene) { scene.occupy(0, 3); },
     [](Scene& scene) { scene.occupy(0, 3, true); }, "N1 n4 c8 gres:gpu:4 titanx"},
    {"one that queues would only queue elsewhere", all_busy,
     [](Scene& scene) { scene.job.started = now + 3600; }, ""},
    {"an elastic one does not queue elsewhere",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.options.is_elastic = true;
     },
     titanx_gone, ""},
    {"an elastic one takes what is free",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.options.is_elastic = true;
     },
     [](Scene& scene) {
         scene.break_down(0, 3);
         scene.occupy(4, 5, true);
     },
     "N1 n4 c8 gres:gpu:4 any"},
    {"sizes keep to what its owner said",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.options.gpus = domain::GpuRange{1, 3};
         scene.options.sizes = {domain::SizeRule::Kind::powers, {}};
     },
     [](Scene& scene) {
         scene.break_down(0, 3);
         scene.occupy(4, 5, true);
     },
     "N1 n2 c4 gres:gpu:2 any"},
    {"its owner's own constraint holds",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.asked.features = "titanx";
     },
     titanx_gone, ""},
    {"its owner's number of GPUs holds",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.asked.gpus.per_job = 2;
         scene.asked.tres_per_job = "gres:gpu:2";
     },
     titanx_gone, "N1 n2 c4 gres:gpu:2 any"},
    {"a limit that is lower now holds", all_busy,
     [](Scene& scene) {
         scene.break_down(0, 3);
         domain::Allowance allowance;
         allowance.qos = "normal";
         allowance.per_job.gpus = 2;
         scene.snapshot.allowances.push_back(allowance);
     },
     "N1 n2 c4 gres:gpu:2 any"},
    {"one whose script knows that it is alone stays so",
     [](Scene& scene) {
         scene.occupy(0, 5);
         scene.options.gpus = domain::GpuRange{1, 4};
         scene.options.mode = domain::Mode::independent;
     },
     titanx_gone, "N1 n1 c2 gres:gpu:1 any"},
    {"somebody changed its GPUs", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.job.shape.tres_per_node = "gres:gpu:1";
     },
     "its tres_per_node is not as Hora left it"},
    {"somebody changed its nodes", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.job.shape.nodes = 2;
     },
     "its min_nodes is not as Hora left it"},
    {"somebody took its constraint off", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.job.features = "";
     },
     "its features is not as Hora left it"},
    {"somebody put it into another partition", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.job.partition = "q";
     },
     "its partition is not as Hora left it"},
    {"the newer spelling of GPUs is no change", all_busy,
     [](Scene& scene) { scene.job.shape.tres_per_node = "gres/gpu:4"; }, ""},
    {"it has run before", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.job.restarts = 1;
     },
     "it has run already"},
    {"it was planned in observe", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.decision.operating = "observe";
     },
     "Hora did not write its request"},
    {"unequal shares stand in its environment", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.decision.mode = domain::Mode::balanced;
     },
     "its script knows the shares of its GPUs"},
    {"a file of a model is its owner's", all_busy,
     [](Scene& scene) {
         titanx_gone(scene);
         scene.options.model = "/home/ann/net.onnx";
     },
     "its model is a file, which only its owner's submission read"},
    {"nothing is left at all", all_busy, [](Scene& scene) { scene.break_down(0, 5); }, ""},
};

TEST(Replan, changes_what_has_to_change) {
    for (const Case& test : cases) {
        SCOPED_TRACE(test.sentence);
        Scene scene;
        test.before(scene);
        scene.submit();
        test.since(scene);
        EXPECT_EQ(outcome_of(scene), test.outcome);
    }
}

TEST(Replan, changes_only_the_request_that_it_has_seen) {
    Scene scene;
    all_busy(scene);
    scene.submit();
    titanx_gone(scene);
    const auto plan = scene.again();
    ASSERT_TRUE(plan && *plan);
    ASSERT_TRUE((*plan)->change.seen);
    EXPECT_TRUE(slurm::still_asks_for(*(*plan)->change.seen, scene.job));
}

TEST(Replan, keeps_the_rate_that_the_script_was_told) {
    for (const auto& [at_submission, later] : {std::pair{0.5, "0.01"}, std::pair{1.0, "0.05"}}) {
        Scene scene;
        scene.options.model = "p4-rnn-lm";
        scene.options.gpus = domain::GpuRange{4, 4};
        scene.options.accepts_sampling = true;
        const auto set_least = [&](std::string_view rate) {
            return scene.settings
                .set("plan.min_sample_rate", rate, read::Origin::command_line, "test")
                .has_value();
        };
        ASSERT_TRUE(set_least(fmt::format("{}", at_submission)));
        all_busy(scene);
        scene.submit();
        ASSERT_EQ(scene.decision.exchange.sample_rate, at_submission);
        ASSERT_TRUE(set_least(later));
        titanx_gone(scene);
        const auto plan = scene.again();
        ASSERT_TRUE(plan && *plan) << at_submission;
        EXPECT_EQ((*plan)->decision.exchange.sample_rate, at_submission);
    }
}

TEST(Replan, says_by_how_much_another_plan_is_better) {
    EXPECT_EQ(why_change(starts(150), Seconds(0), starts(100), 0.1),
              "the job ends 1.5 times as soon as with the plan before");
    EXPECT_EQ(why_change(waits(9e6), Seconds(0), starts(100), 0.1),
              "the job ends more than 100 times as soon as with the plan before");
}

std::size_t changes_of(const domain::Decision& decision, std::string_view field) {
    return static_cast<std::size_t>(
        std::count_if(decision.changes.begin(), decision.changes.end(),
                      [&](const domain::FieldChange& change) { return change.field == field; }));
}

TEST(Replan, keeps_what_the_script_was_told_and_says_it_once) {
    Scene scene;
    scene.occupy(0, 5);
    scene.submit();
    const std::size_t told = changes_of(scene.decision, "environment");
    ASSERT_GT(told, 0U);
    titanx_gone(scene);
    const auto plan = scene.again();
    ASSERT_TRUE(plan && *plan);
    EXPECT_EQ(changes_of((*plan)->decision, "environment"), told);
    EXPECT_EQ(changes_of((*plan)->decision, "cpus_per_task"),
              changes_of(scene.decision, "cpus_per_task"));
}

TEST(Replan, tells_the_owners_words_from_its_own) {
    Scene scene;
    scene.occupy(0, 5);
    scene.asked.features = "gpu";
    scene.submit();
    EXPECT_EQ(scene.job.features, "gpu&titanx");
    const auto own = own_request(scene.job, scene.decision);
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->features, "gpu");
    EXPECT_EQ(own->min_nodes, std::nullopt);
    EXPECT_EQ(own->tasks, std::nullopt);
    EXPECT_EQ(own->gpus, request::GpuRequest());
    EXPECT_EQ(own->cpus_per_task, 2U) << "the script has been told";
    EXPECT_EQ(standing_request(scene.job, *own).gpus.per_node, 4U);
}

TEST(Replan, keeps_one_task_a_node_for_a_launcher_and_lets_its_cpus_follow) {
    Scene scene;
    scene.occupy(0, 5);
    scene.asked.tasks_per_node = 1;
    scene.submit();
    ASSERT_EQ(scene.job.shape.tasks_per_node, 1U);
    ASSERT_EQ(scene.job.shape.cpus_per_task, 8U) << "of four GPUs";
    titanx_gone(scene);
    scene.options.is_elastic = true;
    for (domain::Gpu& gpu : scene.snapshot.cluster.gpus) {
        gpu.is_free = gpu.node == 4 && gpu.index < 2;
    }
    const auto plan = scene.again();
    ASSERT_TRUE(plan && *plan);
    const slurm::JobShape& shape = *(*plan)->change.shape;
    EXPECT_EQ(shape.nodes, 1U);
    EXPECT_EQ(shape.tres_per_node, "gres:gpu:2");
    EXPECT_EQ(shape.tasks, 1U);
    EXPECT_EQ(shape.tasks_per_node, 1U);
    EXPECT_EQ(shape.cpus_per_task, 4U);
    EXPECT_EQ(shape.cpus, 4U);
    EXPECT_EQ(changes_of((*plan)->decision, "cpus_per_task"), 1U);
}

TEST(Replan, writes_down_what_it_did_so_that_it_can_be_done_again) {
    Scene scene;
    scene.occupy(0, 5);
    scene.submit();
    scene.occupy(4, 5, true);
    scene.job.started = now + 3600;
    const auto plan = scene.again();
    ASSERT_TRUE(plan && *plan);
    const domain::Decision& decision = (*plan)->decision;
    EXPECT_EQ(decision.replanned.times, 1U);
    EXPECT_EQ(decision.replanned.when, now);
    EXPECT_EQ(decision.replanned.why, "it was expected to wait for 1 h, and these GPUs are free");
    EXPECT_EQ(decision.replanned.from.substr(0, 10), "4 x titanx");
    EXPECT_EQ((*plan)->change.admin_comment, std::nullopt) << "the word comes with its record";

    // Somebody else takes those, and the others become free.
    scene.take(*(*plan)->change.shape);
    scene.job.features = *(*plan)->change.features;
    scene.job.started = 0;
    scene.decision = decision;
    scene.occupy(4, 5);
    EXPECT_EQ(outcome_of(scene), "");
    scene.occupy(0, 3, true);
    EXPECT_EQ(outcome_of(scene), "N1 n4 c8 gres:gpu:4 titanx");
    EXPECT_EQ(scene.again().value().value().decision.replanned.times, 2U);
}

// A job that was planned anew, and what it asked for before.
struct Replaced {
    Scene scene;
    PendingRequest before;
    PendingChange change;

    Replaced() {
        scene.occupy(0, 5);
        scene.submit();
        before = request_of(scene.job);
        titanx_gone(scene);
        const auto plan = scene.again();
        change = change_of(1, scene.job, **plan, now);
        scene.take(*(*plan)->change.shape);
        scene.job.features = (*plan)->change.features.value_or(scene.job.features);
        scene.decision = (*plan)->decision;
        scene.job.admin_comment =
            report::with_token(scene.job.admin_comment, report::to_word("1a-2b", scene.decision));
        scene.job.priority = 0;  // slurmctld can never run it
        scene.job.hold = slurm::Hold::impossible;
    }
};

TEST(Replan, gives_a_job_its_old_request_back) {
    const Replaced replaced;
    EXPECT_EQ(replaced.change.before, replaced.before);
    ASSERT_TRUE(still_asks_for(replaced.change, request_of(replaced.scene.job)));
    const slurm::JobChange change = back_to(replaced.change, replaced.scene.job);
    EXPECT_EQ(change.shape, replaced.before.shape);
    EXPECT_EQ(change.features, replaced.before.features);
    EXPECT_EQ(change.prefer, std::nullopt) << "the plan said nothing of it";
    EXPECT_EQ(change.admin_comment, replaced.change.admin_comment);
    EXPECT_TRUE(change.is_of_impossible);
    EXPECT_EQ(change.priority, std::nullopt) << "slurmctld takes none of an impossible job";
}

TEST(Replan, leaves_what_others_wrote_since_where_it_takes_back) {
    Replaced replaced;
    replaced.scene.job.admin_comment += " ticket=12";
    EXPECT_EQ(back_to(replaced.change, replaced.scene.job).admin_comment,
              "site=x ticket=12 " + replaced.change.admin_comment.substr(sizeof "site=x"));
}

TEST(Replan, gives_a_job_its_old_word_back_of_either_kind) {
    for (const std::string& word :
         {report::to_word("3c-4d", Scene().decision), report::to_token(Scene().decision)}) {
        Replaced replaced;
        replaced.change.admin_comment = word + " site=x";
        EXPECT_EQ(back_to(replaced.change, replaced.scene.job).admin_comment, "site=x " + word);
    }
}

TEST(Replan, takes_back_nothing_that_its_owner_has_changed) {
    Replaced replaced;
    replaced.scene.job.shape.tres_per_node = "gres:gpu:1";
    EXPECT_FALSE(still_asks_for(replaced.change, request_of(replaced.scene.job)));
}

}  // namespace
}  // namespace hora::horad
