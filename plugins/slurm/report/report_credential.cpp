// Who wrote this report? The word of munge, which every node of a cluster trusts.
#include "plugins/slurm/report/report_credential.hpp"

#include <fmt/format.h>
#include <munge.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "libplanner/read/words.hpp"

namespace hora::slurm {
namespace {

struct Destroy {
    void operator()(munge_ctx_t context) const { munge_ctx_destroy(context); }
    void operator()(void* memory) const { std::free(memory); }
};
using Context = std::unique_ptr<std::remove_pointer_t<munge_ctx_t>, Destroy>;
using Memory = std::unique_ptr<void, Destroy>;

// What may be wrong, where munge's own words do not say it.
const char* question_of(munge_err_t code) {
    switch (code) {
        case EMUNGE_SOCKET:
        case EMUNGE_TIMEOUT:
            return "; is munged running?";
        case EMUNGE_CRED_EXPIRED:
        case EMUNGE_CRED_REWOUND:
            return "; do the clocks of the nodes differ?";
        case EMUNGE_CRED_INVALID:
            return "; do the nodes have the same munge.key?";
        default:
            return "";
    }
}

tl::unexpected<Error> problem(const char* what, munge_err_t code, const Context& context) {
    const char* const detail = munge_ctx_strerror(context.get());
    return failure(fmt::format("munge cannot {} a report: {}{}", what,
                               detail != nullptr ? detail : munge_strerror(code),
                               question_of(code)));
}

Expected<Context> open_context(const std::string& socket) {
    Context context(munge_ctx_create());
    if (!context) {
        return failure("munge has no memory for a credential");
    }
    if (!socket.empty()) {
        const munge_err_t code = munge_ctx_set(context.get(), MUNGE_OPT_SOCKET, socket.c_str());
        if (code != EMUNGE_SUCCESS) {
            return problem("reach its daemon for", code, context);
        }
    }
    return context;
}

}  // namespace

bool is_written_as_credential(std::string_view line) {
    constexpr std::string_view begin = "MUNGE:";
    constexpr std::string_view end = ":";
    if (line.size() <= begin.size() + end.size() || !line.starts_with(begin) ||
        !line.ends_with(end)) {
        return false;
    }
    line.remove_prefix(begin.size());
    line.remove_suffix(end.size());
    return std::all_of(line.begin(), line.end(), [](char letter) {
        return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
               (letter >= '0' && letter <= '9') || letter == '+' || letter == '/' || letter == '=';
    });
}

std::string munge_socket_of(std::string_view auth_info) {
    // The older form is the path and nothing else; so does Slurm tell them apart.
    return std::string(auth_info.find('=') == auth_info.npos ? auth_info
                                                             : read::value_in(auth_info, "socket"));
}

Expected<std::string> seal_report(const Report& report, const std::string& munge_socket) {
    const auto context = open_context(munge_socket);
    if (!context) {
        return unexpected(context.error());
    }
    const std::string text = to_text(report);
    char* credential = nullptr;
    const munge_err_t code =
        munge_encode(&credential, context->get(), text.data(), static_cast<int>(text.size()));
    const Memory owner(credential);
    if (code != EMUNGE_SUCCESS) {
        return problem("seal", code, *context);
    }
    return std::string(credential);
}

Expected<SignedReport> open_report(std::string_view credential, const std::string& munge_socket) {
    if (credential.size() > longest_credential) {
        return failure(
            fmt::format("the credential is longer than {} characters", longest_credential));
    }
    const auto context = open_context(munge_socket);
    if (!context) {
        return unexpected(context.error());
    }
    const std::string text(credential);
    void* payload = nullptr;
    int length = 0;
    uid_t uid = 0;
    gid_t gid = 0;
    const munge_err_t code =
        munge_decode(text.c_str(), context->get(), &payload, &length, &uid, &gid);
    const Memory owner(payload);
    if (code != EMUNGE_SUCCESS) {
        return problem("open", code, *context);
    }
    if (payload == nullptr || length <= 0) {
        return failure("the credential holds no report");
    }
    const auto report =
        read_report({static_cast<const char*>(payload), static_cast<std::size_t>(length)});
    if (!report) {
        return unexpected(report.error());
    }
    return SignedReport{*report, uid};
}

}  // namespace hora::slurm
