// Are the owner's words told from Hora's, and is what anybody has changed since seen?
#include "scripts/horad/pending/own_request.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hora::horad {
namespace {

using request::Submission;

// A job that said nothing, as Hora rewrote it: two GPUs of n1.
struct Rewritten {
    slurm::Job job;
    domain::Decision decision;

    Rewritten() {
        job.id = 7;
        job.partition = "p";
        job.features = "titanx";
        job.shape = {.nodes = 1,
                     .tasks = 2,
                     .tasks_per_node = 2,
                     .cpus = 4,
                     .cpus_per_task = 2,
                     .tres_per_node = "gres:gpu:2",
                     .tres_per_socket = {},
                     .sockets_per_node = 0,
                     .cores_per_socket = 0};
        job.max_nodes = 1;
        decision.operating = "act";
        decision.partition = "p";
        decision.has_plan = true;
        decision.submitted = 900;
        decision.changes = {{"min_nodes", "", "1"},
                            {"max_nodes", "", "1"},
                            {"num_tasks", "", "2"},
                            {"ntasks_per_node", "", "2"},
                            {"cpus_per_task", "", "2"},
                            {"min_cpus", "1", "4"},
                            {"tres_per_node", "", "gres:gpu:2"},
                            {"features", "", "titanx"},
                            {"environment", "", "HORA_MODE=sync"}};
    }

    domain::FieldChange& change(std::string_view field) {
        for (domain::FieldChange& one : decision.changes) {
            if (one.field == field) {
                return one;
            }
        }
        return decision.changes.emplace_back(domain::FieldChange{std::string(field), "", ""});
    }

    // As if Hora had left the field alone.
    void leave(std::string_view field) {
        std::erase_if(decision.changes, [&](const auto& one) { return one.field == field; });
    }

    std::string problem() const {
        const auto own = own_request(job, decision);
        return own ? std::string() : own.error().message;
    }
};

TEST(OwnRequest, leaves_open_what_was_not_said) {
    const Rewritten one;
    const auto own = own_request(one.job, one.decision);
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->min_nodes, std::nullopt);
    EXPECT_EQ(own->max_nodes, std::nullopt);
    EXPECT_EQ(own->tasks, std::nullopt);
    EXPECT_EQ(own->tasks_per_node, std::nullopt);
    EXPECT_EQ(own->cpus_per_task, 2U) << "its script has been told";
    EXPECT_EQ(own->features, "");
    EXPECT_EQ(own->gpus, request::GpuRequest());
    EXPECT_EQ(own->submitted, 900);
    EXPECT_FALSE(own->has_own_layout);
}

TEST(OwnRequest, has_what_was_said_and_what_hora_left_as_it_was) {
    Rewritten one;
    one.change("min_nodes").before = "1";
    one.change("max_nodes").before = "4";
    one.leave("num_tasks");
    one.change("tres_per_node").before = "gres/gpu:titanx:1";
    one.change("features").before = "gpu";
    one.job.prefer = "new";
    const auto own = own_request(one.job, one.decision);
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->min_nodes, 1U);
    EXPECT_EQ(own->max_nodes, 4U);
    EXPECT_EQ(own->tasks, 2U);
    EXPECT_EQ(own->gpus.per_node, 1U);
    EXPECT_EQ(own->gpus.type, "titanx");
    EXPECT_EQ(own->features, "gpu");
    EXPECT_EQ(own->prefer, "new");
    EXPECT_EQ(own->tres_per_node, "gres/gpu:titanx:1");
}

TEST(OwnRequest, takes_numbers_that_are_none_for_not_said) {
    for (const char* const text : {"0", "-1", "many", "4294967296", "1.5", " 1"}) {
        Rewritten one;
        one.change("min_nodes").before = text;
        EXPECT_EQ(own_request(one.job, one.decision)->min_nodes, std::nullopt) << text;
    }
}

TEST(OwnRequest, is_not_told_where_somebody_has_changed_what_hora_set) {
    struct Case {
        const char* name;
        void (*change)(Rewritten& one);
        const char* field;  // "": it can be told
    };
    const Case cases[] = {
        {"nodes", [](Rewritten& one) { one.job.shape.nodes = 2; }, "min_nodes"},
        {"most nodes", [](Rewritten& one) { one.job.max_nodes = 0; }, "max_nodes"},
        {"tasks", [](Rewritten& one) { one.job.shape.tasks = 1; }, "num_tasks"},
        {"tasks of a node", [](Rewritten& one) { one.job.shape.tasks_per_node = 0; },
         "ntasks_per_node"},
        {"CPUs of a task", [](Rewritten& one) { one.job.shape.cpus_per_task = 4; },
         "cpus_per_task"},
        {"GPUs", [](Rewritten& one) { one.job.shape.tres_per_node = "gres:gpu:3"; },
         "tres_per_node"},
        {"the type of GPUs", [](Rewritten& one) { one.job.shape.tres_per_node = "gres:gpu:k80:2"; },
         "tres_per_node"},
        {"features", [](Rewritten& one) { one.job.features += "|k80"; }, "features"},
        {"the partition", [](Rewritten& one) { one.job.partition = "pp"; }, "partition"},
        {"the newer spelling of GPUs",
         [](Rewritten& one) { one.job.shape.tres_per_node = "gres/gpu:2"; }, ""},
        {"CPUs in all are slurmctld's own", [](Rewritten& one) { one.job.shape.cpus = 8; }, ""},
        {"one of several partitions", [](Rewritten& one) { one.job.partition = "q,p"; }, ""},
        {"what Hora has not set", [](Rewritten& one) { one.job.prefer = "new"; }, ""},
        {"the CPUs of a task as newer releases say them",
         [](Rewritten& one) { one.job.tres_per_task = "cpu=2"; }, ""},
    };
    for (const Case& each : cases) {
        Rewritten one;
        each.change(one);
        const std::string field = each.field;
        EXPECT_EQ(one.problem(), field.empty() ? field : "its " + field + " is not as Hora left it")
            << each.name;
    }
}

