// Does anything that a step's variables, /proc, or the program that reads models may say break its
// reader on a node?
#include <algorithm>
#include <cstdlib>
#include <functional>

#include "plugins/spank/job/job_record.hpp"
#include "plugins/spank/job/master_port.hpp"
#include "plugins/spank/job/step_layout.hpp"
#include "plugins/spank/model_reader.hpp"
#include "plugins/spank/process/left_processes.hpp"
#include "plugins/spank/process/process_list.hpp"
#include "plugins/spank/ring/cpu_mask.hpp"
#include "plugins/spank/ring/gpu_order.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

using namespace hora::spank;

void check(bool is_right) {
    if (!is_right) {
        std::abort();
    }
}

void check_records(std::string_view text) {
    if (const auto record = read_job_record(text)) {
        check(read_job_record(to_text(*record)) == record);
    }
    if (const auto gpus = read_node_gpus(text)) {
        check(read_node_gpus(to_text(*gpus)) == gpus);
    }
}

void check_lists(std::string_view text) {
    if (const auto tasks = read_tasks_per_node(text)) {
        check(!tasks->empty() && tasks->size() <= 1U << 20);
    }
    check(read_reserved_ports(text).size() <= 65535);
    for (const Cpus& mask : read_masks(text)) {
        check(!mask.empty() && std::ranges::is_sorted(mask, std::less_equal()) &&
              mask.size() <= 4 * text.size());
    }
    if (const auto gpus = read_gpu_list(text)) {
        check(gpus->size() <= 1024);
        std::vector<std::uint32_t> backwards;
        for (std::size_t i = gpus->size(); i > 0; --i) {
            backwards.push_back(static_cast<std::uint32_t>(i - 1));
        }
        const auto once = reorder(text, backwards);
        check(once && reorder(*once, backwards) == std::string(text));
    }
}

void check_process(std::string_view text) {
    if (const auto process = read_process(text)) {
        check(process->name.size() <= text.size());
    }
    const std::string container = job_container(text, 7);
    check(text.find(container) != text.npos &&
          (container.empty() || container.ends_with("/job_7")));
    static_cast<void>(is_in_step(text, container, "step_0"));
}

bool has_control(std::string_view text) {
    return std::ranges::any_of(text, [](char letter) {
        return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
    });
}

void check_model(std::string_view text) {
    const RunResult good{
        .end = RunEnd::exited, .code = 0, .output = std::string(text), .errors = {}};
    const ModelAnswer answer = judge("reader", good);
    check((answer.verdict == ModelVerdict::good) == answer.message.empty());
    const RunResult refused{
        .end = RunEnd::exited, .code = 2, .output = {}, .errors = std::string(text)};
    check(!has_control(judge("reader", refused).message));
    const RunResult remarked{
        .end = RunEnd::exited, .code = 0, .output = "2.fp32.m1.1.1", .errors = std::string(text)};
    const ModelAnswer open = judge("reader", remarked);
    check(open.verdict == ModelVerdict::good && !has_control(open.remark));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    check_records(text);
    check_lists(text);
    check_process(text);
    check_model(text);
    return 0;
}
