// Do traces and speeds say what their files say?
#include "libplanner/read/trace/job_trace.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hora::read {
namespace {

constexpr const char* speeds_text =
    "nodes,app,batch_size,gpus,iter_time_s,total_iters,remark\n"
    "1,net,64,2,1.0,10,x\n"
    "1,net,64,4,0.5,10,x\n"
    "2,net,64,4,0.8,10,x\n"
    "1,net,128,1,2,5,x\n";

std::vector<double> counts(const std::vector<Seconds>& times) {
    std::vector<double> all;
    for (const Seconds time : times) {
        all.push_back(time.count());
    }
    return all;
}

TEST(SpeedTable, FillsWhatLiesBetweenAndKeepsSpreadSizesApart) {
    const auto speeds = read_speed_table(speeds_text);
    ASSERT_TRUE(speeds.has_value()) << speeds.error().message;
    const domain::TrueSpeed& net = speeds->at({"", "net", 64});
    EXPECT_EQ(net.name, "net, batch 64");
    EXPECT_EQ(net.least, 2);
    ASSERT_EQ(net.epoch_seconds.size(), 4);
    EXPECT_EQ(net.epoch_seconds[1], Seconds(10));
    // Half the time on twice the GPUs: on that line 3 GPUs take 2/3 of it.
    EXPECT_NEAR(net.epoch_seconds[2].count(), 20.0 / 3, 1e-9);
    EXPECT_EQ(net.epoch_seconds[3], Seconds(5));
    ASSERT_EQ(net.spread.size(), 1);
    EXPECT_EQ(net.spread[0].nodes, 2);
    EXPECT_EQ(net.spread[0].epoch, Seconds(8));
    EXPECT_EQ(counts(speeds->at({"", "net", 128}).epoch_seconds), std::vector<double>{10});
    EXPECT_EQ(net.steps, 10);
    EXPECT_EQ(net.gradients, Bytes(0));
}

TEST(SpeedTable, TellsTheSizeOfGradients) {
    const auto speeds = read_speed_table(
        "app,batch_size,gpus,iter_time_s,total_iters,gradient_bytes\n"
        "net,64,1,1,20,44.7e6\n"
        "net,64,2,1,20,44.7e6\n");
    ASSERT_TRUE(speeds.has_value()) << speeds.error().message;
    EXPECT_EQ(speeds->at({"", "net", 64}).gradients, Bytes(44.7e6));
    EXPECT_EQ(speeds->at({"", "net", 64}).steps, 20);
    const auto bad = read_speed_table(
        "app,batch_size,gpus,iter_time_s,total_iters,gradient_bytes\nnet,64,1,1,20,45 MB\n");
    ASSERT_FALSE(bad.has_value());
    EXPECT_EQ(
        bad.error().message,
        "line 2: gradient_bytes \"45 MB\" is no size; give bytes, or 0 where it is not known");
}

struct Bad {
    const char* name;
    const char* text;
    const char* wanted;
};

TEST(SpeedTable, NamesTheLineOfWhatIsWrong) {
    const std::string head = "app,batch_size,gpus,iter_time_s,total_iters\n";
    const Bad cases[] = {
        {"no rows", "", "has no row below its first line"},
        {"no GPUs", "a,1,0,1,1\n", "line 2: gpus \"0\" is out of range; give 1 to 4096"},
        {"a time of nothing", "a,1,1,0,1\n",
         "line 2: iter_time_s \"0\" is no time; give seconds, at least 1e-09"},
        {"no number", "a,1,1,nan,1\n",
         "line 2: iter_time_s \"nan\" is no time; give seconds, at least 1e-09"},
        {"a size that is there twice", "a,1,2,1,1\na,1,2,3,1\n",
         "line 3: \"a\" with batch 1 on 2 GPUs is there twice"},
    };
    for (const Bad& each : cases) {
        SCOPED_TRACE(each.name);
        const auto speeds = read_speed_table(head + each.text);
        ASSERT_FALSE(speeds.has_value());
        EXPECT_EQ(speeds.error().message, each.wanted);
    }
}

TEST(JobTrace, OfApplicationsIsElasticWithinTheSpeeds) {
    const auto speeds = read_speed_table(speeds_text);
    const auto trace = read_job_trace(
        "batch_size,time,application,num_replicas,name\n64,9,net,3,late\n64,2,net,2,early\n",
        *speeds);
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    ASSERT_EQ(trace->jobs.size(), 2);
    const domain::TraceJob& first = trace->jobs[0];
    EXPECT_EQ(first.name, "early");
    EXPECT_EQ(first.submitted, Seconds(2));
    EXPECT_TRUE(first.is_elastic);
    EXPECT_EQ(first.requested, 2);
    EXPECT_EQ(first.min, 2);
    EXPECT_EQ(first.max, 4);
    EXPECT_EQ(trace->jobs[1].speed, first.speed);
    EXPECT_EQ(trace->speeds.size(), 1);
}

TEST(JobTrace, MayTrainWithAnyBatchOfItsApplication) {
    const auto speeds = read_speed_table(
        "app,batch_size,gpus,iter_time_s,total_iters\nnet,64,2,1,9\nnet,256,8,1,4\nnet,128,1,1,5\n"
        "other,32,1,1,1\n");
    ASSERT_TRUE(speeds.has_value()) << speeds.error().message;
    const std::string_view text =
        "batch_size,time,application,num_replicas,elastic\n64,1,net,2,yes\n64,2,net,2,no\n";
    const auto trace = read_job_trace(text, *speeds, true);
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    ASSERT_EQ(trace->ranges.size(), 1U);
    std::vector<std::uint64_t> batches;
    std::vector<std::uint32_t> least;
    for (const domain::BatchSpeed& known : trace->ranges[0]) {
        batches.push_back(known.batch);
        least.push_back(known.least);
        EXPECT_EQ(trace->speeds[known.speed].name, fmt::format("net, batch {}", known.batch));
    }
    EXPECT_EQ(batches, (std::vector<std::uint64_t>{64, 128, 256}));
    EXPECT_EQ(least, (std::vector<std::uint32_t>{2, 1, 8}));
    const domain::TraceJob& elastic = trace->jobs[0];
    EXPECT_EQ(elastic.range, 0U);
    EXPECT_EQ(elastic.min, 1U);
    EXPECT_EQ(elastic.max, 8U);
    EXPECT_EQ(trace->speeds[elastic.speed].name, "net, batch 64");
    EXPECT_FALSE(trace->jobs[1].range) << "it keeps to its request";
    EXPECT_TRUE(read_job_trace(text, *speeds)->ranges.empty());
}

TEST(JobTrace, OfDurationsIsRigid) {
    const auto trace = read_job_trace("vc,submit_s,gpus,duration_s\nx,5,3,7\ny,5,1,0\n", {});
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    const domain::TraceJob& job = trace->jobs[0];
    EXPECT_FALSE(job.is_elastic);
    EXPECT_EQ(job.group, "x");
    EXPECT_EQ(job.min, 3);
    EXPECT_EQ(job.max, 3);
    EXPECT_EQ(trace->speeds[job.speed].epoch_seconds[2], Seconds(7));
    EXPECT_GT(trace->speeds[trace->jobs[1].speed].epoch_seconds[0], Seconds(0));
}

TEST(JobTrace, SaysWhoIsElastic) {
    const auto speeds = read_speed_table(speeds_text);
    const auto trace = read_job_trace(
        "batch_size,time,application,num_replicas,elastic\n64,1,net,2,yes\n64,2,net,3,no\n"
        "64,3,net,2,\n64,4,net,2,yields\n",
        *speeds);
    ASSERT_TRUE(trace.has_value()) << trace.error().message;
    EXPECT_TRUE(trace->jobs[0].is_elastic);
    EXPECT_FALSE(trace->jobs[1].is_elastic);
    EXPECT_EQ(trace->jobs[1].min, 3);
    EXPECT_EQ(trace->jobs[1].max, 3);
    EXPECT_TRUE(trace->jobs[2].is_elastic);
    EXPECT_FALSE(trace->jobs[2].yields);
    EXPECT_TRUE(trace->jobs[3].is_elastic);
    EXPECT_TRUE(trace->jobs[3].yields);
    EXPECT_EQ(read_job_trace("elastic,submit_s,gpus,duration_s\nyes,5,3,7\n", {}).error().message,
              "line 2: an elastic job has an application, and no duration_s");
    EXPECT_TRUE(read_job_trace("elastic,submit_s,gpus,duration_s\nno,5,3,7\n", {}));
}

constexpr const char* typed_speeds =
    "app,batch_size,gpus,iter_time_s,total_iters,gpu_type\n"
    "net,64,1,1,10,a100\nnet,64,4,1,10,a100\nnet,64,2,3,10,t4\nnet,32,1,7,10,\n";

TEST(JobTrace, OfTypesHasTheSpeedsOfEachJobsType) {
    const std::vector<std::string> types{"t4", "a100"};
    const auto speeds = read_speed_table(typed_speeds, types);
    ASSERT_TRUE(speeds) << speeds.error().message;
    const auto trace = read_job_trace(
        "time,application,num_replicas,batch_size,GPU_type\n0,net,2,64,t4\n1,net,2,64,a100\n"
        "2,net,1,32,t4\n3,net,1,32,a100\n4,none,99,64,v100\n5,net,2,64,t4\n",
        *speeds, true, types);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->jobs.size(), 6U);
    const std::vector<domain::TraceJob>& jobs = trace->jobs;
    EXPECT_EQ(jobs[0].gpu_type, "t4");
    EXPECT_EQ(jobs[1].gpu_type, "a100");
    for (const domain::TraceJob& job : jobs) {
        EXPECT_EQ(trace->speeds[job.speed].gpu_type, job.gpu_type);
    }
    EXPECT_EQ(counts(trace->speeds[jobs[0].speed].epoch_seconds), (std::vector<double>{30, 30}));
    EXPECT_EQ(jobs[0].max, 2U);
    EXPECT_EQ(jobs[1].max, 4U);
    EXPECT_NE(jobs[2].speed, jobs[3].speed) << "each type's are its own, even where they are alike";
    EXPECT_EQ(jobs[5].speed, jobs[0].speed);
    EXPECT_EQ(jobs[4].gpu_type, "v100");
    EXPECT_EQ(jobs[4].requested, 99U) << "it needs no speeds, since the cluster cannot hold it";
    ASSERT_EQ(trace->ranges.size(), 2U);
    EXPECT_EQ(jobs[2].range, jobs[0].range);
    for (const domain::TraceJob& job : {jobs[0], jobs[1]}) {
        ASSERT_EQ(trace->ranges[*job.range].size(), 2U);
        for (const domain::BatchSpeed& known : trace->ranges[*job.range]) {
            EXPECT_EQ(trace->speeds[known.speed].gpu_type, job.gpu_type);
        }
    }
}

