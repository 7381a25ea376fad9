// By whose word is the noise scale of a job known?
#include "scripts/horad/progress/noise_scales.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace hora::horad {
namespace {

ObservedJob job_of(std::uint32_t uid, const char* model, std::optional<std::uint64_t> stated = {}) {
    JobMemory memory;
    memory.options.batch = 64;
    memory.options.max_batch = 512;
    memory.options.noise_scale = stated;
    if (model != nullptr) {
        memory.options.model = model;
    }
    ObservedJob job;
    job.uid = uid;
    job.memory = std::make_shared<const JobMemory>(memory);
    return job;
}

TEST(NoiseScales, AreRoundedToPowersOfTheSquareRootOfTwo) {
    EXPECT_EQ(rounded_noise_scale(0), 0);
    EXPECT_EQ(rounded_noise_scale(1), 1);
    EXPECT_EQ(rounded_noise_scale(1024), 1024);
    EXPECT_EQ(rounded_noise_scale(1200), 1024);
    EXPECT_NEAR(rounded_noise_scale(1300), 1448.2, 0.1);
}

TEST(NoiseScales, AreOfTheJobItselfThenOfItsOwnerThenOfAnotherJob) {
    NoiseScales scales;
    const ObservedJob job = job_of(1000, "resnet50");
    JobReports reports;
    EXPECT_EQ(scales.range_of(job, nullptr), (elastic::BatchRange{64, 512, 0}));
    EXPECT_EQ(scales.range_of(job, &reports).noise_scale, 0) << "it has said nothing yet";
    const ObservedJob stating = job_of(1000, "resnet50", 2048);
    EXPECT_EQ(scales.range_of(stating, nullptr).noise_scale, 2048);
    reports.noise_scale = 256;
    EXPECT_EQ(scales.range_of(stating, &reports).noise_scale, 256);
    EXPECT_EQ(scales.range_of(job, nullptr).noise_scale, 256) << "of another job of the model";
    EXPECT_EQ(scales.range_of(job_of(1000, "vgg16"), nullptr).noise_scale, 0);
    EXPECT_EQ(scales.range_of(job_of(1001, "resnet50"), nullptr).noise_scale, 0)
        << "another user's word is not taken";
}

TEST(NoiseScales, OfAJobThatNamesNoModelServeNoOther) {
    NoiseScales scales;
    JobReports reports;
    reports.noise_scale = 256;
    EXPECT_EQ(scales.range_of(job_of(1000, nullptr), &reports).noise_scale, 256);
    EXPECT_EQ(scales.range_of(job_of(1000, nullptr), nullptr).noise_scale, 0);
}

}  // namespace
}  // namespace hora::horad
