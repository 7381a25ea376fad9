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
    good=$(log_lines "snapshot.* is good")
    hora cluster snapshot --output "$file"
    wait_for logged_since "snapshot.* is good" "$good"
}

nothing_left() {
    [ -z "$(squeue -h)" ]
}

has_started() {
    ! job_is "$1" PENDING
}

is_gone() {
    ! kill -0 "$1"
}

# With the state that it saved; ours to end with the rest of the cluster by its mark.
restart_controller() {
    local pid
    pid=$(<"$CLUSTER_DIR/run/slurmctld.pid")
    kill "$pid"
    wait_for is_gone "$pid"
    env DEVCLUSTER="$CLUSTER_DIR" setsid slurmctld -f "$SLURM_CONF" </dev/null \
        >>"$CLUSTER_DIR/log/start.log" 2>&1 3>&-
    wait_for sh -c 'scontrol ping | grep -q "is UP"'
}
