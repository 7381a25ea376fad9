// Learns on a GPU, and sums gradients by NCCL while it still computes others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "contrib/nccl/arrays.hpp"
#include "contrib/nccl/buckets.hpp"
#include "contrib/nccl/communicator.hpp"
#include "contrib/nccl/gpu.hpp"
#include "contrib/nccl/gpu_queue.hpp"
#include "contrib/trainer/digits/digits_learner.hpp"

namespace hora::trainer {

class GpuLearner final : public DigitsLearner {
  public:
    struct Choice {
        std::uint64_t seed = 0;
        double rate = 0;
        std::size_t bucket_bytes = 0;  // least size of an exchange
        std::size_t most_samples = 0;  // of this rank in a step
    };
    static Expected<std::unique_ptr<GpuLearner>> make(const Digits& digits,
                                                      Communicator& communicator,
                                                      const Choice& choice);

    Expected<Sums> step(const Step& step) override;
    Expected<double> test(std::size_t first, std::size_t stride) override;
    Expected<State> state() override;
    Expected<void> start_from_first(const State& state) override;

  private:
    GpuLearner(const Digits& digits, Communicator& communicator, const Choice& choice);

    Expected<void> prepare();
    Expected<void> load_images();
    Expected<void> give_samples(std::size_t count);
    Expected<void> give_request(bool is_requested);
    Expected<void> learn_backwards(std::size_t samples);
    Expected<void> take(double* to, const double* from, std::size_t count);

    Communicator& communicator_;
    const Choice choice_;
    const std::size_t most_samples_;  // also of a test
    const std::vector<Bucket> buckets_;

    // Streams end before the memory that they work on.
    GpuMemory memory_;
    Arrays arrays_;
    std::size_t* samples_ = nullptr;  // pinned, as are these two: the GPU copies by itself
    double* request_ = nullptr;
    double* results_ = nullptr;
    Stream computing_;
    Stream exchanging_;
    std::vector<Event> computed_;  // a bucket each
    Event exchanged_;
};

}  // namespace hora::trainer
