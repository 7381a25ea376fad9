// Sums over one digit of the ranks' numbers after the other.
#include "plugins/mpi/allreduce/levels.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace hora::mpi {

Levels::Levels(const Reduction& reduction, std::uint32_t number, std::uint32_t rank,
               const std::vector<Level>& levels, std::uint32_t lanes, Outbox& outbox)
    : reduction_(reduction), number_(number), rank_(rank), levels_(levels), outbox_(outbox) {
    std::uint32_t stride = 1;
    for (const Level& level : levels_) {
        strides_.push_back(stride);
        stride *= level.factor;
    }
    lanes_.resize(lanes);
    missing_ = lanes;
    for (std::uint32_t number_of_lane = 0; number_of_lane < lanes; ++number_of_lane) {
        Lane& lane = lanes_[number_of_lane];
        lane.to_return = levels_.size();
        Range block = nearly_equal_part({0, reduction.count}, lanes, number_of_lane);
        for (std::size_t level = 0; level < levels_.size(); ++level) {
            lane.stages.push_back({.block = block});
            block = part(level, block, digit(level));
        }
    }
}

std::uint32_t Levels::digit(std::size_t level) const {
    return rank_ / strides_[level] % levels_[level].factor;
}

std::uint32_t Levels::peer(std::size_t level, std::uint32_t its_digit) const {
    return rank_ + its_digit * strides_[level] - digit(level) * strides_[level];
}

Range Levels::part(std::size_t level, const Range& block, std::uint32_t its_digit) const {
    return levels_[level].is_whole ? block
                                   : nearly_equal_part(block, levels_[level].factor, its_digit);
}

ItemHeader Levels::header(std::uint32_t lane, std::size_t level, ItemKind kind) const {
    return {.reduction = number_,
            .piece = lane,
            .first = static_cast<std::uint32_t>(level),
            .last = digit(level),
            .kind = kind};
}

// Of the levels before: in the message in which it was summed, or on the first level the caller's.
std::span<const std::byte> Levels::summed(const Lane& lane, Range of, Range elements) const {
    if (!lane.sum.message) {
        return reduction_.own(elements);
    }
    const std::size_t size = size_of(reduction_.element);
    return lane.sum.payload.subspan((elements.begin - of.begin) * size, elements.size() * size);
}

void Levels::start() {
    for (std::uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        begin_level(lane, 0);
    }
}

void Levels::begin_level(std::uint32_t lane_number, std::size_t level) {
    Lane& lane = lanes_[lane_number];
    if (level == levels_.size()) {
        return finish_lane(lane_number);
    }
    Stage& stage = lane.stages[level];
    stage.has_begun = true;
    if (levels_[level].is_whole && !lane.sum.message) {
        // From a copy: where `into` is `from`, the sum may be complete before all have this part.
        const auto own = reduction_.own(stage.block);
        lane.sum.message = std::make_shared<Buffer>();
        lane.sum.message->bytes = std::make_unique_for_overwrite<std::byte[]>(own.size());
        lane.sum.payload = {lane.sum.message->bytes.get(), own.size()};
        std::ranges::copy(own, lane.sum.payload.data());
    }
    const std::uint32_t factor = levels_[level].factor;
    for (std::uint32_t distance = 1; distance < factor; ++distance) {
        const std::uint32_t to = (digit(level) + distance) % factor;
        outbox_.send(peer(level, to), header(lane_number, level, ItemKind::partial),
                     summed(lane, stage.block, part(level, stage.block, to)), lane.sum.message);
    }
    add_parts(lane_number, level);
}

void Levels::accept(Arrived arrived) {
    const std::uint32_t lane_number = arrived.header.piece;
    const std::size_t level = arrived.header.first;
    const std::uint32_t from = arrived.header.last;
    if (lane_number >= lanes_.size() || level >= levels_.size() || from >= levels_[level].factor) {
        throw std::runtime_error("hora: the ranks reduce vectors of different lengths");
    }
    Stage& stage = lanes_[lane_number].stages[level];
    const bool is_sum = arrived.header.kind == ItemKind::result;
    const Range elements = part(level, stage.block, is_sum ? from : digit(level));
    if (arrived.payload.size() != reduction_.own(elements).size()) {
        throw std::runtime_error("hora: the ranks reduce vectors of different lengths");
    }
    if (is_sum) {
        outbox_.copy(arrived.payload, reduction_.result(elements));
        ++stage.sums;
        return return_sums(lane_number);
    }
    stage.waiting.emplace(from, std::move(arrived));
    if (stage.has_begun) {
        add_parts(lane_number, level);
    }
}

// In the order of the digits, into the memory of one of the messages.
void Levels::add_parts(std::uint32_t lane_number, std::size_t level) {
    Lane& lane = lanes_[lane_number];
    Stage& stage = lane.stages[level];
    const std::uint32_t own_digit = digit(level);
    const Range elements = part(level, stage.block, own_digit);
    const std::byte* const own = summed(lane, stage.block, elements).data();
    const auto missing_now = [&](std::uint32_t digit) {
        return elements.size() > 0 && digit != own_digit && !stage.waiting.contains(digit);
    };
    for (; stage.next < levels_[level].factor && !missing_now(stage.next); ++stage.next) {
        if (elements.size() == 0) {
            continue;
        }
        std::byte* const sum = stage.sum.payload.data();
        if (stage.next == own_digit) {
            if (stage.sum.message) {
                outbox_.reduce(reduction_, sum, sum, own, elements.size());
            }
            continue;
        }
        Arrived next = std::move(stage.waiting.extract(stage.next).mapped());
        std::byte* const part = next.payload.data();
        if (stage.sum.message) {
            outbox_.reduce(reduction_, sum, sum, part, elements.size());
            continue;
        }
        if (stage.next > 0) {  // the own part is the only one before
            outbox_.reduce(reduction_, part, own, part, elements.size());
        }
        stage.sum = std::move(next);
    }
    if (stage.next == levels_[level].factor) {
        lane.sum = std::move(stage.sum);
        begin_level(lane_number, level + 1);
    }
}

void Levels::finish_lane(std::uint32_t lane_number) {
    Lane& lane = lanes_[lane_number];
    const Stage& last = lane.stages.back();
    const Range elements = part(levels_.size() - 1, last.block, digit(levels_.size() - 1));
    if (elements.size() > 0) {
        outbox_.copy(lane.sum.payload, reduction_.result(elements));
    }
    lane.sum = {};
    lane.is_summed = true;
    return_sums(lane_number);
}

// From the last level to the first: what is complete goes to the other ranks of its level.
void Levels::return_sums(std::uint32_t lane_number) {
    Lane& lane = lanes_[lane_number];
    if (!lane.is_summed) {
        return;
    }
    for (; lane.to_return > 0; --lane.to_return) {
        const std::size_t level = lane.to_return - 1;
        if (levels_[level].is_whole) {
            continue;
        }
        Stage& stage = lane.stages[level];
        std::uint32_t expected = 0;
        for (std::uint32_t distance = 1; distance < levels_[level].factor; ++distance) {
            const std::uint32_t other = (digit(level) + distance) % levels_[level].factor;
            expected += part(level, stage.block, other).size() > 0 ? 1 : 0;
            if (!stage.is_returned) {
                outbox_.send(peer(level, other), header(lane_number, level, ItemKind::result),
                             reduction_.result(part(level, stage.block, digit(level))), nullptr);
            }
        }
        stage.is_returned = true;
        if (stage.sums < expected) {
            return;
        }
    }
    --missing_;  // once, for no sum of the lane is on its way any more
}

}  // namespace hora::mpi
