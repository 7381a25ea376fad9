// A site whose settings are the defaults, but that its state and its history lie in a folder.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/unit/scratch_folder.hpp"

namespace hora::tests {

class SiteFolder : public testing::Test {
  protected:
    SiteFolder() {
        ::setenv("HORA_CONF", "/dev/null", 1);
        ::setenv("HORA_CONF_HORAD_STATE", folder_.path().c_str(), 1);
        ::setenv("HORA_CONF_HISTORY_PATH", folder_.file("history.db").c_str(), 1);
    }
    ~SiteFolder() override {
        for (const char* const name :
             {"HORA_CONF", "HORA_CONF_HORAD_STATE", "HORA_CONF_HISTORY_PATH"}) {
            ::unsetenv(name);
        }
    }

    const ScratchFolder folder_;
};

}  // namespace hora::tests
