# Builds and runs the tests that a person names, and no more. Sourced by check, which sets `root`,
# `build`, `logs` and `jobs`, and knows how to configure and to build.

# The sources of each test program, and of those that were selected the tests to run: names with a
# colon between them, or "*".
declare -A sources_of=() selected=()

refuse() {
    printf 'check: %s\n' "$1" >&2
    exit 2
}

# From the Makefile, which knows what this configuration has.
read_test_programs() {
    local program sources
    while read -r program sources; do
        sources_of[$program]=$sources
    done < <(make --silent --no-print-directory -C "$build" --eval 'test-programs: ; @:$(foreach \
        program,$(check_PROGRAMS),$(info $(program) $($(subst -,_,$(subst /,_,$(program)))_SOURCES)))' \
        test-programs)
}

test_programs() {
    printf '%s\n' "${!sources_of[@]}" | sort
}

# tests_of PROGRAM: as GoogleTest names them, one a line; those that replay a corpus have none.
tests_of() {
    (cd "$root" && cat ${sources_of[$1]} 2>/dev/null) | tr -s '\n ' ' ' |
        grep -oE '\b(TEST(_F)?|RC_GTEST(_FIXTURE)?_PROP)\( ?\w+, ?\w+' |
        sed -E 's/.*\( ?(\w+), ?(\w+)$/\1.\2/'
}

