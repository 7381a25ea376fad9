#include "plugins/slurm/collect/collect_limits.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace hora::slurm {
namespace {

// Of libslurm's, with elements that outlive it.
class SlurmList {
  public:
    SlurmList() : list_(slurm_list_create(nullptr)) {}
    SlurmList(const SlurmList&) = delete;
    SlurmList& operator=(const SlurmList&) = delete;
    ~SlurmList() { slurm_list_destroy(list_); }

    void add(void* element) { slurm_list_append(list_, element); }
    ListPointer get() const { return list_; }

  private:
    ListPointer list_;
};

struct Association {
    const char* account;
    const char* user;
    const char* partition;
    std::uint32_t default_qos;  // its id
    std::vector<const char*> may_use = {"1", "2"};
};

constexpr std::uint32_t none = 0;
constexpr std::uint32_t normal = 1;
constexpr std::uint32_t large = 2;
constexpr std::uint32_t small = 3;

// What slurmctld says of one user, ann, whose default account is "lab".
class Said {
  public:
    explicit Said(const std::vector<Association>& associations, bool has_normal) {
        add_qos(large, "large");
        add_qos(small, "small");
        if (has_normal) {
            add_qos(normal, "normal");
        }
        for (const Association& association : associations) {
            add(association);
        }
        user_.uid = 1000;
        user_.name = const_cast<char*>("ann");
        user_.default_acct = const_cast<char*>("lab");
        users_.add(&user_);
    }

    domain::User user() const {
        assoc_mgr_info_msg_t limits{};
        limits.assoc_list = association_list_.get();
        limits.qos_list = qos_list_.get();
        limits.user_list = users_.get();
        Collected collected;
        collect_limits(limits, collected);
        return collected.snapshot.users.at(0);
    }

  private:
    void add_qos(std::uint32_t id, const char* name) {
        slurmdb_qos_rec_t& qos = qos_.emplace_back();
        qos.id = id;
        qos.name = const_cast<char*>(name);
        qos.max_wall_pj = NO_VAL;
        qos_list_.add(&qos);
    }

    void add(const Association& given) {
        slurmdb_assoc_rec_t& association = associations_.emplace_back();
        association.id = static_cast<std::uint32_t>(associations_.size());
        association.acct = const_cast<char*>(given.account);
        association.user = const_cast<char*>(given.user);
        association.partition = const_cast<char*>(given.partition);
        association.def_qos_id = given.default_qos;
        association.max_wall_pj = NO_VAL;
        SlurmList& names = may_use_.emplace_back();
        for (const char* const name : given.may_use) {
            names.add(const_cast<char*>(name));
        }
        association.qos_list = names.get();
        association_list_.add(&association);
    }

    std::deque<slurmdb_qos_rec_t> qos_;
    std::deque<slurmdb_assoc_rec_t> associations_;
    std::deque<SlurmList> may_use_;
    slurmdb_user_rec_t user_{};
    SlurmList qos_list_;
    SlurmList association_list_;
    SlurmList users_;
};

struct Case {
    const char* sentence;
    std::vector<Association> associations;
    const char* qos;
    bool has_normal = true;
};

const Case cases[] = {
    {"the association's default QOS comes first",
     {{"root", nullptr, nullptr, small}, {"lab", "ann", nullptr, large}},
     "large"},
    {"without one it is the only QOS that the association may use",
     {{"root", nullptr, nullptr, small}, {"lab", "ann", nullptr, none, {"2"}}},
     "large"},
    {"of several it is the cluster's default, which the root association has",
     {{"root", nullptr, nullptr, small}, {"lab", "ann", nullptr, none}},
     "small"},
    {"an association that may use none has the cluster's default",
     {{"root", nullptr, nullptr, small}, {"lab", "ann", nullptr, none, {}}},
     "small"},
    {"the root user's own association is not the cluster's",
     {{"root", "root", nullptr, small}, {"lab", "ann", nullptr, none}},
     "normal"},
    {"another account's association is not the cluster's",
     {{"lab", nullptr, nullptr, small}, {"lab", "ann", nullptr, none}},
     "normal"},
    {"a default that is not known is passed over",
     {{"root", nullptr, nullptr, NO_VAL}, {"lab", "ann", nullptr, NO_VAL}},
     "normal"},
    {"without any the job has no QOS",
     {{"root", nullptr, nullptr, none}, {"lab", "ann", nullptr, none}},
     "",
     false},
    {"without an association it is the cluster's default",
     {{"root", nullptr, nullptr, small}, {"lab", "bob", nullptr, large}},
     "small"},
};

TEST(DefaultQos, IsTheOneThatSlurmTakes) {
    for (const Case& test : cases) {
        EXPECT_EQ(Said(test.associations, test.has_normal).user().default_qos, test.qos)
            << test.sentence;
    }
}

std::string other_qos(const std::vector<Association>& associations) {
    std::string text;
    for (const domain::DefaultQos& other : Said(associations, true).user().other_qos) {
        text += other.account + "/" + other.partition + "=" + other.qos + " ";
    }
    return text;
}

TEST(OtherQos, IsThatOfEachFurtherAssociationWhereOneDiffers) {
    const Association own{"lab", "ann", nullptr, large};
    EXPECT_EQ(other_qos({own}), "");
    EXPECT_EQ(other_qos({own, {"team", "ann", nullptr, large}}), "");
    EXPECT_EQ(other_qos({own, {"team", "bob", nullptr, small}}), "") << "another user's";
    EXPECT_EQ(other_qos({own, {"team", "ann", nullptr, small}}), "team/=small ");
    EXPECT_EQ(other_qos({{"lab", "ann", "p", small}, own}), "lab/p=small ");
    EXPECT_EQ(other_qos({own, {"team", "ann", nullptr, small}, {"team", "ann", "p", large}}),
              "team/=small team/p=large ");
}

}  // namespace
}  // namespace hora::slurm
