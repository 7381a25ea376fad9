// What does the helper program say of a model?
#include "plugins/spank/model_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "libplanner/read/model/workload_text.hpp"
#include "libplanner/read/quoted.hpp"

namespace hora::spank {
namespace {

constexpr int refused_code = 2;
constexpr std::size_t longest_remark = 512;

// The first line of the reader's own: others are of its libraries, or of what starts it.
std::string remark_of(std::string_view errors) {
    while (!errors.empty() && !errors.starts_with("hora: ")) {
        errors.remove_prefix(std::min(errors.find('\n'), errors.size() - 1) + 1);
    }
    return read::printable(first_line(errors), longest_remark);
}

}  // namespace

std::vector<std::string> reader_call(const std::string& reader, const std::string& model,
                                     const std::string& data_type) {
    std::vector<std::string> words{reader};
    if (!data_type.empty()) {
        words.insert(words.end(), {"--dtype", data_type});
    }
    words.insert(words.end(), {"--", model});
    return words;
}

ModelAnswer judge(const std::string& reader, const RunResult& result) {
    if (result.end == RunEnd::exited && result.code == refused_code && !result.errors.empty()) {
        return {ModelVerdict::refused, {}, first_line(result.errors)};
    }
    if (result.end != RunEnd::exited || result.code != 0) {
        return {ModelVerdict::no_reader, {}, trouble_of(reader, result)};
    }
    std::string text = result.output.substr(0, result.output.find('\n'));
    if (const auto workload = read::read_workload_text(text); !workload) {
        return {
            ModelVerdict::no_reader,
            {},
            fmt::format("{} gave no workload: {}", read::quoted(reader), workload.error().message)};
    }
    return {ModelVerdict::good, std::move(text), {}, remark_of(result.errors)};
}

}  // namespace hora::spank