# select_units PATTERN: whole programs by their name, or tests by theirs or that of their suite.
select_units() {
    local pattern=$1 program test
    for program in $(test_programs); do
        # The pattern is the shell's: not quoted.
        if [[ $program == $pattern || ${program##*/} == $pattern ]]; then
            selected[$program]='*'
            continue
        fi
        for test in $(tests_of "$program"); do
            [[ $test != $pattern && ${test%.*} != $pattern ]] || selected[$program]+=$test:
        done
    done
}

list_units() {
    local program
    for program in $(test_programs); do
        printf '  %s: %s\n' "${program##*/}" \
            "$(tests_of "$program" | cut -d. -f1 | sort -u | paste -sd' ')"
    done >&2
}

# run_unit PROGRAM: what a test takes is bounded; a program that crashes or hangs has failed.
run_unit() {
    local program=$1 log=$logs/unit-${1##*/}.log limit=${HORA_UNIT_LIMIT:-900} rc=0 good bad
    local -a only=()
    [ -z "$(tests_of "$program")" ] || only=(--gtest_color=no "--gtest_filter=${selected[$program]}")
    (cd "$build" && srcdir=$root timeout --kill-after=10 "$limit" "./$program" "${only[@]}") \
        >"$log" 2>&1 </dev/null || rc=$?
    good=$(grep -cE '^\[       OK \] ' "$log" || true)
    bad=$(grep -cE '^\[  FAILED  \] .* ms\)$' "$log" || true)
    skipped=$((skipped + $(grep -cE '^\[  SKIPPED \] .* ms\)$' "$log" || true)))
    [ "$rc" -ne 124 ] || remark "$program: not done within $limit s"
    [ "$rc" -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    [ ${#only[@]} -gt 0 ] || good=$((1 - bad))
    passed=$((passed + good))
    failed=$((failed + bad))
    remark "$program: $good passed, $bad failed"
    [ "$bad" -eq 0 ] || show_end_of "$log"
}

# unit PATTERN
unit() {
    local program
    step "configure" configure_for_checks || finish || exit 1
    read_test_programs
    [ ${#sources_of[@]} -gt 0 ] ||
        refuse "configure left the unit tests out; $build/config.log says which package they need"
    select_units "$1"
    if [ ${#selected[@]} -eq 0 ]; then
        printf 'check: no test program and no test is named "%s"; programs and their suites:\n' "$1" >&2
        list_units
        exit 2
    fi
    step "build" make -C "$build" -j"$jobs" "${!selected[@]}" || finish || exit 1
    passed=0 # from here on the tests alone
    for program in $(printf '%s\n' "${!selected[@]}" | sort); do
        run_unit "$program"
    done
    finish
}

# e2e_file NAME: its path; the name may be a path, or that of a file here with or without ".bats".
e2e_file() {
    local file
    for file in "$1" "$root/tests/e2e/$1" "$root/tests/e2e/$1.bats"; do
        if [[ -f $file && $file == *.bats ]]; then
            realpath "$file"
            return
        fi
    done
    return 1
}

e2e_tests() {
    sed -n 's/^@test "\(.*\)" {$/\1/p' "$1"
}

# e2e_filter FILE TEST: a regular expression for bats, from one or from a test's number.
e2e_filter() {
    local name
    if [[ $2 =~ ^[0-9]+$ ]]; then
        name=$(e2e_tests "$1" | sed -n "$2p")
        [ -z "$name" ] || printf '^%s$\n' "$(sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$name")"
        return
    fi
    while read -r name; do
        if [[ $name =~ $2 ]]; then
            printf '%s\n' "$2"
            return
        fi
    done < <(e2e_tests "$1")
}

# keeping FILE: prints where a copy of it lies whose clusters stay when a test fails. Its lines have
# the same numbers.
keeping() {
    local copy=$logs/keep/${1##*/}
    mkdir -p "$logs/keep"
    {
        printf 'BATS_TEST_DIRNAME=%q\n' "$(dirname "$1")"
        tail -n +2 "$1"
        cat "$root/tests/e2e/keep.bash"
    } >"$copy"
    printf '%s\n' "$copy"
}

# What a failed test has left for a person to look at.
show_kept() {
    local folder tool
    for folder in "$HORA_E2E_PREFIX".*/; do
        folder=${folder%/}
        if [ -e "$folder/.devcluster" ]; then
            tool=scripts/devcluster
            printf 'kept:      %s\nenter:     %s run --dir %s bash\ntake down: %s down --dir %s\n' \
                "$folder" "$tool" "$folder" "$tool" "$folder"
        elif [ -e "$folder/memory" ]; then
            tool=scripts/dev/machine
            printf 'kept:      %s\nenter:     %s run %s bash\ntake down: %s down %s\n' \
                "$folder" "$tool" "$folder" "$tool" "$folder"
        fi
    done
}

read_e2e_arguments() {
    local argument
    local -a words=()
    keep=no
    for argument; do
        case $argument in
            --keep) keep=yes ;;
            -*) refuse "unknown option '$argument'; see 'check --help'" ;;
            *) words+=("$argument") ;;
        esac
    done
    [ ${#words[@]} -ge 1 ] && [ ${#words[@]} -le 2 ] || refuse "e2e takes a FILE and perhaps a TEST"
    file=$(e2e_file "${words[0]}") || refuse "no end-to-end file '${words[0]}'; there are: $(
        cd "$root/tests/e2e" && printf '%s ' *.bats)"
    filter=
    [ ${#words[@]} -eq 1 ] || filter=$(e2e_filter "$file" "${words[1]}")
    if [ ${#words[@]} -eq 2 ] && [ -z "$filter" ]; then
        printf "check: %s has no test '%s'; there are:\n" "${file##*/}" "${words[1]}" >&2
        e2e_tests "$file" | cat -n >&2
        exit 2
    fi
}

# Daemons that are kept hold descriptors of bats open, which it would wait for.
is_kept() {
    [ "$keep" = yes ] && [ -e "$HORA_E2E_KEEP" ] &&
        [ "$(grep -cE '^(not )?ok ' "$tap")" -ge "$(sed -n 's/^1\.\.//p' "$tap")" ]
}

run_selected() {
    local runner
    timeout --kill-after=30 "$limit" bats --formatter tap ${filter:+-f "$filter"} "$file" \
        >"$tap" 2>&1 </dev/null &
    runner=$!
    while kill -0 "$runner" 2>/dev/null; do
        ! is_kept || kill "$runner" 2>/dev/null || true
        sleep 0.2
    done
    cat "$tap"
}

# e2e_of FILE [TEST] [--keep]
e2e_of() {
    local file filter keep tap limit=${HORA_E2E_LIMIT:-2400}
    read_e2e_arguments "$@"
    [ "$(id -u)" = 0 ] || refuse "end-to-end tests need root"
    step "build" build_for_e2e || finish || exit 1
    passed=0 # from here on the tests alone
    tap=$logs/$(basename "$file" .bats).tap
    export HORA_BUILD=$build BATS_TEST_TIMEOUT=${BATS_TEST_TIMEOUT:-600}
    if [ "$keep" = yes ]; then
        export HORA_E2E_KEEP=$logs/keep/failed
        file=$(keeping "$file")
        rm -f "$HORA_E2E_KEEP"
    fi
    run_selected
    count_tap "$tap"
    if [ "$keep" = yes ] && [ -e "$HORA_E2E_KEEP" ]; then
        trap - EXIT
        show_kept
    elif ! leftovers; then
        failed=$((failed + 1))
    fi
    finish
}
