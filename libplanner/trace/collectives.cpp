// Which calls of the ranks were one collective?
#include "libplanner/trace/collectives.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace hora::trace {
namespace {

constexpr std::string_view together[] = {
    "AllGather", "AllReduce",     "Allgatherv",           "Alltoall", "Alltoallv", "Alltoallw",
    "Barrier",   "ReduceScatter", "Reduce_scatter_block",
};

struct Call {
    std::uint32_t communicator = 0;
    std::uint64_t sequence = 0;
    Part part;
};

// Numbers that communicators have in all records alike.
using Names = std::map<std::string_view, std::uint32_t>;

std::vector<Call> collective_calls(std::span<const domain::RankRecord> records) {
    Names names;
    std::vector<Call> calls;
    for (std::uint32_t r = 0; r < records.size(); ++r) {
        const domain::RankRecord& record = records[r];
        std::vector<std::uint32_t> numbers;
        for (const auto& communicator : record.communicators) {
            numbers.push_back(
                names.emplace(communicator.name, static_cast<std::uint32_t>(names.size()))
                    .first->second);
        }
        for (std::uint32_t c = 0; c < record.calls.size(); ++c) {
            const domain::RecordedCall& call = record.calls[c];
            if (!call.peer) {
                calls.push_back({numbers[call.communicator], call.sequence, {r, c}});
            }
        }
    }
    std::ranges::sort(calls, {}, [](const Call& call) {
        return std::tuple(call.communicator, call.sequence, call.part.record, call.part.call);
    });
    return calls;
}

const domain::RecordedCall& call_of(std::span<const domain::RankRecord> records, Part part) {
    return records[part.record].calls[part.call];
}

std::string_view operation_of(std::span<const domain::RankRecord> records, Part part) {
    return records[part.record].operations[call_of(records, part).operation];
}

// By one function on all ranks, and once on each.
bool is_one(std::span<const domain::RankRecord> records, std::span<const Call> calls) {
    for (std::size_t i = 1; i < calls.size(); ++i) {
        if (calls[i].part.record == calls[i - 1].part.record ||
            operation_of(records, calls[i].part) != operation_of(records, calls[0].part)) {
            return false;
        }
    }
    return true;
}

}  // namespace

bool ends_together(std::string_view operation) {
    return std::ranges::find(together, operation) != std::end(together);
}

Collectives match_collectives(std::span<const domain::RankRecord> records) {
    const std::vector<Call> calls = collective_calls(records);
    Collectives found;
    for (std::size_t i = 0; i < calls.size();) {
        std::size_t end = i;
        while (end < calls.size() && calls[end].communicator == calls[i].communicator &&
               calls[end].sequence == calls[i].sequence) {
            ++end;
        }
        const auto same = std::span(calls).subspan(i, end - i);
        if (is_one(records, same)) {
            const Part first = same.front().part;
            const std::uint32_t communicator = call_of(records, first).communicator;
            found.all.push_back(
                {found.parts.size(), same.size(),
                 same.size() == records[first.record].communicators[communicator].ranks,
                 ends_together(operation_of(records, first))});
            for (const Call& call : same) {
                found.parts.push_back(call.part);
            }
        }
        i = end;
    }
    return found;
}

}  // namespace hora::trace
