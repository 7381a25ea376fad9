// What is a user shown on submit, and in how many lines?
#include "libplanner/report/jobs/notice.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace hora::report {
namespace {

domain::Decision planned() {
    domain::Decision decision;
    decision.operating = "act";
    decision.partition = "p";
    decision.has_plan = true;
    decision.mode = domain::Mode::sync;
    decision.gpus = 8;
    decision.nodes = 2;
    decision.step_seconds = Seconds(0.25);
    decision.uses = {{"titanx", FlopRate(1e12), domain::Bound::compute}};
    return decision;
}

struct Case {
    const char* sentence;
    std::function<void(domain::Decision&)> change;
    const char* notice;
};

const Case cases[] = {
    {"what was chosen", [](domain::Decision&) {},
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step"},
    {"and its time",
     [](domain::Decision& decision) {
         decision.seconds = Seconds(60);
         decision.nodes = 1;
         decision.uses.push_back({"k80", FlopRate(1e12), domain::Bound::compute});
     },
     "hora: 8 x titanx + k80 on 1 node, sync, 250 ms a step, about 1 min (41.4 s to 1 min 26 s; "
     "not measured here)"},
    {"in which format it counts",
     [](domain::Decision& decision) { decision.uses.front().takes_tf32 = true; },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step (convolutions in tf32)"},
    {"that it waits", [](domain::Decision& decision) { decision.waits = true; },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step; waits until they are free"},
    {"a place that is free",
     [](domain::Decision& decision) {
         decision.placement = {.promise = domain::Promise::guaranteed,
                               .what = "on one switch",
                               .is_enforced = true,
                               .is_free = true,
                               .wait = Seconds(90)};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step; on one switch"},
    {"a place that is not",
     [](domain::Decision& decision) {
         decision.placement = {.promise = domain::Promise::guaranteed,
                               .what = "on one switch",
                               .is_enforced = true,
                               .is_free = false,
                               .wait = Seconds(90)};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step; on one switch: waits for that, 1 min "
     "30 s at most"},
    {"a place that no job is held to",
     [](domain::Decision& decision) {
         decision.placement.promise = domain::Promise::preferred;
         decision.placement.what = "on one switch";
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step"},
    {"the runner-up alone",
     [](domain::Decision& decision) {
         decision.rejected = {
             {domain::Mode::independent, 1, "1 x k80 on n1", Seconds(300), "5.00 times as long"},
             {domain::Mode::async, 2, "2 x k80 on n1", Seconds(600), "10.0 times as long"}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step\n"
     "hora: runner-up: 1 x k80 on n1, independent, 5 min: 5.00 times as long"},
    {"one of which little is known",
     [](domain::Decision& decision) {
         decision.rejected = {{domain::Mode::sync, 2, "", std::nullopt, "all 2 are busy"}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step\n"
     "hora: runner-up: 2 GPUs, sync, --: all 2 are busy"},
    {"what to watch out for, and what to type",
     [](domain::Decision& decision) {
         decision.operating = "advise";
         decision.changes = {{"min_nodes", "", "2"}};
         decision.remark = "the data set is not known";
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step\n"
     "hora: the data set is not known; to get it, submit with -N2"},
    {"what to type",
     [](domain::Decision& decision) {
         decision.operating = "advise";
         decision.changes = {{"num_tasks", "", "8"},
                             {"min_nodes", "", "2"},
                             {"ntasks_per_node", "", "4"},
                             {"cpus_per_task", "", "3"},
                             {"tres_per_node", "", "gres/gpu:titanx:4"},
                             {"tres_per_job", "gres:gpu:8", ""},
                             {"tres_per_socket", "", "gres/gpu:2"},
                             {"sockets_per_node", "", "2"},
                             {"cores_per_socket", "", "6"},
                             {"features", "", "titanx&gpu"}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step\n"
     "hora: to get it, submit with -N2 --ntasks-per-node=4 -c3 --gres=gpu:titanx:4 "
     "--gpus-per-socket=2 --sockets-per-node=2 --cores-per-socket=6 -C 'titanx&gpu'"},
    {"as earlier releases spell it",
     [](domain::Decision& decision) {
         decision.operating = "advise";
         decision.changes = {{"tres_per_node", "", "gres:gpu:4"},
                             {"tres_per_socket", "", "gres:gpu:titanx:2"}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step\n"
     "hora: to get it, submit with --gres=gpu:4 --gpus-per-socket=titanx:2"},
    {"nothing where nothing would change",
     [](domain::Decision& decision) {
         decision.operating = "advise";
         decision.changes = {{"tres_per_job", "gres:gpu:8", ""}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step"},
    {"nor where it is done",
     [](domain::Decision& decision) {
         decision.changes = {{"min_nodes", "", "2"}};
     },
     "hora: 8 x titanx on 2 nodes, sync, 250 ms a step"},
};

TEST(Notice, HasThreeLinesAtMost) {
    for (const Case& test : cases) {
        domain::Decision decision = planned();
        test.change(decision);
        EXPECT_EQ(notice_of(decision, summary_of(decision)), test.notice) << test.sentence;
    }
}

TEST(Notice, IsOneLineInTheLog) {
    domain::Decision decision = planned();
    decision.rejected = {{domain::Mode::sync, 2, "", std::nullopt, "all 2 are busy"}};
    EXPECT_EQ(log_line(decision, "\"train\"", summary_of(decision)),
              "act: job \"train\" in partition \"p\": 8 x titanx on 2 nodes, sync, 250 ms a step");
    decision.has_plan = false;
    decision.remark = "no node is free";
    decision.partition = "p\nq";
    const std::string line = log_line(decision, "\"train\"", summary_of(decision));
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    EXPECT_TRUE(line.ends_with(": no plan: no node is free")) << line;
}

}  // namespace
}  // namespace hora::report
