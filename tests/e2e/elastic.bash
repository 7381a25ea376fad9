# What tests share that grow and shrink jobs: the daemon, training jobs, and what has come of them.
#
#   load cluster
#   load controller
#   load elastic

# Ranks of all virtual nodes share this machine: no shared memory between "nodes", no busy waiting.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    OMPI_MCA_btl=self,tcp OMPI_MCA_mpi_yield_when_idle=1

journal() { echo "$CLUSTER_DIR/state/hora/journal.db"; }

# entries LIST: of the journal, as one JSON list.
entries() {
    python3 -c 'import json, sqlite3, sys
base = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=2)
rows = base.execute("SELECT entry FROM entries WHERE list = ?", sys.argv[2:])
print(json.dumps([json.loads(entry) for entry, in rows]))' "$(journal)" "$1"
}

# elastic_up POLICY [DEVCLUSTER OPTION…]: a cluster whose jobs Hora rewrites; no daemon yet.
elastic_up() {
    local policy=$1 settings
    shift
    [ -x "$HORA_BUILD/horad" ] || HORA_BUILD=$root/build
    settings=$(mktemp /tmp/hora-elastic.XXXXXX)
    cat "$root/scripts/dev/hora.toml" - >"$settings" <<END
[horad]
state = "@DIR@/state/hora"
port = @PORT@
interval = "1 s"

[history]
path = "@DIR@/state/hora/history.db"

[elastic]
policy = "$policy"
cooldown = "1 s"
fallback = "5 s"
ready_timeout = "20 s"
END
    # No daemon of the system's is meant.
    cluster_up --nodes "$root/tests/e2e/elastic.toml" --settings "$settings" "$@" || return 1
    rm -f "$settings"
}

# run_horad: its process is in $horad_pid, and in a file for later tests.
run_horad() {
    env DEVCLUSTER="$CLUSTER_DIR" "$HORA_BUILD/horad" </dev/null \
        >>"$CLUSTER_DIR/log/horad.log" 2>&1 3>&- &
    horad_pid=$!
    echo "$horad_pid" >"$CLUSTER_DIR/run/horad.pid"
}

# start_horad: likewise; it has looked at the cluster, and listens.
start_horad() {
    local status=$CLUSTER_DIR/state/hora/status.json
    rm -f "$status"
    run_horad
    wait_for test -s "$status"
}

# For a test, also where the one before it has left no daemon.
begin_with_horad() {
    cd "$work" || return 1
    ! is_gone "$(<"$CLUSTER_DIR/run/horad.pid")" || start_horad
}

# While it holds its lock, no other one starts.
kill_horad() {
    horad_pid=$(<"$CLUSTER_DIR/run/horad.pid")
    kill -KILL "$horad_pid" 2>/dev/null || true
    wait_for is_gone "$horad_pid"
}

# use_policy NAME: from now on, by a daemon that starts anew.
use_policy() {
    kill_horad
    sed -i "s/^policy = .*/policy = \"$1\"/" "$HORA_CONF"
    start_horad
}

# train GPUS EPOCHS [SBATCH OPTION…]: an elastic training job; prints its number. Its script says
# where it started, and counts what must happen once.
train() {
    local gpus=$1 epochs=$2
    shift 2
    submit_script --open-mode=append --hora-model=resnet50 --hora-batch=64 \
        --hora-samples=1437 --hora-epochs="$epochs" --hora-gpus="$gpus" --hora-elastic "$@" <<END
#!/bin/bash
echo "start \${SLURM_RESTART_COUNT:-0} tasks \$SLURM_NTASKS nodes \$SLURM_NNODES"
date +%s.%N >>"$work/\$SLURM_JOB_ID.starts"
echo "\$HORA_CHECKPOINT_DIR" >"$work/\$SLURM_JOB_ID.folder"
srun --mpi=$mpi hora-train-digits --epochs $epochs --report-steps 1 --brake "$work/brake"
echo "after srun: \$?" >>"$work/\$SLURM_JOB_ID.after"
END
}

# A size that $job does not have. Plans follow what jobs before it measured, which this machine's
# load decides.
other_size() {
    [ "$(job_field "$job" NumTasks)" = 1 ] && echo 2 || echo 1
}

progress_of() {
    cat "$(<"$work/$1.folder")/progress.jsonl"
}

# has_trained JOB STEPS: it has done at least that many.
has_trained() {
    [ "$(progress_of "$1" 2>/dev/null | wc -l)" -ge "$2" ]
}

steps_of() {
    progress_of "$1" 2>/dev/null | wc -l
}

# goes_on JOB: waits until it makes a further step.
goes_on() {
    wait_for -t 60 has_trained "$1" "$(($(steps_of "$1") + 2))"
}

is_settled() {
    [ "$(entries resizes | jq --argjson job "$1" 'map(select(.job == $job)) | length')" = 0 ]
}

journal_is_empty() {
    [ ! -e "$(journal)" ] || [ "$(entries resizes)" = "[]" ]
}

# is_in_state JOB STATE: of the journal.
is_in_state() {
    [ "$(entries resizes | jq -r --argjson job "$1" '.[] | select(.job == $job) | .state')" = "$2" ]
}

# idle_gpus COUNT: horad has seen that so many idle.
idle_gpus() {
    [ "$(hora status --json | jq .idle)" = "$1" ]
}

# runs_on JOB GPUS: one task each.
runs_on() {
    job_is "$1" RUNNING && [ "$(job_field "$1" NumTasks)" = "$2" ]
}

# resize JOB GPUS: by hand, and wait until it is done.
resize() {
    hora resize "$1" "$2" || return 1
    wait_for -t 90 is_settled "$1"
}