TEST(JobTrace, OfDurationsMayHaveTypes) {
    const std::vector<std::string> types{"t4", "a100"};
    const std::string text =
        "submit_s,gpus,duration_s,gpu_type\n5,3,7,t4\n5,1,1,v100\n6,1,1,a100\n";
    const auto trace = read_job_trace(text, {}, false, types);
    ASSERT_TRUE(trace) << trace.error().message;
    ASSERT_EQ(trace->jobs.size(), 3U);
    EXPECT_EQ(trace->jobs[2].gpu_type, "a100");
    EXPECT_EQ(trace->speeds[trace->jobs[2].speed].gpu_type, "a100");
    EXPECT_EQ(read_job_trace(text, {})->jobs[2].gpu_type, "")
        << "passed over where nodes are alike";
}

TEST(JobTrace, OfTypesNamesTheLineOfWhatIsWrong) {
    const std::vector<std::string> types{"t4", "a100"};
    const auto speeds = read_speed_table(typed_speeds, types);
    ASSERT_TRUE(speeds) << speeds.error().message;
    const Bad cases[] = {
        {"no column", "time,application,num_replicas,batch_size\n0,net,2,64\n",
         "line 1: has no column gpu_type; it has \"time\", \"application\", \"num_replicas\", "
         "\"batch_size\""},
        {"no type",
         "time,application,num_replicas,batch_size,gpu_type\n0,net,2,64,t4\n0,net,2,64,\n",
         "line 3: gpu_type is empty; name one of the cluster's types, t4, a100"},
        {"no speeds of the type",
         "time,application,num_replicas,batch_size,gpu_type\n0,net,2,128,t4\n",
         "line 2: application \"net\" with batch 128 is not among the speeds on GPUs of type t4, "
         "but with 32, 64"},
        {"more GPUs than the type's speeds",
         "time,application,num_replicas,batch_size,gpu_type\n0,net,4,64,t4\n",
         "line 2: 4 GPUs are requested, but the speeds of \"net, batch 64\" go from 2 to 2"},
    };
    for (const Bad& each : cases) {
        SCOPED_TRACE(each.name);
        const auto trace = read_job_trace(each.text, *speeds, false, types);
        ASSERT_FALSE(trace);
        EXPECT_EQ(trace.error().message, each.wanted);
    }
}

