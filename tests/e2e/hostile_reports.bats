#!/usr/bin/env bats
# Is a job heard whatever another user of its host sends to the daemon, and is no report believed
# beyond what slurmctld and the job's own options say?

load cluster
load horad

victim=news

setup_file() {
    cluster_up --settings "$BATS_TEST_DIRNAME/horad.toml"
    use_free_port
    # An ordinary user may not read the sources.
    install -m 755 "$BATS_TEST_DIRNAME/hostile_sender.py" "$work/hostile_sender"
    horad_up
}

teardown_file() {
    horad_down
    cluster_down
}

setup() {
    cd "$work" || return 1
}

teardown() {
    end_flood
    scancel --user="$tester"
    scancel --user="$victim"
    wait_for nothing_left
}

nothing_left() { [ -z "$(squeue --noheader)" ]; }

# seal USER REPORT
seal() { as "$1" munge --socket="$CLUSTER_DIR/run/munge.socket" --string="$2"; }

# exchange CREDENTIAL: what horad answers within 10 s, a line, and after how many milliseconds; fails
# where it does not.
exchange() {
    python3 - "$HORA_CONF_HORAD_PORT" "$1" <<'PYTHON'
import socket, sys, time
began = time.monotonic()
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10) as s:
    s.settimeout(10)
    s.sendall(sys.argv[2].encode() + b"\n")
    print(s.makefile().readline().strip(), round((time.monotonic() - began) * 1000))
PYTHON
}

# send USER REPORT: what horad answers.
send() {
    local answered
    answered=$(exchange "$(seal "$@")")
    echo "${answered% *}"
}

# submit_as USER: a job of 1000 steps on one GPU.
submit_as() {
    as "$1" sbatch --parsable --output=/dev/null --hora-model=resnet18 --hora-batch=64 \
        --hora-samples=6400 --hora-epochs=10 --hora-gpus=1-2 --hora-elastic \
        -N1-2 --gres=gpu:1 --wrap "sleep 100"
}

# begin_flood KIND [ARGUMENTS]: as an ordinary user; several of them, so that horad has work.
begin_flood() {
    floods=()
    local i
    for i in 1 2; do
        setpriv --reuid="$tester" --regid="$(id -g "$tester")" --clear-groups \
            "$work/hostile_sender" "$HORA_CONF_HORAD_PORT" \
            "$work/sent.$i" "$@" >"$work/flood.$i.out" 2>&1 3>&- &
        floods+=($!)
    done
}

end_flood() {
    [ "${#floods[@]}" -eq 0 ] || kill "${floods[@]}" 2>/dev/null || true
    floods=()
    rm -f "$work"/sent.*
}

sent_at_least() { [ "$(cat "$work"/sent.* | awk '{ sum += $1 } END { print sum }')" -ge "$1" ]; }

# More than any budget has; then another user's job is heard at its first try, and again.
another_is_heard() {
    local job=$1
    wait_for sent_at_least 3000
    assert_equal "$(send "$victim" "1 $job 0 progress 100 1 6400 200000000 1 1")" ok
    assert_equal "$(send "$victim" "1 $job 0 progress 200 2 12800 200000000 1 1")" ok
    kill -0 "${floods[@]}"
}

@test "lines of junk from one user of a host: another's job there is heard" {
    job=$(submit_as "$victim")
    wait_for_job "$job" RUNNING
    begin_flood junk
    another_is_heard "$job"
}