# minutes_of JOB: its time limit.
minutes_of() {
    local hours minutes
    IFS=: read -r hours minutes _ <<<"$(job_field "$1" TimeLimit)"
    echo $((10#$hours * 60 + 10#$minutes))
}

# lasts JOB LEAST MOST: its time limit, in minutes.
lasts() {
    local minutes
    minutes=$(minutes_of "$1")
    [ "$minutes" -ge "$2" ] && [ "$minutes" -le "$3" ]
}

# stretch JOB REQUESTED: how many times as long as on its own request it may run on what it has now.
stretch() {
    local gpus
    gpus=$(job_field "$1" NumTasks)
    [ "$gpus" -lt "$2" ] && echo $(($2 / gpus)) || echo 1
}

# assert_trained_once JOB EPOCHS: each step once, what comes after srun once, nothing of ours left.
assert_trained_once() {
    local last=$(($2 * 23))
    assert_equal "$(progress_of "$1" | jq .step | sort -n | uniq -c | awk '$1 != 1' | head -n 3)" ""
    assert_equal "$(progress_of "$1" | jq .step | sort -n | tail -n 1)" "$last"
    assert_equal "$(steps_of "$1")" "$last"
    assert_equal "$(cat "$work/$1.after")" "after srun: 0"
}

# final JOB: the loss and accuracy that it printed last.
final() {
    job_output "$1" | sed -n 's/^final *\(loss.*accuracy [^ ]*\).*/\1/p'
}

# A job that has a priority of Hora's says so.
is_nobodys_priority() {
    ! squeue --noheader --all --Format=admin_comment:4400 | grep -q 'hora-priority='
}

is_reserved() {
    scontrol --oneliner show reservation | grep -q '^ReservationName=hora-restarts '
}
is_not_reserved() { ! is_reserved; }

# Nothing in the journal, no priority and no reservation of ours, no hold.
assert_nothing_left() {
    wait_for -t 60 journal_is_empty
    wait_for -t 10 is_nobodys_priority
    wait_for -t 10 is_not_reserved
    assert_equal "$(squeue --noheader --all --states=PENDING --format=%r | grep -ci held)" "${1:-0}"
}

# For `teardown`: what a failed test has left is not the next one's.
clear_after_failure() {
    local pid
    [ -z "${BATS_TEST_COMPLETED:-}" ] || return 0
    release_brake
    for pid in $(pretender); do
        kill -CONT "$pid" || true
    done
    for user in root "$tester"; do
        scancel --user="$user" || true
    done
    wait_for nothing_left
}

# pretend GPUS STEPS [SBATCH OPTION…]: a job that keeps the contract and gets faster by each GPU,
# which no real program does on the few cores of a test machine; prints its number. What its script
# makes of $step_seconds, if that is set, is what a step takes.
pretend() {
    local gpus=$1 steps=$2
    shift 2
    brake
    install -m 755 "$root/tests/e2e/pretender.py" "$work/pretender"
    submit_script --open-mode=append --hora-model=resnet50 --hora-batch=64 \
        --hora-samples=64 --hora-epochs="$steps" --hora-gpus="$gpus" --hora-elastic "$@" <<END
#!/bin/bash
echo "\$HORA_CHECKPOINT_DIR" >"$work/\$SLURM_JOB_ID.folder"
srun -N1 -n1 "$work/pretender" $steps "\$SLURM_NTASKS" "$work/brake" ${step_seconds:-}
END
}

# The program of the one pretended job, which neither answers nor goes on while it is stopped.
pretender() { pgrep -f "python3 $work/pretender"; }
is_stopped() { grep -q '^State:.T' "/proc/$1/status"; }
# SIGUSR1 has reached it; it is handled once the program goes on.
is_signalled() { grep -qE '^(Shd|Sig)Pnd:.*[2367abef]..$' "/proc/$1/status"; }

# has_reported JOB: this start of it; before that it is not asked for a checkpoint.
has_reported() {
    hora status --json | jq -e ".jobs[] | select(.id == $1) | .step_seconds" >/dev/null
}

# begin_resize JOB GPUS: it has been asked for its checkpoint, and answers when it goes on. The
# journal says so before slurmctld does, which may be killed next.
begin_resize() {
    local pid
    wait_for has_reported "$1"
    pid=$(pretender)
    kill -STOP "$pid"
    wait_for is_stopped "$pid"
    hora resize "$1" "$2"
    wait_for is_in_state "$1" "checkpoint requested"
    wait_for is_signalled "$pid"
}

close_nodes() { scontrol update NodeName=n[1-4] State=DRAIN Reason="a test"; }
open_nodes() {
    scontrol update NodeName=n[1-4] State=RESUME || true # it may not be drained
    wait_for gets_a_plan
}
# The plugin has a snapshot of the nodes as they are.
gets_a_plan() {
    sbatch --test-only --hora-model=resnet50 --hora-batch=64 --hora-gpus=1-2 --wrap true 2>&1 |
        grep -q "2 x titanx"
}
gets_no_plan() { ! gets_a_plan; }
# And in that no GPU that a plan would take is in use, or on a node that is not open.
plans_with_all_free() {
    local said
    said=$(sbatch --test-only --hora-model=resnet50 --hora-batch=64 --hora-gpus=1-2 --wrap true 2>&1)
    [[ $said == *"x titanx"* && $said != *"not free now"* ]]
}

# has_gpus JOB LEAST MOST
has_gpus() {
    local gpus
    job_is "$1" RUNNING || return 1
    gpus=$(job_field "$1" NumTasks)
    [ "$gpus" -ge "$2" ] && [ "$gpus" -le "$3" ]
}
