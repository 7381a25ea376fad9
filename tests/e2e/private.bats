#!/usr/bin/env bats
# Where the site keeps jobs to their owners, what does a stranger see of another user's job?

load cluster
load controller
load horad

owner=$tester
stranger=mail
# In the job's name, which is in all that Hora writes of it by name.
secret=thesis4711

setup_file() {
    echo "PrivateData=accounts,jobs,nodes,partitions,reservations,usage,users" \
        >"$BATS_FILE_TMPDIR/private.conf"
    # slurmdbd keeps jobs private by a file of its own.
    cluster_up --laboratory --settings "$BATS_TEST_DIRNAME/horad.toml" --conf "$BATS_FILE_TMPDIR/private.conf"
    use_free_port
    # As an earlier daemon left them, when the site kept nothing private.
    mkdir -p "$CLUSTER_DIR/state/hora"
    earlier history.db ""
    earlier snapshot.json "{}"
    earlier resizes.json '{"version": 1, "resizes": []}'
    earlier resized.json '{"version": 1, "resizes": []}'
    earlier jobs.json '{"version": 1, "jobs": []}'
    earlier replans.json '{"version": 1, "plans": []}'
    earlier restarts.json '{"version": 1, "restarts": []}'
    horad_up
    job=$(submit_elastic)
    wait_for_job "$job" RUNNING
    report "$job"
    wait_for is_known
    export job
}

teardown_file() {
    horad_down
    cluster_down
}

setup() { cd "$work" || return 1; }

submit_elastic() {
    as "$owner" sbatch --parsable --output=/dev/null --job-name="$secret" --hora-model=resnet18 \
        --hora-batch=64 --hora-samples=640000 --hora-epochs=100 --hora-gpus=1-2 --hora-elastic \
        --wrap "sleep 600" 2>/dev/null
}

# earlier FILE TEXT
earlier() {
    printf %s "$2" >"$CLUSTER_DIR/state/hora/$1"
    chmod 644 "$CLUSTER_DIR/state/hora/$1"
}

# The owner's report of its progress.
report() {
    local credential
    credential=$(as "$owner" munge --socket="$CLUSTER_DIR/run/munge.socket" \
        --string="1 $1 0 progress 250 2 16000 200000000 1 1 0 50000000")
    python3 - "$HORA_CONF_HORAD_PORT" "$credential" <<'PYTHON'
import socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=10) as s:
    s.sendall(sys.argv[2].encode() + b"\n")
    answer = s.recv(100)
assert answer == b"ok\n", answer
PYTHON
}

# The daemon has written of it all that it writes.
is_known() {
    grep -q "$secret" "$CLUSTER_DIR/state/hora/status.json" &&
        [ -s "$CLUSTER_DIR/state/hora/journal.db" ] && hora history | grep -q resnet18
}

mode_of() { stat -c %a "$CLUSTER_DIR/state/hora/$1"; }
modes_are() {
    local file
    for file in status.json history.db; do
        [ "$(mode_of "$file")" = "$1" ] || return 1
    done
}

@test "root sees the job: what a stranger is not shown is there" {
    assert_contains "$(hora status)" "$secret"
    assert_contains "$(hora history)" resnet18
    assert_equal "$(hora history --json | jq '.sizes[0].late')" 0.05
    hora explain "$job" | grep -q resnet18
}

@test "a stranger reads no file that speaks of a job" {
    find "$CLUSTER_DIR/state/hora" "$CLUSTER_DIR/etc" -type f >files
    grep -c /state/hora/ files
    while read -r file; do
        as "$stranger" test -r "$file" || continue
        run as "$stranger" grep -c -e "$secret" -e resnet18 -e "\"$job\"" "$file"
        echo "$file: $output"
        [ "$status" = 1 ]
    done <files
    for file in status.json history.db resizes.json resized.json jobs.json replans.json \
        restarts.json journal.db; do
        [ ! -e "$CLUSTER_DIR/state/hora/$file" ] || assert_equal "$file $(mode_of "$file")" "$file 600"
    done
    assert_equal "$(mode_of snapshot.json)" 640
    assert_equal "$(mode_of hora.prom)" 640
    run as "$stranger" ls "$CLUSTER_DIR/state/hora/plans"
    [ "$status" != 0 ]
}

