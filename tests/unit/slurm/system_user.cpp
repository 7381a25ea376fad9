// Is a user known whom the system has trouble to name, and is one asked for no more than needed?
#include "plugins/slurm/system_user.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pwd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <vector>

namespace {

constexpr uid_t odd_user = 4'000'000'001;
char odd_name[] = "odd";

// What the system answers when it is asked for that user: errors, and then the last one for ever.
std::vector<int> answers;
std::size_t asked = 0;
std::size_t needed = 0;  // bytes

}  // namespace

extern "C" int getpwuid_r(uid_t user, passwd* entry, char* buffer, std::size_t size,
                          passwd** found) {
    static const auto next =
        reinterpret_cast<decltype(&getpwuid_r)>(dlsym(RTLD_NEXT, "getpwuid_r"));
    if (user != odd_user) {
        return next(user, entry, buffer, size, found);
    }
    const int error = answers[std::min(asked, answers.size() - 1)];
    ++asked;
    *found = nullptr;
    if (error == 0 && size < needed) {
        return ERANGE;
    }
    if (error == 0) {
        *entry = {};
        entry->pw_name = odd_name;
        entry->pw_gid = 17;
        *found = entry;
    }
    return error;
}

namespace hora::slurm {
namespace {

TEST(SystemUser, IsAskedForUntilTheSystemKnows) {
    struct Case {
        const char* name;
        std::vector<int> answers;
        std::size_t needed;
        bool is_known;
        std::size_t most_asked;
    };
    const Case cases[] = {
        {"it knows", {0}, 0, true, 1},
        {"with a long entry", {0}, 100'000, true, 6},
        {"with an entry that is too long", {0}, std::size_t{1} << 30, false, 9},
        {"after a signal", {EINTR, EINTR, 0}, 0, true, 3},
        {"after a signal and with a long entry", {EINTR, 0, EINTR, 0}, 5'000, true, 4},
        {"it does not know", {ENOENT}, 0, false, 1},
        {"it cannot tell", {EIO}, 0, false, 1},
    };
    for (const Case& c : cases) {
        answers = c.answers;
        needed = c.needed;
        asked = 0;
        const auto user = find_user(odd_user);
        EXPECT_EQ(user.has_value(), c.is_known) << c.name;
        EXPECT_LE(asked, c.most_asked) << c.name;
        if (user) {
            EXPECT_EQ(user->name, "odd") << c.name;
            EXPECT_EQ(user->group, 17U) << c.name;
        }
        EXPECT_EQ(user_name(odd_user), c.is_known ? "odd" : "") << c.name;
    }
}

TEST(SystemUser, IsKnownToThisSystem) {
    EXPECT_EQ(user_name(0), "root");
    EXPECT_EQ(user_name(odd_user - 1), "");
}

}  // namespace
}  // namespace hora::slurm
