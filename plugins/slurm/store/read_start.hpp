// What does a file begin with, that others may make as long as they like?
#pragma once

#include <unistd.h>

#include <cstddef>
#include <string>

#include "plugins/slurm/store/descriptor.hpp"

namespace hora::slurm {

// At most so many bytes; what there is before an error, and nothing where it is not open.
inline std::string read_start(const Descriptor& file, std::size_t most) {
    std::string text(file.is_open() ? most : 0, '\0');
    std::size_t length = 0;
    ssize_t count = 0;
    while (length < text.size() &&
           (count = ::read(file.number(), text.data() + length, text.size() - length)) > 0) {
        length += static_cast<std::size_t>(count);
    }
    text.resize(length);
    return text;
}

}  // namespace hora::slurm