TEST(JobTrace, NamesTheLineOfWhatIsWrong) {
    const auto speeds = read_speed_table(speeds_text);
    EXPECT_EQ(
        read_job_trace("time,application,num_replicas,batch_size,elastic\n0,net,2,64,1\n", *speeds)
            .error()
            .message,
        "line 2: elastic is \"1\", none of yes, no, yields");
    const std::string head = "time,application,num_replicas,batch_size\n";
    const Bad cases[] = {
        {"no jobs", "", "has no job below its first line"},
        {"a negative time", "-1,net,2,64\n",
         "line 2: time \"-1\" is no time; give seconds, at least 0"},
        {"more than the speeds know", "0,net,2,64\n0,net,8,64\n",
         "line 3: 8 GPUs are requested, but the speeds of \"net, batch 64\" go from 2 to 4"},
        {"an unknown application", "0,nett,2,64\n",
         "line 2: application \"nett\" with batch 64 is not among the speeds"},
        {"an unknown batch", "0,net,2,65\n",
         "line 2: application \"net\" with batch 65 is not among the speeds, but with 64, 128"},
    };
    for (const Bad& each : cases) {
        SCOPED_TRACE(each.name);
        const auto trace = read_job_trace(head + each.text, *speeds);
        ASSERT_FALSE(trace.has_value());
        EXPECT_EQ(trace.error().message, each.wanted);
    }
}

}  // namespace
}  // namespace hora::read