# Each prints one line that it cannot, and nothing of the job.
@test "no command shows a stranger a job" {
    for command in "status" "status --json" "status -u $owner" "explain $job" "explain --json $job" \
        "history" "history --json" "history --job $job" "resize $job 2" "relax" \
        "plan --model resnet18 --batch 64" "cluster show" "cluster show --json"; do
        run as "$stranger" hora $command
        echo "hora $command: $status: $output"
        [[ $output != *"$secret"* && $output != *"$owner"* ]]
        [[ $output != *RUNNING* && $output != *"16000"* ]]
    done
}

@test "no command shows a stranger that a job is there" {
    for command in "explain" "explain --json"; do
        run as "$stranger" hora $command "$job"
        there="$status ${output//job $job/job JOB}"
        run as "$stranger" hora $command 999999
        assert_equal "$there" "$status ${output//job 999999/job JOB}"
    done
    for gpus in 1 2; do
        run as "$stranger" hora resize "$job" "$gpus"
        assert_contains "$output" "only root and operators"
    done
}

@test "the owner still sees its own job" {
    assert_contains "$(as "$owner" hora explain "$job")" "$secret"
}

@test "files follow what the site keeps private" {
    modes_are 600
    sed -i 's/^PrivateData=.*/PrivateData=none/' "$CLUSTER_DIR/etc/slurm.conf"
    sed -i '/^PrivateData=none/d' "$CLUSTER_DIR/etc/slurm.conf"
    scontrol reconfigure
    wait_for modes_are 644
    as "$stranger" hora status | grep -q "$secret"
    echo "PrivateData=jobs" >>"$CLUSTER_DIR/etc/slurm.conf"
    scontrol reconfigure
    wait_for modes_are 600
    run as "$stranger" hora status
    [ "$status" = 1 ]
}

@test "what a killed daemon left half written is removed" {
    horad_down
    state=$CLUSTER_DIR/state/hora
    for file in resizes.json.new-aB3xYz status.json.new-aB3xYz snapshot.json.new-aB3xYz; do
        touch -d "10 minutes ago" "$state/$file"
    done
    touch "$state/snapshot.json.new-bC4yZa"
    horad_up
    for file in resizes.json.new-aB3xYz status.json.new-aB3xYz snapshot.json.new-aB3xYz; do
        wait_for test ! -e "$state/$file"
    done
    [ -e "$state/snapshot.json.new-bC4yZa" ]
}

# Each file in turn, while horad does not run.
@test "damaged state is set aside, and horad begins anew" {
    horad_down
    state=$CLUSTER_DIR/state/hora
    for file in resizes.json resized.json jobs.json replans.json restarts.json journal.db; do
        printf '{"version": 1, "torn' >"$state/$file"
    done
    # Only what begins as a history is taken for one.
    head -c 100 "$state/history.db" >"$state/history.torn"
    printf '{"version": 1, "torn' >>"$state/history.torn"
    cat "$state/history.torn" >"$state/history.db"
    rm "$state/history.torn"
    horad_up
    for file in resizes.json resized.json jobs.json replans.json restarts.json journal.db \
        history.db; do
        ls "$state/$file".damaged-20*
        horad_says "\"$state/$file.damaged-20"
        assert_equal "$(stat -c %a "$state/$file".damaged-20*)" 600
    done
    # The plan of the old one was in the history.
    next=$(submit_elastic)
    wait_for_job "$next" RUNNING
    report "$next"
    is_listed() { status_field "[j['id'] for j in d['jobs']]" | grep -qw "$next"; }
    wait_for is_listed
    history_is_anew() { hora history | grep -q resnet18; }
    wait_for history_is_anew
}