TEST(OwnRequest, takes_a_locality_constraint_that_was_dropped_for_horas) {
    Rewritten one;
    one.change("tres_per_socket").after = "gres:gpu:2";
    one.change("sockets_per_node").after = "1";
    EXPECT_EQ(one.problem(), "its tres_per_socket is not as Hora left it");
    one.decision.placement.relaxed = 1000;
    EXPECT_EQ(one.problem(), "");
    one.job.shape.tres_per_socket = "gres:gpu:2";
    EXPECT_EQ(one.problem(), "its tres_per_socket is not as Hora left it") << "set again";
}

TEST(OwnRequest, is_not_told_of_a_shape_that_the_owner_gave) {
    struct Case {
        const char* name;
        void (*change)(Rewritten& one);
        const char* problem;
    };
    constexpr const char* shape = "its owner gave it a shape";
    const Case cases[] = {
        {"GPUs of a task", [](Rewritten& one) { one.job.tres_per_task = "gres:gpu:1"; }, shape},
        {"GPUs of the job", [](Rewritten& one) { one.job.tres_per_job = "gres:gpu:2"; }, shape},
        {"GPUs of a socket", [](Rewritten& one) { one.job.shape.tres_per_socket = "gres:gpu:1"; },
         shape},
        {"GPUs of the job and of a node",
         [](Rewritten& one) {
             one.change("tres_per_job").before = "gres:gpu:2";
             one.change("tres_per_node").before = "gres:gpu:1";
         },
         shape},
        {"more than GPUs",
         [](Rewritten& one) { one.change("tres_per_node").before = "gres:gpu:1,gres:ssd:1"; },
         "it asks for more than GPUs of one type by the node"},
        {"two types",
         [](Rewritten& one) {
             one.change("tres_per_node").before = "gres:gpu:k80:1,gres:gpu:titanx:1";
         },
         "it asks for more than GPUs of one type by the node"},
        {"what cannot be read",
         [](Rewritten& one) { one.change("tres_per_node").before = "gres:gpu:::"; },
         "it asks for more than GPUs of one type by the node"},
        {"GPUs of the job, that Hora has given by the node",
         [](Rewritten& one) { one.change("tres_per_job").before = "gres:gpu:2"; }, ""},
    };
    for (const Case& each : cases) {
        Rewritten one;
        each.change(one);
        EXPECT_EQ(one.problem(), each.problem) << each.name;
    }
}

TEST(OwnRequest, lets_the_cpus_of_a_launcher_follow_where_hora_chose_them) {
    Rewritten one;
    one.leave("ntasks_per_node");
    one.job.shape.tasks_per_node = 1;
    EXPECT_EQ(own_request(one.job, one.decision)->cpus_per_task, std::nullopt);
    one.leave("cpus_per_task");
    EXPECT_EQ(own_request(one.job, one.decision)->cpus_per_task, 2U) << "its owner's";
    one.job.cpus_per_tres = "gres:gpu:3";
    EXPECT_EQ(own_request(one.job, one.decision)->cpus_per_gpu, 3U);
    EXPECT_EQ(own_request(one.job, one.decision)->cpus_per_task, std::nullopt);
}

TEST(OwnRequest, knows_sockets_that_hora_has_not_asked_for) {
    Rewritten one;
    one.job.shape.sockets_per_node = 2;
    EXPECT_TRUE(own_request(one.job, one.decision)->has_own_layout);
    one.change("sockets_per_node").after = "2";
    EXPECT_FALSE(own_request(one.job, one.decision)->has_own_layout);
    one.job.has_own_layout = true;
    EXPECT_TRUE(own_request(one.job, one.decision)->has_own_layout);
}

TEST(OwnRequest, stands_as_it_is_with_all_that_hora_set) {
    Rewritten one;
    one.change("features").before = "gpu";
    one.change("tres_per_job").before = "gres:gpu:2";
    one.job.shape.nodes = 3;
    one.decision.changes.front().after = "3";
    const auto own = own_request(one.job, one.decision);
    ASSERT_TRUE(own) << own.error().message;
    const Submission standing = standing_request(one.job, *own);
    EXPECT_EQ(standing.features, "titanx");
    EXPECT_EQ(standing.min_nodes, 3U);
    EXPECT_EQ(standing.max_nodes, 3U);
    EXPECT_EQ(standing.gpus.per_node, 2U);
    EXPECT_EQ(standing.gpus.per_job, std::nullopt);
    EXPECT_EQ(standing.tres_per_job, "");
    EXPECT_EQ(standing.tres_per_node, "gres:gpu:2");
    EXPECT_EQ(standing.submitted, own->submitted);
}

}  // namespace
}  // namespace hora::horad
