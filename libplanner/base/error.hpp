// What went wrong, where, and what to do: the one error type of Hora.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace hora {

// How the caller's exit code follows from an error (1 failed, 2 usage error).
enum class ErrorKind { failed, wrong_use };

struct Error {
    std::string message;  // starts lower case, no full stop, values in quotes
    ErrorKind kind = ErrorKind::failed;

    // The same error seen from further out: "device catalog: line 3: ...".
    Error within(std::string_view where) const {
        return {std::string(where) + ": " + message, kind};
    }
};

template <class T>
using Expected = tl::expected<T, Error>;

inline tl::unexpected<Error> unexpected(Error error) {
    return tl::unexpected<Error>(std::move(error));
}
inline tl::unexpected<Error> failure(std::string message) {
    return unexpected({std::move(message), ErrorKind::failed});
}
inline tl::unexpected<Error> wrong_use(std::string message) {
    return unexpected({std::move(message), ErrorKind::wrong_use});
}

}  // namespace hora
