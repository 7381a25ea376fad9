// The driver that stands in for CUDA's, and what makes it fail.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "scripts/hora/machine/cuda_driver.hpp"

namespace hora::tests {

class StubDriver : public testing::Test {
  protected:
    static constexpr const char* library = "tests/cuda/.libs/libcuda.so";

    void SetUp() override {
        if (::access(library, R_OK) != 0) {
            GTEST_SKIP() << library << " is not built";
        }
        auto loaded = scripts::CudaDriver::load(library);
        ASSERT_TRUE(loaded) << loaded.error().message;
        driver_ = *loaded;
        void* const stub = ::dlopen(library, RTLD_NOW | RTLD_NOLOAD);
        restart_ = reinterpret_cast<long (*)()>(::dlsym(stub, "stub_cuda_restart"));
        ASSERT_NE(restart_, nullptr);
        restart_();
    }
    void TearDown() override {
        for (const char* const name :
             {"STUB_CUDA", "STUB_CUDA_FAILS", "STUB_CUDA_MILLISECONDS", "STUB_CUDA_BUS_ID"}) {
            ::unsetenv(name);
        }
    }

    const scripts::CudaDriver& driver() const { return *driver_; }
    // Counts its calls anew; how many things were not given back so far.
    long restart() const { return restart_(); }
    static void set(const char* name, const std::string& value) {
        ::setenv(name, value.c_str(), 1);
    }

  private:
    std::optional<scripts::CudaDriver> driver_;
    long (*restart_)() = nullptr;
};

}  // namespace hora::tests
