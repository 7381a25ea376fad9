#!/usr/bin/env bats
# Does a browser show the pictures as they are meant: readable, whole, nothing over anything else?

bats_require_minimum_version 1.5.0
load cluster
load command

setup() {
    command -v chromium >/dev/null || skip "no chromium; install it with scripts/install-packages large"
    command -v jq >/dev/null || skip "no jq; install it with scripts/install-packages test"
    scratch
    machines=$root/tests/topologies
}
teardown() { [ -z "${scratch:-}" ] || clean; }

# draws NAME WORD…: what `hora WORD…` prints becomes a part of the page, under that name.
draws() {
    local name=$1
    shift
    {
        printf '<script type="image/svg+xml" id="%s">\n' "$name"
        "$hora" "$@" 2>>remarks || return 1
        printf '</script>\n'
    } >>pictures
}

# Opens the page; its facts are then in $output.
look() {
    {
        printf '<!DOCTYPE html>\n<meta charset="utf-8">\n<pre id="facts"></pre>\n'
        cat pictures
        printf '<script>\n'
        cat "$root/tests/e2e/picture.js"
        printf '</script>\n'
    } >page.html
    # Alone in its profile, and without a sandbox of its own, which root cannot have.
    HOME=$scratch timeout --kill-after=5 120 chromium --headless --no-sandbox --disable-gpu \
        --disable-dev-shm-usage --no-first-run --user-data-dir="$scratch/profile" \
        --enable-logging=stderr --virtual-time-budget=10000 --dump-dom \
        "file://$scratch/page.html" >dom 2>log || {
        tail -20 log
        return 1
    }
    output=$(sed -n '/<pre id="facts">/,/<\/pre>/p' dom | sed 's/<[^>]*>//g')
    assert_contains "$output" "looked at all"
    assert_equal "$(grep fault <<<"$output")" ""
    assert_equal "$(grep CONSOLE log)" ""
}

# shows NAME GPUS RING SLOWEST
shows() {
    assert_contains "$output" \
        "$1: $2 of $2 GPUs labelled, $3 ring, $4 slowest, a legend, titled \"GPU topology of "
}

@test "the picture of each machine is readable in a browser" {
    for file in "$machines"/*.xml; do
        draws "$(basename "$file" .xml)" topology "$file" --svg
    done
    look
    shows amd 4 4 2
    shows four-switches 8 8 4
    shows management-graphics 2 1 0
    shows no-gpu 0 0 0
    shows nvswitch 8 8 0
    shows one-socket-four-switches 8 8 0
    shows two-switches-one-socket 4 4 2
    shows two-switches-two-sockets 4 4 2
    shows virtual 4 4 0
}

@test "a ring over some GPUs is drawn over the whole machine" {
    draws pair ring --topology "$machines/nvswitch.xml" --gpus 0,1 --svg
    draws three ring --topology "$machines/four-switches.xml" --gpus 0,2,5 --svg
    draws one ring --topology "$machines/virtual.xml" --gpus 3 --svg
    look
    shows pair 8 1 0
    shows three 8 3 0
    shows one 4 0 0
}

@test "many links and strange names leave the picture readable" {
    "$hora" topology "$machines/four-switches.xml" --json >plain.json 2>/dev/null
    # Each GPU linked with each other one: 28 NVLinks.
    jq '[.gpus[].object] as $gpus | .nvlinks = [range(8) as $a | range($a + 1; 8) as $b |
        {a: $gpus[$a], b: $gpus[$b], bandwidth: (25e9 * (1 + ($a + $b) % 3)), assumed: false}]' \
        plain.json >mesh.json
    jq '("</script><b>&amp; \u200e\u200f[2J \u202e" + "W" * 200) as $name |
        .host = $name | .objects[].name = $name | .nics[].names = [$name, "日本" * 40]' \
        plain.json >strange.json
    jq '.objects[].name |= . + " in slot " + (.|length|tostring)' plain.json >types.json
    for name in mesh strange types; do
        draws $name topology $name.json --svg
    done
    look
    for name in mesh strange types; do
        shows $name 8 8 4
    done
}
