// How do the ranks sum what they learned in a step: all of it, or the rows that matter (P4)?
#include "contrib/language-model/gradient_exchange.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "plugins/mpi/sampling/packed_rows.hpp"

namespace hora::trainer {
namespace {

std::optional<mpi::RowChoice> choice_for(std::uint32_t rows, double rate,
                                         const ExchangeChoice& choice) {
    if (rate >= 1) {
        return std::nullopt;
    }
    return mpi::RowChoice(rows, domain::shares_for(rows, rate, choice.frequent), choice.seed);
}

void clear(WordNetwork::Arrays& arrays) {
    for (std::vector<float>* const array : {&arrays.input, &arrays.inner, &arrays.output}) {
        std::ranges::fill(*array, 0.0F);
    }
}

void allreduce(std::span<float> values, MPI_Comm ranks) {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM,
                  ranks);
}

}  // namespace

GradientExchange::GradientExchange(WordNetwork& network, const ExchangeChoice& choice)
    : network_(network), choice_(choice) {
    const std::uint32_t words = network.sizes().vocabulary;
    inside_.choice = choice_for(words, choice.rate, choice);
    if (choice.way == ExchangeWay::hierarchy) {
        between_.choice = choice_for(words, choice.outer_rate, choice);
        make_groups();
    }
}

GradientExchange::~GradientExchange() {
    for (Level* const level : {&inside_, &between_}) {
        if (level->ranks != MPI_COMM_WORLD && level->ranks != MPI_COMM_NULL) {
            MPI_Comm_free(&level->ranks);
        }
    }
}

void GradientExchange::make_groups() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (choice_.group == 0) {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL,
                            &inside_.ranks);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, rank / choice_.group, rank, &inside_.ranks);
    }
    int in_group = 0;
    MPI_Comm_rank(inside_.ranks, &in_group);
    const bool is_first = in_group == 0;
    int groups = is_first ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &groups, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    has_groups_ = groups > 1;
    MPI_Comm_split(MPI_COMM_WORLD, is_first && has_groups_ ? 0 : MPI_UNDEFINED, rank,
                   &between_.ranks);
    if (is_first && has_groups_) {
        waiting_ = network_.zeros();
    }
}

GradientExchange::Rows GradientExchange::all_rows() const {
    std::vector<std::uint32_t> rows(network_.sizes().vocabulary);
    std::iota(rows.begin(), rows.end(), 0U);
    return {.input = rows, .output = rows};
}

// Of the input table no rows but the words' ever change.
GradientExchange::Rows GradientExchange::choose(const Level& level, std::uint64_t step,
                                                const mpi::WordSet& words) const {
    return level.choice ? Rows{.input = words.words(), .output = level.choice->choose(step, words)}
                        : all_rows();
}

std::span<float> GradientExchange::take(Arrays& from, const Rows& rows,
                                        std::vector<float>& buffer) const {
    const std::size_t width = network_.sizes().width;
    const std::size_t inner = from.inner.size();
    const std::size_t output = rows.output.size() * (width + 1);
    buffer.resize(inner + output + rows.input.size() * width);
    const std::span packed(buffer);
    std::ranges::copy(from.inner, packed.begin());
    std::ranges::fill(from.inner, 0.0F);
    mpi::take_rows(from.output, {.width = width + 1, .rows = rows.output}, packed.subspan(inner));
    mpi::take_rows(from.input, {.width = width, .rows = rows.input},
                   packed.subspan(inner + output));
    return packed;
}

void GradientExchange::add(Arrays& to, const Rows& rows, std::span<const float> packed,
                           float factor) const {
    const std::size_t width = network_.sizes().width;
    for (std::size_t i = 0; i < to.inner.size(); ++i) {
        to.inner[i] += factor * packed[i];
    }
    packed = packed.subspan(to.inner.size());
    mpi::add_rows(to.output, {.width = width + 1, .rows = rows.output}, packed, factor);
    packed = packed.subspan(rows.output.size() * (width + 1));
    mpi::add_rows(to.input, {.width = width, .rows = rows.input}, packed, factor);
}

void GradientExchange::sum(std::span<float> values) const {
    if (choice_.way != ExchangeWay::server) {
        allreduce(values, inside_.ranks);
        return;
    }
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const auto count = static_cast<int>(values.size());
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : values.data(), values.data(), count, MPI_FLOAT, MPI_SUM,
               0, MPI_COMM_WORLD);
    MPI_Bcast(values.data(), count, MPI_FLOAT, 0, MPI_COMM_WORLD);
}

void GradientExchange::exchange(std::uint64_t step, mpi::WordSet words, Arrays& gradient,
                                float rate) {
    if (inside_.choice || between_.choice) {
        const std::span<std::uint64_t> blocks = words.blocks();
        MPI_Allreduce(MPI_IN_PLACE, blocks.data(), static_cast<int>(blocks.size()), MPI_UINT64_T,
                      MPI_BOR, MPI_COMM_WORLD);
    }
    exchange(choose(inside_, step, words), has_groups_ ? choose(between_, step, words) : Rows{},
             gradient, rate);
    ++steps_;
    is_settled_ = !choice_.keeps;
    if (!choice_.keeps) {
        clear(gradient);
        if (waiting_) {
            clear(*waiting_);
        }
    }
}

void GradientExchange::exchange(const Rows& inside, const Rows& between, Arrays& gradient,
                                float rate) {
    const std::span<float> packed = take(gradient, inside, packed_);
    sum(packed);
    add(network_.parameters(), inside, packed, -rate);
    if (has_groups_) {
        exchange_between_groups(inside, between, rate);
    } else {
        bytes_ += packed.size_bytes();
    }
}

// A group has added what its own ranks learned, and receives what those of the others did.
void GradientExchange::exchange_between_groups(const Rows& inside, const Rows& between,
                                               float rate) {
    if (waiting_) {
        add(*waiting_, inside, packed_, 1);
        const std::span<const float> own = take(*waiting_, between, packed_);
        others_.assign(own.begin(), own.end());
        allreduce(others_, between_.ranks);
        std::ranges::transform(others_, own, others_.begin(), std::minus<>());
    }
    others_.resize(network_.inner_size() +
                   between.output.size() * (network_.sizes().width + std::size_t{1}) +
                   between.input.size() * network_.sizes().width);
    MPI_Bcast(others_.data(), static_cast<int>(others_.size()), MPI_FLOAT, 0, inside_.ranks);
    add(network_.parameters(), between, others_, -rate);
    bytes_ += others_.size() * sizeof(float);
}

double GradientExchange::bytes_per_step() const {
    return steps_ == 0 ? 0 : static_cast<double>(bytes_) / static_cast<double>(steps_);
}

void GradientExchange::settle(Arrays& gradient, float rate) {
    if (std::exchange(is_settled_, true) || (!inside_.choice && !between_.choice)) {
        return;
    }
    const Rows all = all_rows();
    exchange(all, all, gradient, rate);
}

}  // namespace hora::trainer
