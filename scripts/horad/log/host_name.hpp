// How does this host call itself?
#pragma once

#include <unistd.h>

#include <array>
#include <string>

namespace hora::horad {

inline std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

}  // namespace hora::horad
