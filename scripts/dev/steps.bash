# Runs the steps of a check one after the other, keeps their logs, and counts what passed.
# Sourced by check and soak; they set `logs`, the folder for the logs.

passed=0
failed=0
skipped=0
# The rows of the table at the end: what took how long.
took=()

# note_time NAME TIME: in seconds.
note_time() {
    took+=("$(printf '%6d s  %s' "$2" "$1")")
}

remark() {
    printf '%s %s\n' "$(date +%H:%M:%S)" "$1"
}

show_end_of() {
    printf -- '--- the end of %s\n' "$1"
    tail -n 60 "$1"
}

# log_of NAME: where the output of a step stands.
log_of() {
    printf '%s/%s.log' "$logs" "${1//[^a-z0-9]/-}"
}

# end_step NAME BEGAN STATUS: counts a step as one passed or failed; its output is shown only if it
# has failed.
end_step() {
    note_time "$1" $((SECONDS - $2))
    if [ "$3" -eq 0 ]; then
        passed=$((passed + 1))
        remark "$1: done in $((SECONDS - $2)) s"
        return 0
    fi
    failed=$((failed + 1))
    show_end_of "$(log_of "$1")"
    remark "$1: FAILED after $((SECONDS - $2)) s"
    return 1
}

# step NAME COMMAND…
step() {
    local name=$1 began=$SECONDS status=0
    shift
    remark "$name …"
    "$@" >"$(log_of "$name")" 2>&1 </dev/null || status=$?
    end_step "$name" "$began" "$status"
}

# steps COMMAND NAME…: "COMMAND NAME" as a step of each name, as many at once as `jobs` says.
steps() {
    local command=$1 name
    local -A names=() begins=()
    shift
    for name in "$@"; do
        [ "${#names[@]}" -lt "$jobs" ] || wait_for_one
        remark "$command $name …"
        "$command" "$name" >"$(log_of "$command $name")" 2>&1 </dev/null &
        names[$!]=$name
        begins[$!]=$SECONDS
    done
    while [ "${#names[@]}" -gt 0 ]; do
        wait_for_one
    done
}

# Ends a step of steps(), the first that is over.
wait_for_one() {
    local pid status=0
    wait -n -p pid "${!names[@]}" || status=$?
    end_step "$command ${names[$pid]}" "${begins[$pid]}" "$status" || true
    unset "names[$pid]" "begins[$pid]"
}

# count_units FOLDER: adds up what automake's test driver left there, and shows failures.
count_units() {
    local result
    local -A seen=([PASS]=0 [FAIL]=0 [ERROR]=0 [XPASS]=0 [XFAIL]=0 [SKIP]=0)
    while read -r result; do
        seen[$result]=$((seen[$result] + 1))
    done < <(find "$1" -name '*.trs' -exec sed -n 's/^:test-result: \([A-Z]*\).*/\1/p' {} +)
    passed=$((passed + seen[PASS] + seen[XFAIL]))
    failed=$((failed + seen[FAIL] + seen[ERROR] + seen[XPASS]))
    skipped=$((skipped + seen[SKIP]))
    while read -r result; do
        show_end_of "${result%.trs}.log"
    done < <(find "$1" -name '*.trs' -exec grep -lE '^:test-result: (FAIL|ERROR|XPASS)' {} +)
}

# is_good_tap FILE: all that was planned has run, and nothing failed.
is_good_tap() {
    local planned
    planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$1" | head -n 1)
    [ "$(grep -c '^ok ' "$1")" -eq "${planned:--1}" ]
}

# count_tap FILE: adds up a TAP stream; planned tests that never ran have failed.
count_tap() {
    local planned=0 good skips bad
    planned=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$1" | head -n 1)
    skips=$(grep -cE '^ok .*# skip' "$1" || true)
    good=$(($(grep -c '^ok ' "$1" || true) - skips))
    bad=$(grep -c '^not ok ' "$1" || true)
    if [ $((good + skips + bad)) -lt "${planned:-1}" ]; then
        bad=$((${planned:-1} - good - skips))
        remark "${1##*/}: did not run to its end"
    fi
    passed=$((passed + good))
    skipped=$((skipped + skips))
    failed=$((failed + bad))
}

# The last line of every check, and its exit code: nothing run is no success.
finish() {
    note_time "in all" "$SECONDS"
    printf '%s\n' "${took[@]}"
    [ "$skipped" -eq 0 ] || printf '%d skipped\n' "$skipped"
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
