// The operations on this CPU, one element after the other: what a GPU's are compared with.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

#include "contrib/nccl/arrays.hpp"

namespace hora::trainer {

struct HostQueue {
    template <class Operation>
    void for_each(std::size_t count, const Operation& operation) {
        for (std::size_t i = 0; i < count; ++i) {
            operation(i);
        }
    }

    template <class Term>
    void sum_each(std::size_t samples, const Term& term, double* sums) {
        for (std::size_t parameter = 0; parameter < Term::parameters; ++parameter) {
            double sum = 0;
            for (std::size_t i = 0; i < samples * Term::terms_of_sample; ++i) {
                sum += term(parameter, i);
            }
            sums[parameter] = sum;
        }
    }
};

class HostArrays {
  public:
    HostArrays(std::size_t images, std::size_t samples) {
        make_arrays(arrays_, images, samples,
                    [&](auto*& pointer, std::size_t count) { pointer = make(pointer, count); });
    }
    HostArrays(const HostArrays&) = delete;
    HostArrays& operator=(const HostArrays&) = delete;

    const Arrays& arrays() const { return arrays_; }

  private:
    double* make(double*, std::size_t count) { return doubles_.emplace_back(count).data(); }
    std::size_t* make(std::size_t*, std::size_t count) {
        return numbers_.emplace_back(count).data();
    }

    std::deque<std::vector<double>> doubles_;
    std::deque<std::vector<std::size_t>> numbers_;
    Arrays arrays_;
};

}  // namespace hora::trainer
