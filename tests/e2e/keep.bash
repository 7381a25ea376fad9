
# What follows comes behind a file of tests when `scripts/check e2e FILE --keep` runs it: the first
# test that fails leaves all as it is, and those after it are skipped. $HORA_E2E_KEEP is the file
# that says so.

# rename_function OLD NEW: one that does nothing where there is none.
rename_function() {
    eval "$2() { :; }"
    ! declare -F "$1" >/dev/null || eval "$2() $(declare -f "$1" | tail -n +2)"
}

rename_function setup setup_of_file
setup() {
    [ ! -e "$HORA_E2E_KEEP" ] || skip "the cluster of a failed test is kept"
    setup_of_file
}

rename_function teardown teardown_of_file
teardown() {
    [ ! -e "$HORA_E2E_KEEP" ] || return 0
    if [ -z "${BATS_TEST_COMPLETED:-}" ]; then
        touch "$HORA_E2E_KEEP"
        return 0
    fi
    teardown_of_file
}

rename_function teardown_file teardown_file_of_file
teardown_file() {
    [ -e "$HORA_E2E_KEEP" ] || teardown_file_of_file
}
