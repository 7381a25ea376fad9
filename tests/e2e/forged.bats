#!/usr/bin/env bats
# Does slurmctld stay up, and say something sensible, when a client makes Hora's entries up?

load cluster

setup_file() {
    cluster_up
    export forger=$HORA_BUILD/tests/e2e/forger
    [ ! -x "$forger" ] || "$forger" >"$work/answers" 2>&1
}

teardown_file() {
    cluster_down
}

setup() {
    # bats takes a skip in setup_file for a failure.
    [ -x "$forger" ] || skip "no forger in $HORA_BUILD"
    cd "$work" || return 1
}

answer_to() {
    sed -n "/^case $1\$/,/^accepted\|^refused/p" answers
}

is_accepted() {
    answer_to "$1" | grep -qE '^accepted [0-9]+$' || {
        answer_to "$1"
        return 1
    }
}

# is_refused CASE REASON: in one line of at most 400 letters, with a reason that matches.
is_refused() {
    answer_to "$1" | grep -qa '^refused ' &&
        answer_to "$1" | LC_ALL=C grep -qaE "^.{0,30}error: hora: .{0,100}$2.{0,300}\$" || {
        answer_to "$1"
        return 1
    }
}

@test "an honest request and entries of others are accepted" {
    for name in nothing-forged name-of-two-lines 20000-entries-of-others strange-submit-time empty-workload \
        the-same-option-50-times; do
        is_accepted "$name"
    done
}

@test "numbers that are none are refused by name, with what would be right" {
    for name in negative two-to-the-64 wrong-type not-a-number empty-value; do
        is_refused "$name" "--hora-batch: .*e\.g\. --hora-batch=256"
    done
    is_refused huge-gpus "--hora-gpus"
    is_refused reversed-gpus "--hora-gpus: .*ends below its start.*"
    is_refused switch-with-a-value "--hora-elastic"
}

@test "unknown options are refused" {
    is_refused unknown-name ".*bach.*did you mean.*"
    is_refused no-name ".*"
}

@test "more entries of Hora's than its client sends are refused" {
    for name in 5000-unknown-options the-same-option-5000-times 240000-options; do
        is_refused "$name" "more than 64 entries or 64 KiB of Hora's; give each option once"
    done
}

@test "a megabyte is refused in few words" {
    for name in megabyte-of-a-number megabyte-of-a-model megabyte-of-a-name \
        megabyte-of-a-workload; do
        is_refused "$name" .
    done
}

@test "letters of no language are refused or kept out of the record" {
    is_refused no-utf8-as-mode ".*"
    is_refused every-byte-as-model ".*"
    is_accepted no-utf8-as-model
    is_refused no-utf8-as-workload "HORA_WORKLOAD"
}

@test "workloads are checked again" {
    is_refused cut-workload "HORA_WORKLOAD"
    is_refused overflowing-workload "HORA_WORKLOAD"
}

# Before each was looked at once, such a request kept slurmctld for a minute.
@test "a request with 240,000 options holds no other submission up" {
    "$forger" 240000-options >crowd 2>&1 3>&- &
    for _ in 1 2 3; do
        as_user timeout 20 sbatch --parsable -o /dev/null --wrap true
    done
    wait_for_end "$!" 120
    grep -q '^refused' crowd
}

@test "the name of a job begins no line of slurmctld's log" {
    grep -q 'job "forged?fatal: forged?\[2J"' "$CLUSTER_DIR"/log/slurmctld.log
    ! grep -q 'hora.*forged$' "$CLUSTER_DIR"/log/slurmctld.log
}

@test "every case is answered, and the controller lives on" {
    assert_equal "$(grep -ac '^accepted\|^refused' answers)" "$(grep -ac '^case ' answers)"
    assert_equal "$(grep -ac '^case ' answers)" 31
    scontrol ping | grep -q "is UP"
    wait_for_job "$(submit --wrap true)" COMPLETED
    run hora explain "$(answer_to nothing-forged | sed -n 's/^accepted //p')" --json
    assert_equal "$status" 0
}
