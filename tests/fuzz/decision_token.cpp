// Does any administrator's comment, or any record of a plan, break what reads the decision in it?
#include "libplanner/read/state/decision_token.hpp"

#include <cstdlib>

#include "libplanner/report/jobs/decision_token.hpp"
#include "tests/fuzz/lines.hpp"

namespace {

// What is read can be written, and says the same when it is read again; a record that is too long
// is shortened once.
void check(const hora::domain::Decision& decision) {
    const auto once = hora::read::read_record(hora::report::to_record(decision));
    if (!once) {
        std::abort();
    }
    const std::string written = hora::report::to_record(*once);
    const auto again = hora::read::read_record(written);
    if (!again || hora::report::to_record(*again) != written ||
        written.size() > hora::report::longest_record) {
        std::abort();
    }
    const std::string token = hora::report::to_token(decision);
    const auto found = hora::read::find_decision("a " + token + " b");
    if (token.size() > hora::report::longest_token || token.find(' ') != token.npos || !found ||
        !*found) {
        std::abort();
    }
    const std::string word = hora::report::to_word("5f-1", decision);
    const auto brief = hora::read::find_plan_word(word);
    if (word.size() > hora::report::longest_word || !brief || brief->key != "5f-1") {
        std::abort();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = hora::fuzz::text_of(data, size);
    if (const auto decision = hora::read::read_record(text)) {
        check(*decision);
    }
    if (const auto decision = hora::read::find_decision(text); decision && *decision) {
        check(**decision);
    }
    const std::string_view word = hora::read::find_word(text);
    const auto plan = hora::read::find_plan_word(text);
    if (text.find(word) == text.npos || (!word.empty() && !hora::read::is_plan_word(word)) ||
        (plan && !hora::read::is_plan_key(plan->key))) {
        std::abort();
    }
    const std::string changed = hora::report::with_token(text, "hora=5f-1,act,none");
    if (hora::read::find_word(changed) != "hora=5f-1,act,none") {
        std::abort();
    }
    return 0;
}
