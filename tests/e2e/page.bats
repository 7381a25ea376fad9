#!/usr/bin/env bats
# Does a browser show the pages as they are meant: all series, axes named, nothing cut or covered?

bats_require_minimum_version 1.5.0
load cluster
load command

setup() {
    command -v chromium >/dev/null || skip "no chromium; install it with scripts/install-packages large"
    [ -e /usr/share/javascript/chart.js/chart.min.js ] ||
        skip "no Chart.js; install it with scripts/install-packages run"
    scratch
}
teardown() { [ -z "${scratch:-}" ] || clean; }

# look FILE WIDTH [FLAG…]: opens the page; its facts are then in $output.
look() {
    local file=$1 width=$2
    shift 2
    {
        cat "$file"
        printf '<script>\n'
        cat "$root/tests/e2e/page.js"
        printf '</script>\n'
    } >inner.html
    # In a frame, for a window of its own cannot be as narrow as a phone.
    cat >looked-at.html <<END
<!DOCTYPE html>
<meta charset="utf-8"><pre id="facts"></pre>
<script>window.addEventListener("message", (event) => {
    document.getElementById("facts").textContent = event.data;
});</script>
<iframe src="inner.html" width="$width" height="1900" style="border: 0"></iframe>
END
    # Alone in its profile, and without a sandbox of its own, which root cannot have.
    HOME=$scratch timeout --kill-after=5 120 chromium --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/profile" \
        --enable-logging=stderr --virtual-time-budget=10000 --window-size=1400,2000 "$@" \
        --dump-dom "file://$scratch/looked-at.html" >dom 2>log || {
        tail -20 log
        return 1
    }
    output=$(sed -n '/<pre id="facts"/,/<\/pre>/p' dom | sed 's/<[^>]*>//g')
    assert_contains "$output" "looked at all"
    assert_equal "$(grep fault <<<"$output")" ""
    assert_equal "$(grep CONSOLE log)" ""
}

@test "the page of a simulation shows every policy" {
    "$hora" simulate --generator p5 --nodes 3 --gpus-per-node 4 --policy all --html page.html >table
    look page.html 1200
    for policy in fcfs earliest-finish sjf-backfill knapsack marginal-gain afs hora; do
        assert_contains "$output" "$policy full"
        assert_contains "$output" "shows $policy: $policy, full"
        assert_contains "$(cat page.html)" "<th scope=\"row\">$policy</th>"
    done
    assert_contains "$output" "axes Time since the first submission (h), GPU; coloured"
    assert_contains "$output" "axes Completion time (min), Share of the jobs; coloured"
    assert_contains "$output" "axes Time since the first submission (h), GPUs held; coloured"
}

@test "the page of a replay shows what happened and what a policy makes of it" {
    cat >jobs.txt <<'END'
JobID|Submit|Start|ElapsedRaw|AllocTRES|User
1|2025-01-01T00:00:00|2025-01-01T00:00:00|3600|gres/gpu=4|ann
2|2025-01-01T00:10:00|2025-01-01T01:00:00|1800|gres/gpu=2|ben
END
    "$hora" replay --sacct jobs.txt --nodes 1 --gpus-per-node 4 --elastic-share 0,1 \
        --policy all --html page.html >table
    look page.html 800
    look page.html 1200
    for run in "as it was" "hora, 0 % elastic" "hora, 100 % elastic"; do
        assert_contains "$output" "shows $run: $run, full"
        assert_contains "$(cat page.html)" "<th scope=\"row\">$run</th>"
    done
}

@test "a page fits a phone, and a dark screen" {
    "$hora" simulate --generator p5 --nodes 3 --gpus-per-node 4 --policy all --html page.html >table
    look page.html 390
    assert_contains "$output" "390 wide, paper rgb(255, 255, 255)"
    look page.html 800 --blink-settings=preferredColorScheme=0
    assert_contains "$output" "800 wide, paper rgb(18, 22, 28)"
}

@test "a cluster of many GPUs is shown by the size of its jobs" {
    "$hora" simulate --generator p5 --jobs 200 --mean-arrival-seconds 20 --nodes 64 \
        --gpus-per-node 8 --policy fcfs,knapsack --html page.html >table
    look page.html 1200
    assert_contains "$output" "1 GPU full, 2 to 4 GPUs full"
    assert_contains "$output" "GPUs held, by size of the job; coloured"
}

@test "a page is written whole or not at all" {
    run "$hora" simulate --generator p5 --nodes 3 --gpus-per-node 4 --policy fcfs \
        --html nowhere/page.html
    assert_equal "$status" 1
    assert_contains "$output" "nowhere/page.html"
    run "$hora" report
    assert_equal "$status" 2
    HORA_CONF_HISTORY_PATH=$PWD/none run "$hora" report --html page.html
    assert_equal "$status" 1
    assert_contains "$output" "there is no \"$PWD/none\", which horad writes"
    [ ! -e page.html ]
}
