// Is every resize read as it was written, and is what was damaged refused?
#include "scripts/horad/journal/resize_json.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "tests/unit/any_number.hpp"
#include "tests/unit/horad/fake_slurm.hpp"

namespace hora::horad {
namespace {

using nlohmann::ordered_json;
using testing::any_number;

// What is wrong with it; "": nothing.
std::string problem_of(const ordered_json& written, ResizeEntry* entry = nullptr) {
    const auto object = nlohmann::json::parse(written.dump());
    read::JsonProblem problem;
    const ResizeEntry found = read_entry(
        read::JsonObject(object, "resize", read::JsonObject::only_one, problem), problem);
    if (entry != nullptr) {
        *entry = found;
    }
    return problem.is_there() ? problem.error().message : std::string();
}

ResizeEntry requeued() {
    ResizeEntry entry;
    entry.number = 1;
    entry.resize = {.job = 7, .from = 2, .to = 4, .sizes = {1, 2, 4}, .why = "idle GPUs"};
    entry.state = ResizeState::waiting_to_start;
    entry.was = shape_with(2);
    entry.wanted = shape_with(4);
    entry.priority = 1000;
    entry.raised = 5001;
    return entry;
}

std::uint32_t any_count() {
    return *rc::gen::oneOf(rc::gen::arbitrary<std::uint32_t>(),
                           rc::gen::element(0U, 1U, std::numeric_limits<std::uint32_t>::max()));
}

std::int64_t any_time() {
    return any_number(std::int64_t{0}, (std::int64_t{1} << 40) + 1);
}

slurm::JobShape any_shape() {
    const auto text = [] { return *rc::gen::string<std::string>(); };
    const auto ascii = [&] {
        std::string one = text();
        std::transform(one.begin(), one.end(), one.begin(),
                       [](char letter) { return static_cast<char>(letter & 0x7f); });
        return one;
    };
    return {.nodes = any_count(),
            .tasks = any_count(),
            .tasks_per_node = any_count(),
            .cpus = any_count(),
            .cpus_per_task = any_count(),
            .tres_per_node = ascii(),
            .tres_per_socket = ascii(),
            .sockets_per_node = any_count(),
            .cores_per_socket = any_count()};
}

std::uint64_t any_batch() {
    return any_number(std::uint64_t{0}, std::uint64_t{1'000'000'001});
}

ResizeEntry any_entry() {
    ResizeEntry entry;
    entry.number = any_number(std::uint64_t{0}, (std::uint64_t{1} << 53) + 1);
    entry.resize = {.job = any_count(),
                    .restarts = any_count(),
                    .from = any_count(),
                    .to = any_count(),
                    .min = any_count(),
                    .sizes = *rc::gen::arbitrary<std::vector<std::uint32_t>>(),
                    .why = "ä\n\"\\\t\x01",
                    .limit = {.is_lowered = *rc::gen::arbitrary<bool>(),
                              .stated_for = any_count(),
                              .longest = Seconds(static_cast<double>(any_count()))},
                    .is_manual = *rc::gen::arbitrary<bool>(),
                    .signal = static_cast<domain::CheckpointSignal>(any_number(
                        0, static_cast<int>(std::size(domain::checkpoint_signal_names)))),
                    .batch = any_batch()};
    entry.uid = any_count();
    entry.submitted = any_time();
    entry.where = "n[1-2]";
    entry.state =
        static_cast<ResizeState>(any_number(0, static_cast<int>(std::size(resize_state_names))));
    entry.was_pending = *rc::gen::arbitrary<bool>();
    entry.was = any_shape();
    entry.wanted = any_shape();
    entry.wanted_before = any_shape();
    entry.reserves_nodes = *rc::gen::arbitrary<bool>();
    entry.restarts = any_count();
    entry.max_nodes = any_count();
    entry.rest_of_request = "main\nafterok:8";
    entry.priority = any_count();
    entry.raised = any_count();
    entry.tries = any_count();
    entry.waits_until = any_time();
    entry.begins = any_time();
    entry.latest = any_time();
    entry.controller = any_time();
    entry.returned_for = "Resources";
    entry.has_fallen_back = *rc::gen::arbitrary<bool>();
    entry.began = any_time();
    entry.limit = Seconds(static_cast<double>(any_count()));
    entry.own_limit = Seconds(static_cast<double>(any_count()) / 7);
    entry.rest_of_limit = Seconds(static_cast<double>(any_count()));
    entry.next_limit = Seconds(static_cast<double>(any_count()) / 3);
    entry.batch_was = any_batch();
    entry.next_batch = any_batch();
    entry.asked = static_cast<double>(any_time()) / 7;
    entry.ready = static_cast<double>(any_time()) / 3;
    entry.runs = static_cast<double>(any_count());
    return entry;
}

RC_GTEST_PROP(ResizeJson, gives_back_what_it_was_given, ()) {
    const ResizeEntry entry = any_entry();
    ResizeEntry again;
    RC_ASSERT(problem_of(to_json(entry), &again) == "");
    RC_ASSERT(again == entry);
}

TEST(ResizeJson, misses_each_field_that_was_always_written) {
    // Those that an earlier horad did not write.
    const std::set<std::string> younger{"raised", "lowers_limit", "own_limit",
                                        "manual", "returned_for", "reserves_nodes",
                                        "signal", "where",        "batch"};
    const ordered_json whole = to_json(requeued());
    for (const auto& [key, value] : whole.items()) {
        ordered_json damaged = whole;
        damaged.erase(key);
        if (key == "raised") {  // what it brought along came with it
            for (const char* const other :
                 {"wanted_before", "requeued_restarts", "max_nodes", "rest_of_request"}) {
                damaged.erase(other);
            }
        } else if (key == "lowers_limit") {
            for (const char* const other : {"began", "limit", "next_limit"}) {
                damaged.erase(other);
            }
        } else if (key == "own_limit") {
            for (const char* const other : {"limit_requested", "longest_limit", "rest_of_limit"}) {
                damaged.erase(other);
            }
        } else if (key == "manual") {
            damaged.erase("controller");
        } else if (key == "batch") {
            damaged.erase("batch_was");
            damaged.erase("next_batch");
        }
        EXPECT_EQ(problem_of(damaged).empty(), younger.contains(key)) << key;
    }
}

TEST(ResizeJson, takes_no_value_of_another_kind) {
    const ordered_json whole = to_json(requeued());
    for (const auto& [key, value] : whole.items()) {
        for (const ordered_json& other :
             {ordered_json(nullptr), ordered_json(-1), ordered_json(1e300), ordered_json("queue"),
              ordered_json(std::vector<int>{-1}), ordered_json::object()}) {
            ordered_json damaged = whole;
            damaged[key] = other;
            const bool is_text = whole[key].is_string() && key != "state" && key != "signal";
            EXPECT_EQ(problem_of(damaged).empty(), is_text && other.is_string())
                << key << " " << other;
        }
    }
    ordered_json more = whole;
    more["more"] = 1;
    EXPECT_NE(problem_of(more), "");
    more = whole;
    more["was"]["more"] = 1;
    EXPECT_NE(problem_of(more), "");
    more = whole;
    more["sizes"] = {1, 4294967296};
    EXPECT_NE(problem_of(more), "");
    more["sizes"] = {1, 4294967295};
    EXPECT_EQ(problem_of(more), "");
    EXPECT_NE(problem_of(ordered_json::array()), "");
}

TEST(ResizeJson, knows_the_states_by_the_names_of_then) {
    const std::pair<const char*, ResizeState> names[] = {
        {"asked", ResizeState::queued},
        {"signalled", ResizeState::checkpoint_requested},
        {"sizing", ResizeState::updating_request},
        {"releasing", ResizeState::waiting_to_start},
        {"running", ResizeState::verifying},
    };
    for (const auto& [name, state] : names) {
        ordered_json object = to_json(requeued());
        object["state"] = name;
        ResizeEntry entry;
        EXPECT_EQ(problem_of(object, &entry), "") << name;
        EXPECT_EQ(entry.state, state) << name;
    }
}

// It gave each job the highest there is, and wrote down only the job's own.
TEST(ResizeJson, knows_what_an_earlier_horad_gave) {
    ordered_json object = to_json(requeued());
    for (const char* const key :
         {"raised", "wanted_before", "requeued_restarts", "max_nodes", "rest_of_request"}) {
        object.erase(key);
    }
    ResizeEntry entry;
    EXPECT_EQ(problem_of(object, &entry), "");
    EXPECT_EQ(entry.raised, slurm::top_priority);
    EXPECT_EQ(entry.restarts, 1U);
    object["was_pending"] = true;
    EXPECT_EQ(problem_of(object, &entry), "");
    EXPECT_EQ(entry.raised, 0U) << "a job that waited kept its own";
    object["was_pending"] = false;
    object["priority"] = 0;
    EXPECT_EQ(problem_of(object, &entry), "");
    EXPECT_EQ(entry.raised, 0U) << "not requeued yet";
}

}  // namespace
}  // namespace hora::horad
