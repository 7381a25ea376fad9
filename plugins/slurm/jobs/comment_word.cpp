// What has Hora written of a job into its administrator's comment, beside the words of others?
#include "plugins/slurm/jobs/comment_word.hpp"

#include <fmt/format.h>

namespace hora::slurm {

std::string without_word(std::string_view comment, std::string_view key) {
    std::string rest;
    bool is_first = true;
    for (const std::string_view word : read::split_words(comment, ' ')) {
        if (!word.starts_with(key)) {
            rest += is_first ? "" : " ";
            rest += word;
            is_first = false;
        }
    }
    return rest;
}

std::string with_word(std::string_view comment, std::string_view key, std::string_view value) {
    const std::string rest = without_word(comment, key);
    return fmt::format("{}{}{}{}", rest, rest.empty() ? "" : " ", key, value);
}

}  // namespace hora::slurm
