// A job whose true times are known, recorded by clocks that are wrong.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "libplanner/domain/rank_record.hpp"

namespace hora::trace {

// What a process's clock shows at a true time.
struct WrongClock {
    double offset = 0;
    double drift = 0;
    double shows(double time) const { return time + offset + drift * time; }
};

struct SyntheticJob {
    std::vector<domain::RankRecord> records;
    std::vector<WrongClock> clocks;

    explicit SyntheticJob(std::vector<WrongClock> wrong) : clocks(std::move(wrong)) {
        for (std::uint32_t rank = 0; rank < clocks.size(); ++rank) {
            domain::RankRecord record;
            record.host = "n1";
            record.rank = rank;
            record.operations = {"AllReduce", "Broadcast"};
            records.push_back(std::move(record));
        }
    }

    // In the records of these ranks; gives back its index in each.
    void add_communicator(const std::string& name, const std::vector<std::uint32_t>& ranks) {
        for (std::uint32_t i = 0; i < ranks.size(); ++i) {
            records[ranks[i]].communicators.push_back(
                {name, i, static_cast<std::uint32_t>(ranks.size()), 1});
        }
    }

    void call(std::uint32_t rank, const std::string& communicator, std::uint64_t sequence,
              double begin, double end, std::uint32_t operation = 0) {
        domain::RankRecord& record = records[rank];
        domain::RecordedCall one;
        while (record.communicators[one.communicator].name != communicator) {
            ++one.communicator;
        }
        one.operation = operation;
        one.sequence = sequence;
        one.begin = Seconds(clocks[rank].shows(begin));
        one.end = Seconds(clocks[rank].shows(end));
        record.calls.push_back(one);
    }
};

}  // namespace hora::trace
