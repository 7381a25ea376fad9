// What the operators of onnx_indices.cpp pick and write, beside ONNX's own definitions of them.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/read/onnx/some_numbers.hpp"

namespace hora::read {
namespace {

const Numbers two_rows = table({2, 3}, {1, 2, 3, 4, 5, 6});
const Numbers cube = table({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});

const Row gathered[] = {
    {"an element", "GatherND", {two_rows, list({1, 0})}, {}, single(4)},
    {"elements", "GatherND", {two_rows, table({2, 2}, {0, 0, -1, -1})}, {}, list({1, 6})},
    {"rows", "GatherND", {two_rows, table({2, 1}, {1, 0})}, {}, table({2, 3}, {4, 5, 6, 1, 2, 3})},
    {"rows of tables",
     "GatherND",
     {cube, table({2, 1, 2}, {0, 1, 1, 0})},
     {},
     table({2, 1, 2}, {2, 3, 4, 5})},
    {"a row of each of a batch",
     "GatherND",
     {cube, table({2, 1}, {1, 0})},
     {{"batch_dims", {1}}},
     table({2, 2}, {2, 3, 4, 5})},
    {"several of each of a batch",
     "GatherND",
     {cube, table({2, 2, 2}, {0, 0, 1, 1, 0, 1, 1, 0})},
     {{"batch_dims", {1}}},
     table({2, 2}, {0, 3, 5, 6})},
    {"indices that are not known, or outside",
     "GatherND",
     {two_rows, table({4, 2}, {0, none, 2, 0, lowest, 0, 1, 1})},
     {},
     list({none, none, none, 5})},
    {"what is not known",
     "GatherND",
     {narrow(list({1, none})), table({2, 1}, {1, 0})},
     {},
     narrow(list({none, 1}))},
    {"nothing", "GatherND", {two_rows, table({0, 2}, {})}, {}, list({})},
    {"of nothing",
     "GatherND",
     {table({0, 2}, {}), table({1, 1}, {0})},
     {},
     table({1, 2}, {none, none})},
    {"a batch of none",
     "GatherND",
     {table({0, 2}, {}), table({0, 1}, {})},
     {{"batch_dims", {1}}},
     list({})},
};

TEST(OnnxIndices, PicksByRows) {
    check(gathered);
}

const Row scattered[] = {
    {"an element",
     "ScatterND",
     {two_rows, table({1, 2}, {1, -1}), list({9})},
     {},
     table({2, 3}, {1, 2, 3, 4, 5, 9})},
    {"a row",
     "ScatterND",
     {two_rows, list({0}), list({7, none, 9})},
     {},
     table({2, 3}, {7, none, 9, 4, 5, 6})},
    {"elements of a list",
     "ScatterND",
     {list({1, none, 3}), table({2, 1}, {1, 0}), list({8, 9})},
     {},
     list({9, 8, 3})},
    {"nothing", "ScatterND", {list({1, 2}), table({0, 1}, {}), list({})}, {}, list({1, 2})},
    {"the same twice",
     "ScatterND",
     {list({1, 2}), table({2, 1}, {0, 0}), list({9, 9})},
     {},
     list({9, 2})},
    {"which of two is last is not said",
     "ScatterND",
     {list({1, 2}), table({3, 1}, {0, 0, -2}), list({9, 8, 8})},
     {},
     list({none, 2})},
    {"a place that is not known may be any",
     "ScatterND",
     {list({1, 2}), table({2, 1}, {0, none}), list({9, 8})},
     {},
     list({none, none})},
};

TEST(OnnxIndices, WritesByRows) {
    check(scattered);
}

const Refused refused[] = {
    {"no data", "GatherND", {none, list({0})}},
    {"no indices", "GatherND", {list({1}), none}},
    {"a single index is no row", "GatherND", {list({1}), single(0)}},
    {"an element of a number", "GatherND", {single(1), list({0})}},
    {"rows longer than there are dimensions", "GatherND", {list({1}), list({0, 0})}},
    {"rows of nothing", "GatherND", {list({1}), table({1, 0}, {})}},
    {"a batch of indices alone",
     "GatherND",
     {two_rows, table({3, 1}, {0, 0, 0})},
     {{"batch_dims", {1}}}},
    {"as many dimensions of a batch as there are",
     "GatherND",
     {list({1}), table({1, 1}, {0})},
     {{"batch_dims", {1}}}},
    {"a batch of the indices' rows", "GatherND", {two_rows, list({0, 1})}, {{"batch_dims", {1}}}},
    {"less than no batch", "GatherND", {two_rows, list({0})}, {{"batch_dims", {-1}}}},
    {"the lowest of all", "GatherND", {two_rows, list({0})}, {{"batch_dims", {lowest}}}},
    {"more than may be",
     "GatherND",
     {table({1, 64}, Values(64, 1)), table({65, 1}, Values(65, 0))}},
    {"no updates", "ScatterND", {list({1}), list({0}), none}},
    {"updates of another length", "ScatterND", {two_rows, list({0}), list({1, 2})}},
    {"updates of another type", "ScatterND", {list({1}), table({1, 1}, {0}), narrow(list({1}))}},
    {"rows longer than the data", "ScatterND", {list({1}), table({1, 2}, {0, 0}), list({1})}},
    {"sums with what is there",
     "ScatterND",
     {list({1}), table({1, 1}, {0}), list({1})},
     {{"reduction", {0}}}},
};

TEST(OnnxIndices, LeavesWhatIsNotDefined) {
    check(refused);
}

// What is written at places that all differ is found there again, and nothing else has changed.
RC_GTEST_PROP(OnnxIndices, FindsWhatItWrote, ()) {
    const auto rows = *rc::gen::inRange<std::uint64_t>(1, 5);
    const auto columns = *rc::gen::inRange<std::uint64_t>(1, 5);
    Numbers data = counted(rows * columns);
    data.extents = {rows, columns};
    std::vector<std::uint64_t> places;
    for (std::uint64_t place = 0; place < rows * columns; ++place) {
        if (*rc::gen::arbitrary<bool>()) {
            places.insert(*rc::gen::arbitrary<bool>() ? places.begin() : places.end(), place);
        }
    }
    Numbers indices = table({places.size(), 2}, {});
    Numbers updates = list(Values(places.size(), 0));
    Values expected = data.values;
    for (std::size_t i = 0; i < places.size(); ++i) {
        indices.values.emplace_back(places[i] / columns);
        indices.values.emplace_back(static_cast<std::int64_t>(places[i] % columns) -
                                    static_cast<std::int64_t>(columns));
        updates.values[i] = 100 + static_cast<std::int64_t>(i);
        expected[places[i]] = updates.values[i];
    }
    const auto written = folded("ScatterND", {data, indices, updates});
    RC_ASSERT(written.has_value());
    RC_ASSERT(written->values == expected);
    const auto found = folded("GatherND", {*written, indices});
    RC_ASSERT(found.has_value());
    RC_ASSERT(found->extents == updates.extents);
    RC_ASSERT(found->values == updates.values);
}

}  // namespace
}  // namespace hora::read
