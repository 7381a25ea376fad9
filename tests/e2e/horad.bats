#!/usr/bin/env bats
# Does the daemon keep the snapshot fresh, survive what happens around it, and believe only those
# who may be believed?

load cluster
load controller
load horad

setup_file() {
    cluster_up --settings "$BATS_TEST_DIRNAME/horad.toml"
    use_free_port
}

teardown_file() {
    horad_down
    cluster_down
}

setup() {
    cd "$work" || return 1
    [ -e "$CLUSTER_DIR/state/hora/status.json" ] || horad_up
}

teardown() {
    scancel --user="$tester"
    wait_for nothing_left
}

snapshot_inode() { stat -c %i "$CLUSTER_DIR/state/hora/snapshot.json"; }
snapshot_changed() { [ "$(snapshot_inode)" != "$1" ]; }

# As the snapshot has it, of all nodes.
free_gpus() {
    hora cluster show --from "$CLUSTER_DIR/state/hora/snapshot.json" --json |
        python3 -c 'import json, sys
print(sum(gpu["free"] for node in json.load(sys.stdin)["nodes"] for gpu in node["gpus"]))'
}
free_gpus_are() { [ "$(free_gpus)" = "$1" ]; }

# send_line LINE: what the server answers, a line; empty where it hangs up.
send_line() {
    python3 - "$HORA_CONF_HORAD_PORT" "$1" <<'PYTHON'
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10) as s:
    s.settimeout(10)
    s.sendall(sys.argv[2].encode("latin-1") + b"\n")
    data = b""
    try:
        while True:
            block = s.recv(4096)
            if not block:
                break
            data += block
    except ConnectionError:
        pass
    print(data.decode().strip())
PYTHON
}

seal() { munge --socket="$CLUSTER_DIR/run/munge.socket" --string="$1"; }
seal_as_user() { as_user munge --socket="$CLUSTER_DIR/run/munge.socket" --string="$1"; }

# bats test_tags=releases
@test "the snapshot follows a job's start and end" {
    before=$(free_gpus)
    job=$(as_user sbatch --parsable --output=/dev/null --gres=gpu:1 --wrap "sleep 60")
    wait_for free_gpus_are $((before - 1))
    scancel "$job"
    wait_for free_gpus_are "$before"
}

@test "a quiet cluster's snapshot is written again before it gets old" {
    inode=$(snapshot_inode)
    wait_for -t 30 snapshot_changed "$inode"
}

@test "a second one refuses to start and names the first" {
    run "$horad"
    assert_equal "$status" 1
    assert_contains "$output" "horad runs already, as process $(horad_pid)"
    kill -0 "$(horad_pid)"
}

@test "wrong calls are refused" {
    run "$horad" --no-such-option
    assert_equal "$status" 2
    run "$horad" --settings /nonexistent/hora.toml
    assert_equal "$status" 1
    assert_contains "$output" "/nonexistent/hora.toml"
    HORA_CONF_ELASTIC_POLICY=knapsak run "$horad"
    assert_equal "$status" 1
    assert_contains "$output" "knapsack"
}

@test "SIGHUP: wrong settings are refused, good ones taken" {
    cp "$HORA_CONF" "$work/kept.toml"
    count=$(horad_lines "configuration reloaded")
    echo 'horad = 3' >>"$HORA_CONF"
    kill -HUP "$(horad_pid)"
    wait_for horad_says "the settings stay as they were: $HORA_CONF"
    cp "$work/kept.toml" "$HORA_CONF"
    sed -i 's/^interval = .*/interval = "0.4 s"/' "$HORA_CONF"
    kill -HUP "$(horad_pid)"
    wait_for horad_says "configuration reloaded" $((count + 1))
    interval_is() { [ "$(status_field 'd["interval"]')" = "$1" ]; }
    wait_for interval_is 0.4
    cp "$work/kept.toml" "$HORA_CONF"
    kill -HUP "$(horad_pid)"
    wait_for interval_is 0.5
}

# bats test_tags=releases
@test "slurmctld goes and comes: said once, and the snapshot goes on" {
    pid=$(<"$CLUSTER_DIR/run/slurmctld.pid")
    away=$(horad_lines "slurmctld does not answer")
    kill "$pid"
    wait_for is_gone "$pid"
    wait_for horad_says "slurmctld does not answer" $((away + 1))
    start_controller
    wait_for horad_says "slurmctld answers again"
    assert_equal "$(horad_lines "slurmctld does not answer")" $((away + 1))
    inode=$(snapshot_inode)
    wait_for -t 30 snapshot_changed "$inode"
}

# bats test_tags=releases
@test "killed outright, it starts again" {
    pid=$(horad_pid)
    kill -KILL "$pid"
    wait_for is_gone "$pid"
    horad_up
    [ "$(horad_pid)" != "$pid" ]
}

