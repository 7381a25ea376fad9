# What tests share that look at the controller's log, give it snapshots, or restart it.

log_lines() {
    grep -ac "$1" "$CLUSTER_DIR/log/slurmctld.log" || true
}

# logged_since PATTERN COUNT: more often than that; so a change can be waited for.
logged_since() {
    [ "$(log_lines "$1")" -gt "$2" ]
}

# A good snapshot in place of another is no news for the log; one after none is.
take_snapshot() {
    local file=$CLUSTER_DIR/state/hora/snapshot.json missing good
    missing=$(log_lines "snapshot.* is missing")
    rm -f "$file"
    wait_for logged_since "snapshot.* is missing" "$missing"
    good=$(log_lines "snapshot loaded")
    hora cluster snapshot --output "$file"
    wait_for logged_since "snapshot loaded" "$good"
}

nothing_left() {
    [ -z "$(squeue -h)" ]
}

is_forgotten() {
    ! scontrol show job "$1"
}

has_started() {
    ! job_is "$1" PENDING
}

# One that another shell started is not ours to reap.
is_gone() {
    ! kill -0 "$1" || grep -q '^State:.Z' "/proc/$1/status"
}

# The processes of this cluster's jobs on a node; other clusters run beside it.
processes_on() {
    { grep -lszxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ || true; } |
        xargs --no-run-if-empty grep -lszxF "SLURMD_NODENAME=$1" | tr -dc '0-9\n'
}

# stepds_of JOB.[STEP] [NODE]: this cluster's slurmstepd processes, known by the logs that they hold.
stepds_of() {
    local pid
    for pid in $(pgrep -f "slurmstepd: \[$1"); do
        if find "/proc/$pid/fd" -lname "$CLUSTER_DIR/log/slurmd-${2:-*}.log" 2>/dev/null | grep -q .; then
            echo "$pid"
        fi
    done
}

# No node in use that the controller has not heard of since its start: nothing of it is free.
all_nodes_answer() {
    local states
    states=$(sinfo --noheader --Node --format=%T) && [ -n "$states" ] &&
        ! grep -qE '^unk|^(idle|alloc|mixed).*\*' <<<"$states"
}

# With the state that it saved; ours to end with the rest of the cluster by its mark.
start_controller() {
    env DEVCLUSTER="$CLUSTER_DIR" setsid slurmctld -f "$SLURM_CONF" </dev/null \
        >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
    wait_for sh -c 'scontrol ping | grep -q "is UP"'
    wait_for all_nodes_answer
}

restart_controller() {
    local pid
    pid=$(<"$CLUSTER_DIR/run/slurmctld.pid")
    kill "$pid"
    wait_for is_gone "$pid"
    start_controller
}
