// What every trainer of digits does once its ranks know each other.
#include "contrib/trainer/digits/train_digits.hpp"

#include "contrib/trainer/failure.hpp"

namespace hora::trainer {

int train_digits(Exchange& exchange, const Settings& settings,
                 const MakeDigitsLearner& make_learner) {
    const auto digits = read_digits(settings.data, settings.seed);
    if (has_failed(exchange, settings.program, digits)) {
        return 1;
    }
    return train(exchange, settings, [&](std::span<const std::uint64_t> shares) {
        return make_learner(*digits, shares);
    });
}

}  // namespace hora::trainer
