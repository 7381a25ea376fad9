// Does any text that claims to be a job's report, or the answer to one, do harm?
#include "plugins/slurm/report/report_message.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const auto report = hora::slurm::read_report(text)) {
        const auto again = hora::slurm::read_report(hora::slurm::to_text(*report));
        const bool is_same = again && *again == *report;
        if (!is_same || report->job == 0 || report->restarts > 0xffff) {
            std::abort();
        }
    }
    if (const auto answer = hora::slurm::read_answer(text); !answer) {
        if (hora::slurm::answer_text(answer).size() > hora::slurm::longest_answer) {
            std::abort();
        }
    }
    return 0;
}
