// For stand-ins of Slurm's functions whose arguments differ between releases.
#pragma once

namespace hora::tests {

// Of slurm_load_job: a number, or a step's id since 26.05.
template <class Function>
struct SecondArgument;
template <class Result, class First, class Second, class Third>
struct SecondArgument<Result(First, Second, Third)> {
    using Type = Second;
};

}  // namespace hora::tests
