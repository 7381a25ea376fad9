// Does any entry of horad's journal, any list that an earlier horad left, or any word of a job's
// priority or its batch break its reader, or say something else when it is written again?
//
// The first line is the name of the list.
#include <cstdlib>

#include "plugins/slurm/jobs/batch_word.hpp"
#include "scripts/horad/journal/own_restarts.hpp"
#include "scripts/horad/journal/pending_journal.hpp"
#include "scripts/horad/journal/raised_priority.hpp"
#include "scripts/horad/journal/resize_journal.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

using namespace hora::horad;

template <class Item>
void check(std::string_view name, const std::string& text, const ListFormat<Item>& format,
           bool writes_what_it_reads = true) {
    if (name != format.name) {
        return;
    }
    if (format.earlier) {
        static_cast<void>(parse_earlier<Item>(text, format.what, format.earlier_key, format.read));
    }
    const auto item = parse_entry(text, format);
    if (!item || !writes_what_it_reads) {
        return;
    }
    const auto again = parse_entry(format.write(*item).dump(), format);
    if (!again || !(*again == *item)) {
        std::abort();
    }
}

void check_priority(std::string_view comment) {
    const std::string without = without_raised(comment);
    const auto raised = find_raised(comment);
    if (find_raised(without) || without.size() > comment.size()) {
        std::abort();
    }
    if (raised && find_raised(with_raised(comment, *raised)) != raised) {
        std::abort();
    }
    hora::slurm::Job job;
    job.admin_comment = comment;
    static_cast<void>(ask_whose(job));
    static_cast<void>(release_of(job));
    if (raised) {
        static_cast<void>(own_of(job, *raised));
        static_cast<void>(give_back(job, *raised));
    }
}

void check_batch(std::string_view comment) {
    constexpr std::uint64_t most = 1'000'000'000;
    const auto batch = hora::slurm::batch_word(comment);
    const std::string without = hora::slurm::with_batch(comment, 0);
    if (hora::slurm::batch_word(without) || without.size() > comment.size() ||
        (batch && (*batch < 1 || *batch > most))) {
        std::abort();
    }
    if (batch && hora::slurm::batch_word(hora::slurm::with_batch(comment, *batch)) != batch) {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = hora::fuzz::text_of(data, size);
    const std::string_view list = hora::fuzz::take_until(text, '\n');
    const std::string entry(text);
    check(list, entry, list_of_resizes);
    check(list, entry, list_of_pending_changes);
    check(list, entry, list_of_given_sizes);
    check(list, entry, list_of_replaced_plans, false);
    check(list, entry, list_of_restarts);
    if (list == "priority") {
        check_priority(text);
        check_batch(text);
    }
    return 0;
}