@test "reports: the owner's count; others', old, replayed and garbled ones do not" {
    job=$(as_user sbatch --parsable --output=/dev/null --hora-model=resnet18 --hora-batch=64 \
        --hora-samples=6400 --hora-epochs=10 --hora-gpus=1-2 --hora-elastic --wrap "sleep 100")
    wait_for_job "$job" RUNNING
    report="1 $job 0 progress 250 2 16000 200000000 1 1"
    credential=$(seal_as_user "$report")
    assert_equal "$(send_line "$credential")" ok
    step_is() { [ "$(status_field '[j["step"] for j in d["jobs"]]')" = "[$1]" ]; }
    wait_for step_is 250
    assert_contains "$(send_line "$credential")" refused
    assert_contains "$(send_line "$(seal "1 $job 0 progress 900 2 57600 200000000 1 1")")" \
        "no such job of this user runs"
    assert_contains "$(send_line "$(seal_as_user "1 $job 0 progress -1 2 3 4 5 6")")" refused
    assert_contains "$(send_line "$(seal_as_user "rm -rf /")")" refused
    assert_contains "$(send_line "not munge")" refused
    assert_contains "$(send_line "$(printf 'x%.0s' {1..5000})")" refused
    assert_contains "$(send_line "$(seal_as_user "1 $job 5 ended")")" refused
    assert_equal "$(status_field '[j["step"] for j in d["jobs"]]')" "[250]"
    assert_equal "$(send_line "$(seal_as_user "1 $job 0 progress 300 3 19200 200000000 1 1")")" ok
    wait_for step_is 300
}

@test "hundreds that connect and say nothing keep no other out" {
    job=$(as_user sbatch --parsable --output=/dev/null --wrap "sleep 100")
    wait_for_job "$job" RUNNING
    python3 - "$HORA_CONF_HORAD_PORT" "$(seal_as_user "1 $job 0 ended")" <<'PYTHON'
import socket, sys
port = int(sys.argv[1])
slow = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(400)]
for s in slow:
    try:
        s.sendall(b"MUNGE:")
    except OSError:
        pass
with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
    s.settimeout(10)
    s.sendall(sys.argv[2].encode() + b"\n")
    answer = s.recv(100)
assert answer == b"ok\n", answer
PYTHON
    kill -0 "$(horad_pid)"
}

@test "in observe no job is touched, and what would be done is said" {
    # Another holds the other nodes as it starts, so that it has less than it may have.
    other=$(submit -w 'n[2-4]' --exclusive --wrap "sleep 100")
    wait_for_job "$other" RUNNING
    job=$(as_user sbatch --parsable --output=/dev/null --hora-model=resnet18 --hora-batch=64 \
        --hora-samples=640000 --hora-epochs=100 --hora-gpus=1-4 --hora-elastic \
        -N1-4 --gres=gpu:1 --wrap "sleep 100")
    wait_for_job "$job" RUNNING
    scancel "$other"
    before=$(scontrol show job "$job" | grep -v -e RunTime -e LastSchedEval)
    assert_equal "$(send_line "$(seal_as_user "1 $job 0 progress 50 0 3200 200000000 1 1")")" ok
    wait_for horad_says "job $job would go from 1 to [234] GPUs: idle GPUs; nothing is done in mode"
    decided() { status_field 'd["jobs"][0]["decision"]["to"] > 1 and d["next"] != []' | grep -qx True; }
    wait_for decided
    assert_equal "$(scontrol show job "$job" | grep -v -e RunTime -e LastSchedEval)" "$before"
    assert_equal "$(status_field 'd["mode"]')" observe
}

@test "status and metrics: whole, readable, by the names of the manual" {
    run hora status
    assert_equal "$status" 0
    metrics=$(<"$CLUSTER_DIR/state/hora/hora.prom")
    assert_contains "$metrics" "hora_gpus 12"
    assert_contains "$metrics" 'hora_resizes_total{result="done"} 0'
    grep -o '^hora_[a-z_]*' <<<"$metrics" | sort -u | while read -r name; do
        man -l "$root/scripts/horad/horad.8" | grep -q "$name"
    done
    as_user test -r "$CLUSTER_DIR/state/hora/status.json"
}

@test "SIGTERM ends it cleanly, and --once does one round" {
    horad_down
    wait_for horad_says "horad: ended"
    rm "$CLUSTER_DIR/state/hora/snapshot.json"
    run "$horad" --once
    assert_equal "$status" 0
    [ -s "$CLUSTER_DIR/state/hora/snapshot.json" ]
    rm -f "$CLUSTER_DIR/state/hora/status.json"
}