# hear_until_sent COUNT: sends another user's reports until the flood has come so far, each of which
# is taken, and notes the slowest answer in milliseconds: $slowest.
hear_until_sent() {
    local count=$1 step=100 began=$SECONDS answered
    slowest=0
    until sent_at_least "$count"; do
        [ $((SECONDS - began)) -lt 300 ]
        step=$((step + 1))
        answered=$(exchange \
            "$(seal "$victim" "1 $job 0 progress $step 1 $((step * 64)) 200000000 1 1")")
        assert_equal "${answered% *}" ok
        [ "${answered##* }" -le "$slowest" ] || slowest=${answered##* }
        sleep 0.2
    done
    echo "# $(awk '{ sum += $1 } END { print sum }' "$work"/sent.*) lines in $((SECONDS - began)) s;" \
        "the slowest of $((step - 100)) answers to another user after $slowest ms" >&3
}

@test "240,000 lines of junk from one user: another's job of that host is heard in time" {
    job=$(submit_as "$victim")
    wait_for_job "$job" RUNNING
    begin_flood junk
    hear_until_sent 240000
    kill -0 "${floods[@]}"
}

@test "credentials that munge refuses: another's job is heard" {
    job=$(submit_as "$victim")
    wait_for_job "$job" RUNNING
    begin_flood forged
    another_is_heard "$job"
}

@test "true credentials of one user, of no job: another's job is heard" {
    job=$(submit_as "$victim")
    wait_for_job "$job" RUNNING
    begin_flood sealed "$CLUSTER_DIR/run/munge.socket" $((job + 1000))
    another_is_heard "$job"
}

# is_heard REPORT: by horad, at this try.
is_heard() { [ "$(send "$tester" "$1")" = ok ]; }

@test "true credentials of one user, of one job: that user's other job is heard" {
    own=$(submit_as "$tester")
    other=$(submit_as "$tester")
    wait_for_job "$own" RUNNING
    wait_for_job "$other" RUNNING
    begin_flood sealed "$CLUSTER_DIR/run/munge.socket" "$own"
    wait_for sent_at_least 3000
    # The reports of a user that wait to be judged are bounded: a job reports again when one is refused.
    wait_for -t 10 is_heard "1 $other 0 progress 100 1 6400 200000000 1 1"
}

@test "horad.listen: reports are taken on that address alone" {
    connects() { python3 -c 'import socket, sys
socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=10)' "$1" "$HORA_CONF_HORAD_PORT"; }
    connects_not() { ! connects "$1"; }
    connects 127.0.0.2
    cp "$HORA_CONF" "$work/kept.toml"
    sed -i 's/^\[horad\]/&\nlisten = "127.0.0.1"/' "$HORA_CONF"
    kill -HUP "$(horad_pid)"
    wait_for connects_not 127.0.0.2
    wait_for connects 127.0.0.1
    cp "$work/kept.toml" "$HORA_CONF"
    kill -HUP "$(horad_pid)"
    wait_for connects 127.0.0.2
}

@test "reports of more GPUs, nodes or steps than can be are refused, and slurmctld's GPUs count" {
    job=$(submit_as "$tester")
    wait_for_job "$job" RUNNING
    assert_equal "$(send "$tester" "1 $job 0 progress 10 1 640 200000000 1 1")" ok
    assert_contains "$(send "$tester" "1 $job 0 progress 20 1 1280 200000000 1000000 1")" \
        "refused it reports 1000000 GPUs"
    assert_contains "$(send "$tester" "1 $job 0 progress 20 1 1280 200000000 1 4")" \
        "refused it reports 1 GPU on 4 nodes"
    assert_contains "$(send "$tester" "1 $job 0 progress 9007199254740992 1 64 200000000 1 1")" \
        "refused it reports step 9007199254740992, more than 10 times the 1000"
    assert_contains "$(send "$tester" "1 $job 0 checkpoint 10010")" "refused it reports step 10010"
    assert_equal "$(send "$tester" "1 $job 0 progress 30 1 1920 200000000 1 1")" ok
    step_is() { [ "$(status_field "[j['step'] for j in d['jobs'] if j['id'] == $job]")" = "[$1]" ]; }
    wait_for step_is 30
}

has_expired() {
    unmunge --socket="$CLUSTER_DIR/run/munge.socket" <<<"$1" | grep -q 'Expired credential'
}

@test "what may be wrong is asked where munge refuses a credential" {
    old=$(as "$tester" munge --socket="$CLUSTER_DIR/run/munge.socket" --ttl=1 --string="1 1 0 finish")
    wait_for has_expired "$old"
    assert_contains "$(exchange "$old")" "do the clocks of the nodes differ?"
    other_key="${old:0:40}$(tr 'A-Za-z' 'B-ZAb-za' <<<"${old:40:20}")${old:60}"
    assert_contains "$(exchange "$other_key")" "do the nodes have the same munge.key?"
}
