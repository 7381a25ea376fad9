// What every trainer does once its ranks know each other.
#include "contrib/trainer/train.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <vector>

#include "contrib/trainer/failure.hpp"
#include "contrib/trainer/requests.hpp"
#include "contrib/trainer/say.hpp"
#include "contrib/trainer/shares.hpp"
#include "contrib/trainer/training.hpp"

namespace hora::trainer {
namespace {

constexpr std::uint64_t unsaid = ~std::uint64_t{0};

Expected<std::vector<std::uint64_t>> gather_shares(Exchange& exchange, const Settings& settings) {
    const auto shares = exchange.gather(settings.share.value_or(unsaid));
    if (!shares) {
        return unexpected(shares.error());
    }
    std::vector<std::optional<std::uint64_t>> asked;
    for (const std::uint64_t share : *shares) {
        asked.push_back(share == unsaid ? std::nullopt : std::optional(share));
    }
    return to_shares(asked, settings.batch);
}

Expected<void> check_noise(const Settings& settings, const Learner& learner) {
    if (!settings.smallest_batch || learner.measures_noise()) {
        return {};
    }
    return wrong_use(
        "this trainer does not measure the noise of its gradients, which a batch that changes "
        "needs; unset HORA_BATCH_MIN, or give the job one batch: --hora-batch=N");
}

}  // namespace

int train(Exchange& exchange, const Settings& settings, const MakeLearner& make_learner) {
    if (settings.checkpoints.empty()) {
        requests::stop_listening();
    }
    const auto shares = gather_shares(exchange, settings);
    if (has_failed(exchange, settings.program, shares)) {
        return shares ? 2 : exit_code(shares.error());
    }
    const auto learner = make_learner(*shares);
    if (has_failed(exchange, settings.program, learner)) {
        return 1;
    }
    if (has_failed(exchange, settings.program, check_noise(settings, **learner))) {
        return 2;
    }
    if (exchange.is_first()) {
        const Learner::Task task = (*learner)->task();
        say(stdout, "{}, {} parameters, batch {} on {} ranks ({})\n", task.data, task.parameters,
            settings.batch, exchange.size(), fmt::join(*shares, " "));
    }
    Training training(settings, exchange, **learner, *shares);
    if (!training.start()) {
        return 1;
    }
    if (const auto done = training.run(); !done) {
        say(stderr, "{}: {}\n", settings.program, done.error().message);
        return 1;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        say(stderr, "{}: not all of the output could be written\n", settings.program);
    }
    return 0;
}

}  // namespace hora::trainer
