// Is each thing that a driver may lack or refuse said, and the rest taken?
#include "scripts/hora/machine/cuda_driver.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/hora/machine/stub_driver.hpp"
#include "tests/unit/scratch_folder.hpp"

namespace hora::scripts {
namespace {

using CudaDriverTest = tests::StubDriver;

TEST(CudaDriver, SaysWhyThereIsNone) {
    const tests::ScratchFolder folder;
    folder.write("text", "no library\n");
    folder.write("empty", "");
    struct Case {
        std::string library;
        const char* said;
    };
    const Case cases[] = {
        {folder.file("missing"), "there is no CUDA driver here: "},
        {folder.file("text"), "there is no CUDA driver here: "},
        {folder.file("empty"), "there is no CUDA driver here: "},
        {folder.path(), "there is no CUDA driver here: "},
        {"libm.so.6", "the CUDA driver \"libm.so.6\" is too old: it has no cuInit"},
    };
    for (const Case& row : cases) {
        const auto driver = CudaDriver::load(row.library.c_str());
        ASSERT_FALSE(driver) << row.library;
        EXPECT_TRUE(driver.error().message.starts_with(row.said)) << driver.error().message;
    }
}

TEST_F(CudaDriverTest, OfAMachineWithoutAGpuDoesNotStart) {
    set("STUB_CUDA", "none");
    const auto without = CudaDriver::load(library);
    ASSERT_FALSE(without);
    EXPECT_EQ(without.error().message,
              "cannot start CUDA: CUDA says \"no CUDA-capable device is detected\" (error 100)");
}

TEST_F(CudaDriverTest, HasTheAddressesOfItsGpus) {
    const auto devices = driver().devices();
    ASSERT_TRUE(devices) << devices.error().message;
    EXPECT_EQ(devices->size(), 4U);
    set("STUB_CUDA", "one");
    EXPECT_EQ(driver().devices()->size(), 1U);
}

TEST_F(CudaDriverTest, SaysAtWhichGpuItFailed) {
    const std::pair<const char*, const char*> cases[] = {
        {"1", "cannot count the GPUs: CUDA says \"something else\" (error 999)"},
        {"2", "cannot ask for GPU 0: CUDA says \"something else\" (error 999)"},
        {"3", "cannot ask for GPU 0: CUDA says \"something else\" (error 999)"},
        {"4", "cannot ask for GPU 1: CUDA says \"something else\" (error 999)"},
    };
    for (const auto& [call, said] : cases) {
        set("STUB_CUDA_FAILS", call);
        restart();
        const auto devices = driver().devices();
        ASSERT_FALSE(devices) << call;
        EXPECT_EQ(devices.error().message, said);
    }
}

TEST_F(CudaDriverTest, TakesNoBusIdThatIsNone) {
    const std::pair<const char*, const char*> cases[] = {
        {"", "\"\""},
        {"0000:03:00", "\"0000:03:00\""},
        {"0000:03:00.0\x1b[2J", "\"0000:03:00.0?[2J\""},
        {"0000:03:00.0 and much more than a bus id that is cut at its end, for it is long",
         "\"0000:03:00.0 and much more than a bus id that is cut at its en\""},
    };
    for (const auto& [text, shown] : cases) {
        set("STUB_CUDA_BUS_ID", text);
        const auto devices = driver().devices();
        ASSERT_FALSE(devices) << text;
        EXPECT_EQ(devices.error().message, std::string("CUDA gives GPU 0 the bus id ") + shown);
    }
}

}  // namespace
}  // namespace hora::scripts
