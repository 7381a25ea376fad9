#!/usr/bin/env bats
# Does `hora status` bear a missing, silent or foreign daemon, and does --watch leave a terminal as
# it was?

bats_require_minimum_version 1.5.0
load cluster
load command

setup() {
    command -v jq >/dev/null || skip "no jq; install it with scripts/install-packages test"
    scratch
    export HORA_CONF_HORAD_STATE=$scratch
}
teardown() { [ -z "${scratch:-}" ] || clean; }

# writes AGE [FILTER]: a daemon's status of so many seconds ago, changed by a jq filter.
writes() {
    jq -c --argjson now "$(date +%s)" "del(.age, .stale) | .written = \$now - $1 | ${2:-.}" \
        "$root/tests/golden/status/busy.json" >status.new
    mv status.new status.json
}

@test "a daemon that never wrote, is silent or is no daemon is said" {
    run --separate-stderr "$hora" status
    assert_equal "$status" 1
    assert_contains "$stderr" "there is no \"$scratch/status.json\", which horad writes; start it"
    writes 0
    run --separate-stderr "$hora" status
    assert_equal "$status:$stderr" "0:"
    assert_contains "$output" "job 12: 1 -> 2 GPUs, checkpoint requested"
    writes 3600
    run --separate-stderr "$hora" status
    assert_equal "$status" 1
    assert_contains "$output" "cluster lab: 4 GPUs"
    assert_contains "$stderr" "horad on controller has written nothing for 1 h; is it alive?"
    run --separate-stderr "$hora" status --json
    assert_equal "$(jq -r .stale <<<"$output")" true
    head -c 200 status.json >torn && mv torn status.json
    run "$hora" status
    assert_equal "$status" 1
    assert_contains "$output" "status.json: is torn or no JSON object"
    writes 0 '.jobs[0].name = "\u001b[2J"'
    run "$hora" status
    assert_equal "$status" 1
    assert_contains "$output" "jobs[0].name holds a control character"
}

@test "the jobs of some users only" {
    writes 0
    run "$hora" status -u 1000,1002
    assert_contains "$output" " 12 "
    assert_contains "$output" " 14 "
    assert_equal "$(grep -c 1001 <<<"$output" || true)" 0
    run "$hora" status -u nobody-of-this-name
    assert_equal "$status" 2
    assert_contains "$output" 'unknown user "nobody-of-this-name"'
    writes 0 ".jobs[1].uid = $(id -u)"
    run "$hora" status --me
    assert_contains "$output" "12_1 "
    assert_equal "$(grep -c resnet <<<"$output" || true)" 0
}

@test "--watch follows the file, in place on a terminal, and ends clean on Ctrl-C" {
    writes 0
    # script(1) gives it a terminal; its process is the only child of that.
    # What bash starts in the background has SIGINT ignored, as it would be kept.
    env --default-signal=INT \
        script -qfc "exec $hora status --watch 0.1" screen </dev/null >/dev/null &
    local terminal=$!
    wait_for grep -q resnet screen
    writes 0 '.jobs[0].name = "renamed"'
    wait_for grep -q renamed screen
    mv status.json away
    wait_for grep -q "there is no" screen
    kill -INT "$(pgrep -P "$terminal")"
    wait_for_end "$terminal"
    assert_contains "$(cat -v screen)" "^[[?1049h"
    assert_contains "$(tail -c 200 screen | cat -v)" "^[[?25h^[[?1049l"
    assert_contains "$(tail -c 200 screen)" 'COMMAND_EXIT_CODE="0"'
}

@test "--watch into a pipe writes no control characters" {
    writes 0
    run timeout -s INT 5 "$hora" status --watch 0.2
    assert_equal "$(grep -c "$(printf "\033")" <<<"$output" || true)" 0
    [ "$(grep -c '^cluster lab' <<<"$output")" -gt 2 ]
    "$hora" status --watch 0.1 | head -1
}
