// Which rank says what went wrong?
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "contrib/trainer/exchange.hpp"
#include "contrib/trainer/say.hpp"

namespace hora::trainer {

// The exit code of a program that ends with this error.
inline int exit_code(const Error& error) {
    return error.kind == ErrorKind::wrong_use ? 2 : 1;
}

// Whether it failed on any rank, asked by all together. The first rank with an error prints it;
// where the ranks cannot ask each other any more, each speaks for itself.
template <class T>
bool has_failed(Exchange& exchange, const std::string& program, const Expected<T>& outcome) {
    const auto errors = exchange.gather(outcome ? 0 : 1);
    if (!errors) {
        say(stderr, "{}: {}\n", program,
            outcome ? errors.error().message : outcome.error().message);
        return true;
    }
    const auto first = std::ranges::find(*errors, std::uint64_t{1});
    if (!outcome && first - errors->begin() == exchange.rank()) {
        say(stderr, "{}: {}\n", program, outcome.error().message);
    }
    return first != errors->end();
}

}  // namespace hora::trainer
