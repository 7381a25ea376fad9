// What a trainer prints. No training ends because its output cannot be written, as on a full disk.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace hora::trainer {

// As fmt::print, which throws where it cannot write.
template <class... Arguments>
void say(std::FILE* file, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
    std::fwrite(text.data(), 1, text.size(), file);
}

}  // namespace hora::trainer
