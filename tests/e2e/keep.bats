#!/usr/bin/env bats
# Can a person run one end-to-end test, and look at the cluster of one that failed?

load cluster
load command

setup() {
    scratch
    check=$root/scripts/check
}
teardown() {
    cluster_down
    clean
}

# A file of tests outside the sources, as `check e2e --keep` makes one.
write_tests() {
    {
        printf 'BATS_TEST_DIRNAME=%q\n' "$BATS_TEST_DIRNAME"
        sed "s/^test /@test /" # bats would take the lines below for tests of this file
        cat "$BATS_TEST_DIRNAME/keep.bash"
    } >inner.bats
}

# run_tests COUNT: until so many are done; daemons that are kept would hold up the end of bats.
run_tests() {
    timeout 240 env -u BATS_TEST_TIMEOUT CLUSTER_DIR="$CLUSTER_DIR" HORA_BUILD="$build" \
        HORA_E2E_KEEP="$scratch/failed" bats --formatter tap inner.bats >inner.tap 2>&1 3>&- &
    inner=$!
    wait_for -t 200 grep -qE "^(not )?ok $1 " inner.tap
}

@test "what there is not is refused before anything is built" {
    run "$check" e2e nosuch
    assert_equal "$status" 2
    assert_contains "$output" "check: no end-to-end file 'nosuch'; there are: "
    assert_contains "$output" " keep.bats "
    run "$check" e2e keep nosuch
    assert_equal "$status" 2
    assert_contains "$output" "check: keep.bats has no test 'nosuch'; there are:"
    assert_contains "$output" "1	what there is not is refused before anything is built"
    run "$check" e2e keep.bats 99
    assert_equal "$status" 2
    run "$check" e2e keep --kepe
    assert_equal "$status" 2
    assert_contains "$output" "check: unknown option '--kepe'; see 'check --help'"
    run "$check" unit
    assert_equal "$status" 2
    assert_contains "$output" "check: unit takes one PATTERN"
    run "$check" unti
    assert_equal "$status" 2
    assert_contains "$output" "check: no part 'unti'; there are: units e2e"
}

@test "with --keep the cluster of a failed test stays as it is" {
    CLUSTER_DIR=$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")
    write_tests <<'END'
load cluster
setup_file() { cluster_up --without-hora --laboratory; }
teardown_file() { cluster_down; }
setup() { cd "$work" || return 1; }
teardown() { touch cleared; }
test "one" { true; }
test "two" { rm cleared && sbatch -o /dev/null --wrap 'sleep 1000' && false; }
test "three" { scancel --user=root; }
END
    run_tests 3
    kill "$inner"
    assert_equal "$(grep -cE '^(ok 1 one|not ok 2 two|ok 3 three # skip .*)$' inner.tap)" 3
    [ ! -e "$CLUSTER_DIR/work/cleared" ]
    assert_equal "$("$devcluster" run --dir "$CLUSTER_DIR" squeue --noheader | wc -l)" 1
}

@test "with --keep nothing stays of what went well" {
    CLUSTER_DIR=$(mktemp -d "${HORA_E2E_PREFIX:-/tmp/hora-e2e}.XXXXXX")
    write_tests <<'END'
load cluster
setup_file() { cluster_up --without-hora --laboratory; }
teardown_file() { cluster_down; }
test "one" { true; }
test "two" { skip "not here"; }
END
    run_tests 2
    wait_for_end "$inner"
    [ ! -e "$CLUSTER_DIR" ]
}
